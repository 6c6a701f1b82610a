import * as z from 'zod/mini';
import {
  calendarDate,
  id,
  instant,
  page,
  pageQuery,
  text,
  type ErrorTable,
} from '../../platform/http/common.api.js';

export const financeErrors = {
  'finance.transaction_not_found': { status: 404, title: 'Transação não encontrada' },
  'finance.already_reversed': { status: 409, title: 'A transação já foi estornada' },
  'finance.settles_charge': {
    status: 409,
    title: 'Esta receita paga uma cobrança. Desfaça o pagamento na cobrança',
  },
  'finance.year_out_of_range': { status: 422, title: 'Ano fora do período disponível' },
} as const satisfies ErrorTable;

export const transactionKind = z.enum(['receita', 'despesa'], 'Tipo inválido');
export type TransactionKind = z.infer<typeof transactionKind>;

export const paymentMethod = z.enum(['pix', 'cartao_credito', 'dinheiro'], 'Meio de pagamento inválido');
export type PaymentMethod = z.infer<typeof paymentMethod>;

/** The order in which allocations are listed. */
export const allocationKind = z.enum(['imposto', 'reserva', 'operacional', 'retirada']);
export type AllocationKind = z.infer<typeof allocationKind>;

/** `valor` in cents. */
export const newTransaction = z.strictObject({
  tipo: transactionKind,
  descricao: text(1, 200, 'Descrição é obrigatória'),
  valor: z
    .int()
    .check(
      z.positive('Valor deve ser maior que zero'),
      z.maximum(10_000_000_000, 'Use no máximo R$ 100.000.000,00'),
    ),
  metodo_pagamento: paymentMethod,
  data: calendarDate,
});
export type NewTransaction = z.infer<typeof newTransaction>;

/** `2026-11` */
export const month = z.string().check(z.regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Mês inválido'));
const year = z.string().check(z.regex(/^(19|20|21)\d{2}$/, 'Ano inválido'));

export const monthParams = z.strictObject({ month });
export const yearParams = z.strictObject({ year });

export const transactionsQuery = z.strictObject({ ...pageQuery, month });
export type TransactionsQuery = z.infer<typeof transactionsQuery>;

export const transaction = z.object({
  id,
  tipo: transactionKind,
  descricao: z.nullable(z.string()),
  /** Cents; negative in a reversal, which carries the date of what it reverses. */
  valor: z.int(),
  metodo_pagamento: paymentMethod,
  data: calendarDate,
  /** The transaction that this entry reverses. */
  estorno_de: z.nullable(id),
  /** The entry that reverses this transaction. */
  estornada_por: z.nullable(id),
  registrada_em: instant,
  /** The charge that it pays, and whose that is; the name is null once the person is forgotten. */
  cobranca: z.nullable(z.object({ id, student_id: id, student_nome: z.nullable(z.string()) })),
});
export type Transaction = z.infer<typeof transaction>;
/** Newest date first. */
export const transactionPage = page(transaction);
export type TransactionPage = z.infer<typeof transactionPage>;

const allocation = z.object({ tipo: allocationKind, valor: z.int() });
/** Empty for a despesa; otherwise the parts add up to the transaction's amount to the cent. */
export const allocations = z.object({ items: z.array(allocation), total: z.int() });
export type Allocations = z.infer<typeof allocations>;

const change = z.nullable(z.number());

/** Amounts in cents, shares in percent with one decimal. */
export const monthSummary = z.object({
  mes: month,
  recebido: z.int(),
  despesas: z.int(),
  lucro: z.int(),
  /** Recebido ÷ number of receitas; null in a month without any. */
  ticket_medio: z.nullable(z.int()),
  receitas: z.int(),
  /** Charges due in the month that are not cancelled, and monthly plans that are still to be billed in it. */
  previsto: z.int(),
  meta: z.int(),
  /** Recebido ÷ meta × 100, not capped. */
  aderencia: z.number(),
  reserva_sugerida: z.int(),
  meta_reserva: z.int(),
  alocacoes: z.object({ imposto: z.int(), reserva: z.int(), operacional: z.int(), retirada: z.int() }),
  /** Change against the previous month in percent; null where the previous month has no value to compare with. */
  variacao: z.object({ lucro: change, ticket_medio: change, aderencia: change }),
  /** Remaining days of the month, today included; 0 once it is over. */
  dias_restantes: z.int(),
});
export type MonthSummary = z.infer<typeof monthSummary>;

export const yearSummary = z.object({
  ano: z.int(),
  meses: z.array(z.object({ mes: month, previsto: z.int(), recebido: z.int(), despesas: z.int() })),
});
export type YearSummary = z.infer<typeof yearSummary>;
