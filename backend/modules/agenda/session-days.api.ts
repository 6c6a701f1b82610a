import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { calendarDate, id, instant, rule } from '../../platform/http/common.api.js';
import { sessionStatus } from '../sessions/sessions.api.js';

/** The most days that the calendar's year shows, including the whole weeks at its ends. */
const MOST_DAYS = 400;
/** More than a month with the whole weeks at its ends. */
const MOST_DAYS_WITH_NAMES = 62;
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;

/** Calendar days `[from, to)` of the tenant's zone. `primeiras`: how many of each day's sessions to name. */
export const sessionDaysQuery = z
  .strictObject({
    from: calendarDate,
    to: calendarDate,
    primeiras: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(2)), 0),
  })
  .check(
    rule(({ from, to }) => from < to, 'Informe um fim depois do início', ['to']),
    rule(
      ({ from, to }) => daysBetween(from, to) <= MOST_DAYS,
      `Informe um período de até ${MOST_DAYS} dias`,
      ['to'],
    ),
    rule(
      ({ from, to, primeiras }) => primeiras === 0 || daysBetween(from, to) <= MOST_DAYS_WITH_NAMES,
      `Com as primeiras sessões, informe um período de até ${MOST_DAYS_WITH_NAMES} dias`,
      ['primeiras'],
    ),
  );
export type SessionDaysQuery = z.infer<typeof sessionDaysQuery>;

/** Counts hours: the sessions of a group count as one, which is scheduled while any of them is, and cancelled if all are. */
export const sessionDay = z.object({
  dia: calendarDate,
  agendada: z.int(),
  feita: z.int(),
  cancelada: z.int(),
  /** The first sessions of the day by start; cancelled ones after the others. */
  primeiras: z.array(
    z.object({
      id,
      inicio: instant,
      status: sessionStatus,
      /** Null when the person was forgotten. */
      student_nome: z.nullable(z.string()),
      /** The other students of a shared hour. */
      outros: z.array(z.nullable(z.string())),
    }),
  ),
});
export type SessionDay = z.infer<typeof sessionDay>;

/** The days in which sessions lie, in order; one over midnight lies in two. */
export const sessionDays = z.object({ items: z.array(sessionDay) });
export type SessionDays = z.infer<typeof sessionDays>;

/** What the calendar's month and year show. */
export const sessionDaysApi = {
  count: get('/sessions/days', {
    summary: 'Conta as sessões de cada dia de um período',
    query: sessionDaysQuery,
    answer: sessionDays,
  }),
};
