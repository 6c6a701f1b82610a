import * as z from 'zod/mini';
import { calendarDate, id, page, pageQuery } from '../../platform/http/common.api.js';

/** How old what is owed is, by the day in the tenant's zone. */
const age = z.enum(['a_vencer', 'hoje', 'ate_7', 'ate_30', 'mais']);
export type Age = z.infer<typeof age>;

/** Amounts in cents. */
export const receivables = z.object({
  falta: z.int(),
  vencido: z.int(),
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
export const debtorList = z.strictObject(pageQuery);
export type DebtorList = z.infer<typeof debtorList>;
/** Who owes since the earliest day first. */
export const debtorPage = page(debtor);
export type DebtorPage = z.infer<typeof debtorPage>;

/** A message that is ready to be sent: the charge's, of a student who was not reminded today. */
export const reminder = z.object({
  /** The charge's. */
  id,
  student_id: id,
  student_nome: z.string(),
  descricao: z.nullable(z.string()),
  falta: z.int(),
  vencimento: calendarDate,
  /** Days from the due date: the step of the ladder. */
  degrau: z.int(),
  texto: z.string(),
  /** Opens WhatsApp; null without a number. */
  whatsapp: z.nullable(z.string()),
});
export type Reminder = z.infer<typeof reminder>;
export const reminders = z.object({ items: z.array(reminder) });
export type Reminders = z.infer<typeof reminders>;
