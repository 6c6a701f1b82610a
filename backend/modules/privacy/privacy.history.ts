import type { HistoryWords } from '../../platform/event-store/history.js';
import type { PersonForgotten } from './person.js';

export const privacyHistory: HistoryWords<PersonForgotten> = {
  PersonForgotten: {
    subjects: ({ person_id }: PersonForgotten['data']) => [`student:${person_id}`],
    words: () => 'Apagou os dados pessoais do aluno',
  },
};
