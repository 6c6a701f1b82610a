import * as z from 'zod/mini';
import { calendarDate, cents, id, rule } from '../../platform/http/common.api.js';

const DAYS = 'Use um dia de 1 a 31';

/** What its field says of a due day. */
export const DUE_DAY_HINT = '31 é o último dia do mês.';

/** A day that a month lacks is its last one. */
export const dueDayInWords = (day: number): string => (day === 31 ? 'último dia do mês' : `dia ${day}`);

const agreed = {
  valor: z
    .int()
    .check(
      z.positive('Valor deve ser maior que zero'),
      z.maximum(100_000_000, 'Use no máximo R$ 1.000.000,00'),
    ),
  desde: calendarDate,
  ate: z.nullable(calendarDate),
  vence_dia: z.int(DAYS).check(z.minimum(1, DAYS), z.maximum(31, DAYS)),
};
const inOrder = rule<{ desde: string; ate: string | null }>(
  ({ desde, ate }) => ate === null || ate >= desde,
  'O fim deve ser depois do início',
  ['ate'],
);

/** The agreement with a student: plan, price, its first and last month, and the day of the month on which it is due. */
export const monthlyTerms = z.strictObject({ plano_id: id, ...agreed }).check(inOrder);
export type MonthlyTerms = z.infer<typeof monthlyTerms>;

/** The share of the month in which it begins, in cents as it was shown: charged at once. Absent: that month is not charged. */
const proporcional = z.optional(cents);

/** `se_ainda` null: only while none is active; refused where one was agreed since. */
export const monthlyChange = z
  .strictObject({ plano_id: id, ...agreed, proporcional, se_ainda: z.optional(z.null()) })
  .check(inOrder);
export type MonthlyChange = z.infer<typeof monthlyChange>;

/** The same beside a student's plan; without a plan of its own it is for the student's. */
const brought = { plano_id: z.optional(id), ...agreed };
export const broughtTerms = z.strictObject(brought).check(inOrder);

/** With the share of the first month. */
export const broughtStart = z.strictObject({ ...brought, proporcional }).check(inOrder);
export type BroughtStart = z.infer<typeof broughtStart>;

const twoDigits = (day: number) => String(day).padStart(2, '0');

/**
 * From the day of a start to the end of its month: how many of its days that is, and their share of a price and of credits that are for
 * so many months, half a cent and half a credit rounded up.
 */
export function firstMonthOf(
  { valor, creditos, meses }: { valor: number; creditos: number; meses: number },
  desde: string,
) {
  const [year = 0, month = 0, day = 0] = desde.split('-').map(Number);
  const of = new Date(Date.UTC(year, month, 0)).getUTCDate();
  const dias = of - day + 1;
  const share = (whole: number) => Math.floor((2 * whole * dias + meses * of) / (2 * meses * of));
  return {
    ate: `${desde.slice(0, 8)}${twoDigits(of)}`,
    dias,
    of,
    valor: share(valor),
    creditos: share(creditos),
  };
}
