import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { BankLineEvent } from './bank-line.js';

type Decided = Extract<BankLineEvent, { type: 'BankLineDecided' }>['data'];
type Split = Extract<BankLineEvent, { type: 'BankLineSplit' }>['data'];

const subject = ({ line_id }: { line_id: string }) => `line:${line_id}`;

export const bankLineHistory: HistoryWords<BankLineEvent> = {
  BankLineDecided: {
    subjects: (data: Decided) => [
      subject(data),
      ...(data.charge_id === null ? [] : [`charge:${data.charge_id}`]),
      ...(data.student_id === null ? [] : [`student:${data.student_id}`]),
      ...(data.transaction_id === null ? [] : [`transaction:${data.transaction_id}`]),
    ],
    words: ({ decisao, valor, data }: Decided) => {
      const line = `a linha do extrato de ${shortDate(data)}, ${brl(Math.abs(valor))}`;
      if (decisao === 'devolucao') return `Reconheceu a devolução n${line}`;
      return decisao === 'fora' ? `Ignorou ${line}` : `Registrou ${line}`;
    },
  },
  BankLineSplit: {
    subjects: (data: Split) => [
      subject(data),
      ...new Set(
        data.partes.flatMap(({ charge_id, student_id, transaction_id }) => [
          `charge:${charge_id}`,
          `student:${student_id}`,
          `transaction:${transaction_id}`,
        ]),
      ),
    ],
    words: ({ valor, data, partes }: Split) =>
      `Dividiu a linha do extrato de ${shortDate(data)}, ${brl(valor)}, entre ${partes.length} cobranças`,
  },
  BankLineReopened: {
    subjects: (data: { line_id: string }) => [subject(data)],
    words: () => 'Voltou a considerar uma linha do extrato',
  },
};
