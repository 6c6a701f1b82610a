import * as z from 'zod/mini';
import { get, post, put, remove } from '../../platform/http/calls.api.js';
import {
  atMoment,
  created,
  calendarDate,
  id,
  instant,
  momentQuery,
  page,
  pageQuery,
  rule,
  text,
  type ErrorTable,
} from '../../platform/http/common.api.js';
import { historyEntry } from '../audit/history.api.js';
import { price } from '../audit/price.api.js';

export const AFTER_TODAY = 'A data não pode ser depois de hoje';

export const financeErrors = {
  'finance.transaction_not_found': { status: 404, title: 'Lançamento não encontrado' },
  'finance.already_reversed': { status: 409, title: 'O lançamento já foi estornado' },
  'finance.settles_charge': {
    status: 409,
    title: 'Esta receita paga uma cobrança. Desfaça o pagamento na cobrança',
  },
  'finance.after_today': { status: 422, title: AFTER_TODAY },
  'finance.nothing_to_correct': { status: 422, title: 'Nada mudou no lançamento' },
  'finance.month_to_come': { status: 422, title: 'Este mês ainda não começou' },
  'finance.month_not_delivered': { status: 409, title: 'Este mês não está marcado como entregue' },
  'finance.year_out_of_range': { status: 422, title: 'Ano fora do período disponível' },
} as const satisfies ErrorTable;

export const transactionKind = z.enum(['receita', 'despesa'], 'Tipo inválido');
export type TransactionKind = z.infer<typeof transactionKind>;

export const paymentMethod = z.enum(['pix', 'cartao_credito', 'dinheiro'], 'Meio de pagamento inválido');
export type PaymentMethod = z.infer<typeof paymentMethod>;

export const expenseCategory = z.enum(
  ['aluguel', 'academia', 'transporte', 'equipamentos', 'cursos', 'divulgacao', 'impostos', 'outros'],
  'Categoria inválida',
);
export type ExpenseCategory = z.infer<typeof expenseCategory>;

/** The order in which allocations are listed. */
export const allocationKind = z.enum(['imposto', 'reserva', 'operacional', 'retirada']);
export type AllocationKind = z.infer<typeof allocationKind>;

/** The highest amount of an entry, in cents. */
export const MOST_IN_ENTRY = 10_000_000_000;
export const TOO_MUCH_IN_ENTRY = 'Use no máximo R$ 100.000.000,00';

/** `valor` in cents. */
export const newTransaction = z.strictObject({
  tipo: transactionKind,
  descricao: text(1, 200, 'Descrição é obrigatória'),
  valor: z
    .int()
    .check(z.positive('Valor deve ser maior que zero'), z.maximum(MOST_IN_ENTRY, TOO_MUCH_IN_ENTRY)),
  metodo_pagamento: paymentMethod,
  data: calendarDate,
  student_id: z.optional(z.nullable(id)),
  /** Only for a despesa. */
  categoria: z.optional(z.nullable(expenseCategory)),
});
export type NewTransaction = z.infer<typeof newTransaction>;

/** The id of a recorded entry, and the part of it in cents that goes to the reserve. */
export const recorded = z.object({ id, reserva: z.int() });
export type Recorded = z.infer<typeof recorded>;

const reason = text(3, 200, 'Motivo deve ter pelo menos 3 caracteres', 'Informe o motivo');
/** The reason of a reversal by "Desfazer". */
export const UNDONE = 'Lançamento desfeito';

/** The replacement of a corrected entry, and the reason. */
export const transactionCorrection = z.extend(newTransaction, { motivo: reason });
export type TransactionCorrection = z.infer<typeof transactionCorrection>;

export const transactionReversal = z.strictObject({ motivo: reason });
export type TransactionReversal = z.infer<typeof transactionReversal>;

/** `2026-11` */
export const month = z.string().check(z.regex(/^(19|20|21)\d{2}-(0[1-9]|1[0-2])$/, 'Mês inválido'));
const year = z.string().check(z.regex(/^(19|20|21)\d{2}$/, 'Ano inválido'));

export const monthParams = z.strictObject({ month });
const yearParams = z.strictObject({ year });

const amountInQuery = z.optional(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MOST_IN_ENTRY)));

/** `texto`: in the description or in the student's name; `min` and `max`: cents, whatever the sign. */
const transactionFilters = {
  month,
  tipo: z.optional(transactionKind),
  metodo_pagamento: z.optional(paymentMethod),
  categoria: z.optional(expenseCategory),
  texto: z.optional(text(1, 100)),
  min: amountInQuery,
  max: amountInQuery,
};
export const transactionsQuery = z.strictObject({ ...pageQuery, ...transactionFilters, ...momentQuery });
export type TransactionsQuery = z.infer<typeof transactionsQuery>;
export const transactionSheetQuery = z.strictObject({ ...transactionFilters, ...momentQuery });
export type TransactionSheetQuery = z.infer<typeof transactionSheetQuery>;

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
  student_id: z.nullable(id),
  /** Name of the entry's student; null without one, or if the person is forgotten. */
  aluno: z.nullable(z.string()),
  categoria: z.nullable(expenseCategory),
  /** Reason of the reversal; only in the reversing entry. */
  motivo: z.nullable(z.string()),
  /** The entry that this one corrects, and the one that corrects it. */
  corrige: z.nullable(id),
  corrigida_por: z.nullable(id),
  /** The charge that it pays, with its student; the name is null once the person is forgotten. */
  cobranca: z.nullable(z.object({ id, student_id: id, student_nome: z.nullable(z.string()) })),
});
export type Transaction = z.infer<typeof transaction>;
/** Newest date first. `total` includes all pages. */
export const transactionPage = z.extend(page(transaction), {
  ...momentQuery,
  total: z.object({ quantidade: z.int(), receitas: z.int(), despesas: z.int(), saldo: z.int() }),
});
export type TransactionPage = z.infer<typeof transactionPage>;

const allocation = z.object({ tipo: allocationKind, valor: z.int() });
/** Empty for a despesa; otherwise the parts add up to the transaction's amount to the cent. */
export const allocations = z.object({ items: z.array(allocation), total: z.int() });
export type Allocations = z.infer<typeof allocations>;

const change = z.nullable(z.number());

/** Amounts in cents, shares in percent with one decimal. */
export const monthSummary = z.object({
  ...momentQuery,
  mes: month,
  recebido: z.int(),
  despesas: z.int(),
  lucro: z.int(),
  /** Recebido ÷ number of receitas; null in a month without any. */
  ticket_medio: z.nullable(z.int()),
  receitas: z.int(),
  /** What of recebido belongs to no charge. */
  sem_cobranca: z.int(),
  /** Charges due in the month that are not cancelled, and monthly plans that are still to be billed in it. */
  previsto: z.int(),
  /** What is not paid of previsto. */
  ainda_entra: z.int(),
  /** What of this was due before today. */
  vencido: z.int(),
  meta: z.int(),
  /** Recebido ÷ meta × 100, not capped. */
  aderencia: z.number(),
  reserva_sugerida: z.int(),
  meta_reserva: z.int(),
  alocacoes: z.object({ imposto: z.int(), reserva: z.int(), operacional: z.int(), retirada: z.int() }),
  /** Change from the previous month in percent; null if that month has no value, or this one is still to come. */
  variacao: z.object({ lucro: change, ticket_medio: change, aderencia: change }),
  /** Remaining days of the month, today included; 0 once it is over. */
  dias_restantes: z.int(),
  /** When the month was last handed to the accountant; null if it was not. */
  entrega: z.nullable(
    z.object({
      id,
      em: instant,
      /** Entries that came, went or were corrected since, and what they are worth in cents: receitas less despesas. */
      mudancas: z.int(),
      valor: z.int(),
    }),
  ),
});
export type MonthSummary = z.infer<typeof monthSummary>;

/** A figure of the month that is a sum of lines; the others are computed from one of these. */
export const figure = z.enum(
  [
    ...(['recebido', 'despesas', 'lucro', 'previsto', 'ainda_entra'] as const),
    ...(['imposto', 'reserva', 'operacional', 'retirada'] as const),
  ],
  'Valor desconhecido',
);
export type Figure = z.infer<typeof figure>;

/** Its lines are charges and monthly plans, not entries. */
export const isExpected = (figura: Figure): boolean => figura === 'previsto' || figura === 'ainda_entra';

const MOST_DAYS = 731;
const areDays = ({ de, ate }: { de: string; ate: string }) =>
  de <= ate && Date.parse(ate) - Date.parse(de) < MOST_DAYS * 86_400_000;

/**
 * The lines of a figure from one day to another; of `previsto` and `ainda_entra`, those due on them. The other fields narrow the lines of entries to
 * one student, method or category.
 */
export const figureLinesQuery = z
  .strictObject({
    ...pageQuery,
    ...momentQuery,
    figura: figure,
    de: calendarDate,
    ate: calendarDate,
    student_id: z.optional(id),
    metodo_pagamento: z.optional(paymentMethod),
    categoria: z.optional(expenseCategory),
  })
  .check(
    rule(areDays, 'Informe até dois anos', ['ate']),
    rule(
      ({ figura, student_id, metodo_pagamento, categoria }) =>
        !isExpected(figura) || !(student_id ?? metodo_pagamento ?? categoria),
      'O previsto não se divide',
      ['figura'],
    ),
  );
export type FigureLinesQuery = z.infer<typeof figureLinesQuery>;
/** What a figure counts: its days, and the part of it that is meant. */
export type FigurePart = Omit<FigureLinesQuery, 'limit' | 'cursor' | 'at'>;

/** The share of one entry, charge or monthly plan (still to be billed) in a figure. */
export const figureLine = z.object({
  id,
  origem: z.enum(['lancamento', 'cobranca', 'mensalidade']),
  titulo: z.nullable(z.string()),
  /** Null without a student, or if the person is forgotten. */
  aluno: z.nullable(z.string()),
  estorno: z.boolean(),
  data: calendarDate,
  valor: z.int(),
});
export type FigureLine = z.infer<typeof figureLine>;
/** Newest first; `total`: the sum of all lines, which is the figure. */
export const figureLines = z.extend(page(figureLine), { ...momentQuery, total: z.int() });
export type FigureLines = z.infer<typeof figureLines>;

/** What changed in a month since the moment `at`. */
export const monthChangesQuery = z.strictObject({ ...pageQuery, at: instant });
export type MonthChangesQuery = z.infer<typeof monthChangesQuery>;

/** A line that came, went or has another amount since; `valor`: by how much it moves the figure. */
const changedLine = z.extend(figureLine, {
  figura: z.enum(['recebido', 'despesas', 'previsto']),
  /** Who did it, when and why; null where only time has passed, or the plan has another price. */
  mudanca: z.nullable(historyEntry),
});
export type ChangedLine = z.infer<typeof changedLine>;

const thenAndNow = z.object({ antes: z.int(), agora: z.int() });
const movedFigures = z.object({ recebido: thenAndNow, despesas: thenAndNow, previsto: thenAndNow });

/** The entries that were recorded since, the newest first. */
export const monthChanges = z.extend(page(changedLine), {
  at: instant,
  /** Only with the first page. */
  valores: z.nullable(movedFigures),
  /** The lines of previsto that differ; only with the first page. `resto`: those beyond the first hundred. */
  previsto: z.nullable(
    z.object({ items: z.array(changedLine), resto: z.object({ quantidade: z.int(), valor: z.int() }) }),
  ),
});
export type MonthChanges = z.infer<typeof monthChanges>;

export const yearSummary = z.object({
  ...momentQuery,
  ano: z.int(),
  /** The current goals, for each month. */
  meta: z.int(),
  meses: z.array(z.object({ mes: month, previsto: z.int(), recebido: z.int(), despesas: z.int() })),
});
export type YearSummary = z.infer<typeof yearSummary>;

export const financeApi = {
  list: get('/transactions', {
    summary: 'Lista transações de um mês',
    query: transactionsQuery,
    answer: transactionPage,
  }),
  get: get('/transactions/:id', { summary: 'Mostra uma transação', answer: transaction }),
  record: post('/transactions', {
    summary: 'Registra uma receita ou despesa',
    body: newTransaction,
    answer: recorded,
    status: 201,
  }),
  correct: post('/transactions/:id/correct', {
    summary: 'Corrige uma transação: estorna e registra de novo',
    body: transactionCorrection,
    answer: created,
    status: 201,
  }),
  allocations: get('/transactions/:id/allocations', {
    summary: 'Mostra as alocações de uma transação',
    answer: allocations,
  }),
  lines: get('/finance/lines', {
    summary: 'Lista as linhas de que um valor é feito',
    query: figureLinesQuery,
    answer: figureLines,
  }),
  reverse: post('/transactions/:id/reverse', {
    summary: 'Estorna uma transação',
    body: transactionReversal,
    answer: created,
    status: 201,
  }),
  reversePrice: get('/transactions/:id/reverse/preview', {
    summary: 'Mostra o que estornar uma transação muda',
    answer: price,
  }),
  month: get('/finance/months/:month', {
    summary: 'Mostra os indicadores de um mês',
    params: monthParams,
    query: atMoment,
    answer: monthSummary,
  }),
  deliver: put('/finance/months/:month/delivery', {
    summary: 'Marca um mês como entregue ao contador',
    params: monthParams,
    answer: created,
  }),
  undoDelivery: remove('/finance/months/:month/delivery', {
    summary: 'Desfaz a última entrega de um mês ao contador',
    params: monthParams,
    answer: created,
  }),
  undoDeliveryPrice: get('/finance/months/:month/delivery/preview', {
    summary: 'Mostra o que desfazer a última entrega de um mês ao contador muda',
    params: monthParams,
    answer: price,
  }),
  year: get('/finance/years/:year', {
    summary: 'Mostra um ano, mês a mês',
    params: yearParams,
    query: atMoment,
    answer: yearSummary,
  }),
};
