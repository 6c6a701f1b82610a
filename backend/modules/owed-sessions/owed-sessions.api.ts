import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { calendarDate, id, momentQuery, page, pageQuery } from '../../platform/http/common.api.js';
import { month } from '../finance/finance.api.js';

/** `month`: the one whose sessions and receipts are compared. */
export const owedSessionsQuery = z.strictObject({ ...pageQuery, ...momentQuery, month });
export type OwedSessionsQuery = z.infer<typeof owedSessionsQuery>;

/** Credits that were paid and are still to be given, or what was paid of a plan whose credits wait for the rest. */
const owedLot = z.object({
  /** The lot, or the charge that is paid in part. */
  id,
  origem: z.enum(['compra', 'transferencia', 'reposicao', 'entrada']),
  /** The charge whose money it is. */
  charge_id: id,
  plano: z.nullable(z.string()),
  /** 0 for an `entrada`. */
  sessoes: z.int(),
  valor: z.int(),
  expira_em: z.nullable(calendarDate),
});
export type OwedLot = z.infer<typeof owedLot>;

const owedStudent = z.object({
  id,
  /** Null once the person is forgotten. */
  nome: z.nullable(z.string()),
  sessoes: z.int(),
  valor: z.int(),
  lotes: z.array(owedLot),
});
export type OwedStudent = z.infer<typeof owedStudent>;

/** Sessions of credits that were paid, and the part of the money that is theirs. */
const sessionsAndMoney = z.object({ sessoes: z.int(), valor: z.int() });

/** Whom most is owed to first. `total` includes all pages. */
export const owedSessionsPage = z.extend(page(owedStudent), {
  ...momentQuery,
  total: z.object({
    alunos: z.int(),
    sessoes: z.int(),
    valor: z.int(),
    /** Valid credits without money: given for free, from before Rende, or not paid yet. */
    sem_valor: z.int(),
    /** What was received in the month for plans with credits. */
    recebido: z.int(),
    /** What the sessions of the month earned. */
    dadas: sessionsAndMoney,
    /** What remained without a session in the month: credits that expired, or were removed. */
    sem_sessao: sessionsAndMoney,
    /** The trainer's goal. The reserve that is suggested is `valor`: what would have to be refunded if nothing more were given. */
    meta_reserva: z.int(),
  }),
});
export type OwedSessionsPage = z.infer<typeof owedSessionsPage>;

export const owedSessionsApi = {
  list: get('/finance/owed-sessions', {
    summary: 'Mostra as sessões pagas que ainda serão dadas, e o que rendem',
    tags: ['finance'],
    query: owedSessionsQuery,
    answer: owedSessionsPage,
  }),
};
