import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { atMoment, calendarDate, id, momentQuery, page, pageQuery } from '../../platform/http/common.api.js';

/** Age of a debt, by the current day in the tenant's zone. */
const age = z.enum(['a_vencer', 'hoje', 'ate_7', 'ate_30', 'mais']);
export type Age = z.infer<typeof age>;

/** Amounts in cents. */
export const receivables = z.object({
  ...momentQuery,
  falta: z.int(),
  vencido: z.int(),
  /** Number of students who owe. */
  alunos: z.int(),
  faixas: z.array(z.object({ faixa: age, quantidade: z.int(), falta: z.int() })),
});
export type Receivables = z.infer<typeof receivables>;

const debtor = z.object({
  /** The student's. */
  id,
  /** Null once the person is forgotten. */
  nome: z.nullable(z.string()),
  quantidade: z.int(),
  falta: z.int(),
  vencido: z.int(),
  /** The earliest due date. */
  desde: calendarDate,
});
export const debtorList = z.strictObject({ ...pageQuery, ...momentQuery });
export type DebtorList = z.infer<typeof debtorList>;
/** Debtors, the earliest due date first. */
export const debtorPage = z.extend(page(debtor), momentQuery);
export type DebtorPage = z.infer<typeof debtorPage>;

/** A reminder of a charge, ready to be sent to a student who was not reminded today. */
export const reminder = z.object({
  /** The charge's. */
  id,
  student_id: id,
  student_nome: z.string(),
  descricao: z.nullable(z.string()),
  falta: z.int(),
  vencimento: calendarDate,
  /** The step of the ladder, in days from the due date. */
  degrau: z.int(),
  texto: z.string(),
  /** Opens WhatsApp; null without a number. */
  whatsapp: z.nullable(z.string()),
});
export type Reminder = z.infer<typeof reminder>;
export const reminders = z.object({ items: z.array(reminder) });
export type Reminders = z.infer<typeof reminders>;

export const receivablesApi = {
  debtors: get('/receivables/students', {
    summary: 'Lista quem deve',
    query: debtorList,
    answer: debtorPage,
  }),
  reminders: get('/receivables/reminders', {
    summary: 'Lista os lembretes prontos para enviar',
    answer: reminders,
  }),
  show: get('/receivables', {
    summary: 'Mostra o que há a receber, por idade',
    query: atMoment,
    answer: receivables,
  }),
};
