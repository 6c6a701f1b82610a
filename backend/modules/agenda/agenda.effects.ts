import type { Effect, Effects } from '../../platform/event-store/effect.js';
import { plural } from '../../platform/plural.api.js';

const session =
  (kind: string, verb: string, after: string) =>
  ({ student_id }: { student_id: string }): Effect[] => [
    {
      ...{ kind, quantidade: 1, student_id },
      texto: (sum, nome) =>
        `${verb} ${plural(sum, 'sessão', 'sessões')}${nome === null ? '' : ` de ${nome}`}${after}`,
    },
  ];

export const agendaEffects: Effects = {
  SessionReopened: session('reopened', 'agenda de novo', ''),
  SessionRescheduled: session('moved back', 'leva', ' de volta ao horário de antes'),
  SessionReassigned: ({ student_id }: { student_id: string }) => [
    {
      ...{ kind: 'sessions reassigned', quantidade: 1, student_id },
      texto: (sum) => `passa ${plural(sum, 'sessão', 'sessões')} de volta ao outro cadastro`,
    },
  ],
};
