import type { HistoryWords } from '../../platform/event-store/history.js';
import { plural } from '../../platform/plural.api.js';
import { brl } from '../../platform/portuguese.js';
import type { MergeEvent } from './merge.js';

type DataOf<Type extends MergeEvent['type']> = Extract<MergeEvent, { type: Type }>['data'];

const subjects = ({ fica, sai }: { fica: string; sai: string }) => [`student:${fica}`, `student:${sai}`];

export const mergingHistory: HistoryWords<MergeEvent> = {
  StudentsMerged: {
    subjects,
    words: ({ nome, sessoes, creditos, em_aberto }: DataOf<'StudentsMerged'>) => {
      const passed = [
        sessoes > 0 && plural(sessoes, 'sessão', 'sessões'),
        creditos > 0 && plural(creditos, 'crédito', 'créditos'),
        em_aberto > 0 && `${brl(em_aberto)} em aberto`,
      ].filter(Boolean);
      return `Juntou o cadastro de ${nome ?? 'um aluno apagado'}${passed.length > 0 ? `: ${passed.join(', ')}` : ''}`;
    },
  },
  StudentsUnmerged: { subjects, words: () => 'Desfez a junção de dois cadastros' },
};
