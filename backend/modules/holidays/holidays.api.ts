import * as z from 'zod/mini';
import { get, post, put, remove } from '../../platform/http/calls.api.js';
import { calendarDate, type ErrorTable, id, name } from '../../platform/http/common.api.js';

export const holidayErrors = {
  'holidays.not_found': { status: 404, title: 'Feriado não encontrado' },
  'holidays.not_removed': { status: 409, title: 'O feriado não foi removido' },
  'holidays.too_many': { status: 422, title: 'Há feriados demais' },
} as const satisfies ErrorTable;

/** `anual`: each year on the same day. */
export const newHoliday = z.strictObject({
  nome: name(1, 80, 'Informe o nome'),
  data: calendarDate,
  anual: z.boolean(),
});
export type NewHoliday = z.infer<typeof newHoliday>;

/** The name of a national one in lower case, such as `natal`; the UUID of one of the trainer's own. */
const holidayParams = z.strictObject({
  id: z.string().check(z.toLowerCase(), z.regex(/^[a-z0-9-]{3,40}$/)),
});

export const holidaySwitch = z.strictObject({ ativo: z.boolean() });
export type HolidaySwitch = z.infer<typeof holidaySwitch>;

const MOST_DAYS = 400;
const DAY_MS = 86_400_000;

/** Both dates included. */
export const holidaysQuery = z.strictObject({ from: calendarDate, to: calendarDate }).check(
  z.refine(({ from, to }) => from <= to && Date.parse(to) - Date.parse(from) <= MOST_DAYS * DAY_MS, {
    error: `Consulte de 1 a ${MOST_DAYS} dias`,
    path: ['to'],
  }),
);
export type HolidaysQuery = z.infer<typeof holidaysQuery>;

export const holiday = z.object({
  id: z.string(),
  nome: z.string(),
  data: calendarDate,
  tipo: z.enum(['nacional', 'facultativo', 'proprio']),
  anual: z.boolean(),
  /** A holiday that is switched off is not shown in the calendar, and series do not skip it. */
  ativo: z.boolean(),
});
export type Holiday = z.infer<typeof holiday>;
/** By date, including those that are switched off. */
export const holidayList = z.object({ items: z.array(holiday) });
export type HolidayList = z.infer<typeof holidayList>;

/** Answer of a change. */
const holidayChanged = z.object({ id: z.string() });
const holidayAdded = z.object({ id });

export const holidaysApi = {
  list: get('/holidays', { summary: 'Lista feriados', query: holidaysQuery, answer: holidayList }),
  add: post('/holidays', {
    summary: 'Adiciona um feriado próprio',
    body: newHoliday,
    answer: holidayAdded,
    status: 201,
  }),
  switch: put('/holidays/:id', {
    summary: 'Ativa ou desativa um feriado',
    params: holidayParams,
    body: holidaySwitch,
    answer: holidayChanged,
  }),
  remove: remove('/holidays/:id', { summary: 'Remove um feriado próprio', answer: holidayChanged }),
  restore: post('/holidays/:id/restore', {
    summary: 'Desfaz a remoção de um feriado próprio',
    answer: holidayChanged,
  }),
};
