import * as z from 'zod/mini';
import { get, put } from '../../platform/http/calls.api.js';
import { calendarDate, type ErrorTable, id } from '../../platform/http/common.api.js';

export const availabilityErrors = {
  'availability.changed': { status: 409, title: 'Os horários mudaram em outra janela' },
  'availability.too_many_exceptions': { status: 422, title: 'Há exceções demais' },
} as const satisfies ErrorTable;

const TIME = /^([01]\d|2[0-3]):[0-5]\d$/;
const timeForm = { error: 'Informe o horário como 07:30', abort: true };
const startTime = z.string().check(z.regex(TIME, timeForm));
/** Up to 24:00, the end of the day. */
const endTime = z.string().check(z.refine((time) => time === '24:00' || TIME.test(time), timeForm));

const stretch = { start_time: startTime, end_time: endTime, is_blocked: z.boolean() };

/** A period of one day in the tenant's time zone: open, or blocked within open hours. */
export const dayRow = z.strictObject(stretch);
export type DayRow = z.infer<typeof dayRow>;

/** The same for a day of each week, 0 (Sunday) to 6. */
export const weekRow = z.strictObject({
  day_of_week: z.int().check(z.minimum(0), z.maximum(6)),
  ...stretch,
});
export type WeekRow = z.infer<typeof weekRow>;

/** Initial values of a new row of the week (spec 1, section 9). */
export const newWeekRow: WeekRow = {
  day_of_week: 1,
  start_time: '08:00',
  end_time: '18:00',
  is_blocked: false,
};

/** Open hours of every day if the week has no open row. */
export const DEFAULT_OPEN = { start_time: '09:00', end_time: '17:00' } as const;

/** Each row ends after it starts, and rows of one day that are both open or both blocked do not overlap. */
function checkRows<Row extends DayRow & { day_of_week?: number }>(payload: z.core.ParsePayload<Row[]>): void {
  const rows = payload.value;
  const refuse = (at: number, field: keyof DayRow, message: string) =>
    payload.issues.push({
      code: 'custom',
      input: rows[at],
      path: [at, field],
      message,
      params: { rule: true },
    });
  rows.forEach((row, at) => {
    if (row.end_time <= row.start_time) refuse(at, 'end_time', 'O término deve ser depois do início');
    const overlapped = rows.findIndex(
      (other, index) =>
        index < at &&
        other.day_of_week === row.day_of_week &&
        other.is_blocked === row.is_blocked &&
        other.start_time < row.end_time &&
        row.start_time < other.end_time,
    );
    if (overlapped !== -1) refuse(at, 'start_time', 'Este horário se sobrepõe a outro do mesmo dia');
  });
}

const MOST_ROWS = 70;
const MOST_ROWS_A_DAY = 12;

/** `versao`: the version of the week that was edited; refused if it was changed meanwhile. */
export const newWeek = z.strictObject({
  horarios: z.array(weekRow).check(z.maxLength(MOST_ROWS), checkRows),
  versao: z.optional(z.int().check(z.nonnegative())),
});
export type NewWeek = z.infer<typeof newWeek>;

const rowsOfDay = z.array(dayRow).check(z.maxLength(MOST_ROWS_A_DAY), checkRows);

/**
 * Differences from the week on one date: open rows are added to the week's, blocked ones are taken out. Without rows
 * the date is like the week. `se_ainda`: the change is refused unless the date still has these rows.
 */
export const exceptionRows = z.strictObject({ horarios: rowsOfDay, se_ainda: z.optional(rowsOfDay) });
export type ExceptionRows = z.infer<typeof exceptionRows>;

const exceptionParams = z.strictObject({ data: calendarDate });

export const dateException = z.object({ data: calendarDate, horarios: z.array(dayRow) });
export type DateException = z.infer<typeof dateException>;

/** `excecoes`: from today on, by date. */
export const availability = z.object({
  horarios: z.array(weekRow),
  versao: z.int(),
  excecoes: z.array(dateException),
});
export type Availability = z.infer<typeof availability>;

/** Answer of a change. */
const availabilityChanged = z.object({ id, versao: z.int() });

export const availabilityApi = {
  show: get('/availability', { summary: 'Mostra os horários de atendimento', answer: availability }),
  set: put('/availability', {
    summary: 'Define a semana de atendimento',
    body: newWeek,
    answer: availabilityChanged,
  }),
  setException: put('/availability/exceptions/:data', {
    summary: 'Define o que muda em uma data',
    params: exceptionParams,
    body: exceptionRows,
    answer: availabilityChanged,
  }),
};
