import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl } from '../../platform/portuguese.js';
import { reassignedWords } from '../students/reassigned.js';
import type { ReceiptEvent } from './receipt.js';
import type { IssuerSet, ReceiptIssuerEvent } from './receipt-issuer.js';

type DataOf<Type extends ReceiptEvent['type']> = Extract<ReceiptEvent, { type: Type }>['data'];

const subjects = ({ transaction_id, student_id }: { transaction_id: string; student_id: string | null }) => [
  `transaction:${transaction_id}`,
  ...(student_id === null ? [] : [`student:${student_id}`]),
];

export const receiptHistory: HistoryWords<ReceiptEvent | ReceiptIssuerEvent> = {
  ReceiptIssued: {
    subjects,
    words: ({ transaction_id, numero, valor }: DataOf<'ReceiptIssued'>, _zone, of) =>
      `Emitiu o recibo nº ${numero}${of === `transaction:${transaction_id}` ? '' : `, de ${brl(valor)}`}`,
  },
  ReceiptSent: {
    subjects,
    words: ({ canal }: DataOf<'ReceiptSent'>) =>
      `Enviou o recibo por ${canal === 'email' ? 'e-mail' : 'WhatsApp'}`,
  },
  // The receita's own line says it.
  ReceiptReassigned: { subjects: () => [], words: reassignedWords },
  ReceiptIssuerSet: {
    subjects: ({ receipt_issuer_id }: IssuerSet) => [`receiptissuer:${receipt_issuer_id}`],
    words: () => 'Salvou os dados dos recibos',
  },
};
