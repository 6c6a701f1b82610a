import type { HistoryWords } from '../../platform/event-store/history.js';
import { brl, shortDate } from '../../platform/portuguese.js';
import type { PaymentMethod, TransactionKind } from './finance.api.js';
import type { TransactionEvent } from './transaction.js';

type Entry = Extract<TransactionEvent, { type: 'TransactionRecorded' }>['data'];

const methods: Record<PaymentMethod, string> = {
  pix: 'Pix',
  cartao_credito: 'cartão de crédito',
  dinheiro: 'dinheiro',
};
const kinds: Record<TransactionKind, string> = { receita: 'a receita', despesa: 'a despesa' };

const subjects = ({ transaction_id }: Entry) => [`transaction:${transaction_id}`];

/** `a receita de R$ 320,00 de 05/11/2026 (Pix): Mensalidade` */
const entry = ({ tipo, valor, data, metodo_pagamento, descricao }: Entry) =>
  `${kinds[tipo]} de ${brl(valor)} de ${shortDate(data)} (${methods[metodo_pagamento]})${descricao ? `: ${descricao}` : ''}`;

export const financeHistory: HistoryWords<TransactionEvent> = {
  TransactionRecorded: { subjects, words: (data: Entry) => `Registrou ${entry(data)}` },
  TransactionReversed: {
    subjects: (data: Entry & { estorno_id: string }) => [...subjects(data), `transaction:${data.estorno_id}`],
    words: (data: Entry) => `Estornou ${entry(data)}`,
  },
};
