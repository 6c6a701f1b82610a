import type { HistoryWords } from '../../platform/event-store/history.js';
import { dayOfMonth } from '../../platform/local-time.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import { reassignedWords } from '../students/reassigned.js';
import type { PaymentMethod, TransactionKind } from './finance.api.js';
import type { RecurringExpenseEvent } from './recurring-expense.js';
import type { DeliveredMonthEvent } from './delivered-month.js';
import type { TransactionEvent } from './transaction.js';

type Entry = Extract<TransactionEvent, { type: 'TransactionRecorded' }>['data'];
type Reversed = Extract<TransactionEvent, { type: 'TransactionReversed' }>['data'];

const methods: Record<PaymentMethod, string> = {
  pix: 'Pix',
  cartao_credito: 'cartão',
  dinheiro: 'dinheiro',
};
const kinds: Record<TransactionKind, string> = { receita: 'a receita', despesa: 'a despesa' };

const subjects = ({ transaction_id }: { transaction_id: string }) => [`transaction:${transaction_id}`];

const ofExpense = ({ expense_id }: { expense_id: string }) => [`expense:${expense_id}`];

type Delivered = Extract<DeliveredMonthEvent, { type: 'MonthDelivered' }>['data'];
const ofDelivery = ({ delivery_id }: Delivered) => [`month:${delivery_id}`];
const shortMonth = (mes: string) => `${mes.slice(5, 7)}/${mes.slice(0, 4)}`;

/** `a receita de R$ 320,00 de 05/11/2026 (Pix): Mensalidade` */
const entry = ({ tipo, valor, data, metodo_pagamento, descricao }: Entry | Reversed) =>
  `${kinds[tipo]} de ${brl(valor)} de ${shortDate(data)} (${methods[metodo_pagamento]})${descricao ? `: ${descricao}` : ''}`;

/** `a receita`, in the history of the entry itself, which is never changed in place. */
const named = (data: Entry | Reversed, of: string | undefined) =>
  of === `transaction:${data.transaction_id}` ? kinds[data.tipo] : entry(data);

export const financeHistory: HistoryWords<TransactionEvent | RecurringExpenseEvent | DeliveredMonthEvent> = {
  TransactionRecorded: {
    subjects: (data) => [
      ...subjects(data),
      ...(data.corrige_id === null ? [] : [`transaction:${data.corrige_id}`]),
      ...(data.student_id === null ? [] : [`student:${data.student_id}`]),
    ],
    words: (data, _zone, of) =>
      data.corrige_id === null ? `Registrou ${named(data, of)}` : `Corrigiu para ${entry(data)}`,
  },
  TransactionReversed: {
    subjects: (data) => [
      ...subjects(data),
      `transaction:${data.estorno_id}`,
      ...(data.corrigida_por === null ? [] : [`transaction:${data.corrigida_por}`]),
      ...(data.student_id === null ? [] : [`student:${data.student_id}`]),
    ],
    words: (data, _zone, of) =>
      `${data.corrigida_por === null ? 'Estornou' : 'Corrigiu'} ${named(data, of)}${data.motivo === null ? '' : ` (motivo: ${data.motivo})`}`,
  },
  TransactionReassigned: { subjects, words: reassignedWords },
  RecurringExpenseSet: {
    subjects: ofExpense,
    words: ({ valor, vence_dia, proximo_mes, descricao }) =>
      `Definiu a despesa recorrente de ${brl(valor)}, todo dia ${vence_dia}, a partir de ${shortDate(dayOfMonth(proximo_mes, vence_dia))}${descricao ? `: ${descricao}` : ''}`,
  },
  RecurringExpenseEnded: { subjects: ofExpense, words: () => 'Encerrou a despesa recorrente' },
  RecurringExpenseRecorded: {
    subjects: (data) => [...ofExpense(data), ...subjects(data)],
    words: ({ mes }) => `Lançou a despesa recorrente de ${shortMonth(mes)}`,
  },
  MonthDelivered: {
    subjects: ofDelivery,
    words: ({ mes }) => `Marcou ${shortMonth(mes)} como entregue ao contador`,
  },
  MonthDeliveryUndone: {
    subjects: ofDelivery,
    words: ({ mes }) => `Desfez a entrega de ${shortMonth(mes)} ao contador`,
  },
  DeliveredMonthChanged: {
    subjects: (data) => [...ofDelivery(data), ...subjects(data)],
    words: ({ mes }) => `Mudou ${shortMonth(mes)}, que já estava entregue ao contador`,
  },
};
