import type { HistoryWords } from '../../platform/event-store/history.js';
import type { PersonEvent, PersonForgotten, RetentionEnded } from './person.js';

export const personHistory: HistoryWords<PersonEvent> = {
  PersonForgotten: {
    subjects: ({ person_id }: PersonForgotten['data']) => [`student:${person_id}`],
    words: () => 'Apagou os dados pessoais do aluno',
  },
  RetentionEnded: {
    subjects: ({ person_id }: RetentionEnded['data']) => [`student:${person_id}`],
    words: () => 'Acabou o prazo de guardar documentos do aluno: foram apagados',
  },
};
