import * as z from 'zod/mini';
import {
  calendarDate,
  type ErrorTable,
  id,
  instant,
  optionalText,
  page,
  pageQuery,
  rule,
} from '../../platform/http/common.api.js';

export const vacationErrors = {
  'vacations.not_found': { status: 404, title: 'Período de férias não encontrado' },
  'vacations.overlap': { status: 409, title: 'Já há férias nesses dias' },
  'vacations.sessions_changed': { status: 409, title: 'A agenda mudou enquanto você decidia' },
  'vacations.cannot_undo': { status: 409, title: 'Não dá mais para desfazer as férias' },
  'vacations.not_removed': { status: 409, title: 'O período não foi removido' },
  'vacations.too_many_sessions': { status: 422, title: 'Há sessões demais no período' },
} as const satisfies ErrorTable;

const DAY_MS = 86_400_000;
const MOST_DAYS = 366;
/** Sessions that one vacation may hit. */
export const MOST_SESSIONS = 1000;
/** A year behind the longest vacation's first day, and half a year to find free times in. */
export const MOST_WEEKS = 78;

/** Days of a vacation, both ends included. */
export const daysOf = (start_date: string, end_date: string): number =>
  Math.round((Date.parse(end_date) - Date.parse(start_date)) / DAY_MS) + 1;

const dates = { start_date: calendarDate, end_date: calendarDate };

const inOrder = rule<{ start_date: string; end_date: string }>(
  ({ start_date, end_date }) => start_date <= end_date,
  'A data de início deve ser anterior à data de término.',
  ['end_date'],
);
const notTooLong = rule<{ start_date: string; end_date: string }>(
  ({ start_date, end_date }) => daysOf(start_date, end_date) <= MOST_DAYS,
  'As férias podem ter no máximo um ano',
  ['end_date'],
);

const sessions = z._default(z.array(id).check(z.maxLength(MOST_SESSIONS)), []);
const weeks = z.int().check(z.minimum(1), z.maximum(MOST_WEEKS));

/**
 * What becomes of each scheduled session in these days: it is named in one of the three lists. Where the agenda has others by
 * now, the vacation is refused. `semanas`: by how much those to be moved are moved.
 */
export const newVacation = z
  .strictObject({
    ...dates,
    description: z.optional(optionalText(200)),
    cancelar: sessions,
    mover: sessions,
    manter: sessions,
    semanas: z.optional(weeks),
  })
  .check(
    inOrder,
    notTooLong,
    rule(
      ({ mover, semanas }) => mover.length === 0 || semanas !== undefined,
      'Informe para quantas semanas depois',
      ['semanas'],
    ),
  );
export type NewVacation = z.infer<typeof newVacation>;

/** What was done: counts of sessions, and of students whose credits count for longer. */
export const vacationDone = z.object({ id, canceladas: z.int(), movidas: z.int(), creditos: z.int() });

export const vacationPreviewQuery = z
  .strictObject({
    ...dates,
    semanas: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MOST_WEEKS))),
  })
  .check(inOrder, notTooLong);
export type VacationPreviewQuery = z.infer<typeof vacationPreviewQuery>;

export const hitSession = z.object({
  id,
  student_id: id,
  /** Null when the person was forgotten. */
  student_nome: z.nullable(z.string()),
  location_nome: z.nullable(z.string()),
  inicio: instant,
  fim: instant,
  /** Where `semanas` later would be, and why it cannot be had. Null where no weeks were asked for. */
  destino: z.nullable(z.object({ inicio: instant, fim: instant, impedimento: z.nullable(z.string()) })),
});
export type HitSession = z.infer<typeof hitSession>;

/** Whom a vacation in these days hits. `alunos_com_creditos`: whose running credits count `dias` longer. */
export const vacationPreview = z.object({
  sessoes: z.array(hitSession),
  dias: z.int(),
  alunos_com_creditos: z.int(),
});
export type VacationPreview = z.infer<typeof vacationPreview>;

export const vacationList = z.strictObject(pageQuery);
export type VacationList = z.infer<typeof vacationList>;

const vacation = z.object({
  id,
  ...dates,
  description: z.nullable(z.string()),
  is_active: z.boolean(),
  canceladas: z.int(),
  movidas: z.int(),
  creditos: z.int(),
  /** Nothing that it did has passed; what was done by hand since may still be in the way. */
  pode_desfazer: z.boolean(),
});
export type Vacation = z.infer<typeof vacation>;
/** Active ones, by start. */
export const vacationPage = page(vacation);
export type VacationPage = z.infer<typeof vacationPage>;

/** One message for each student whose sessions were cancelled or moved. `link` is null without a number. */
export const vacationMessage = z.object({
  student_id: id,
  nome: z.string(),
  texto: z.string(),
  link: z.nullable(z.string()),
});
export type VacationMessage = z.infer<typeof vacationMessage>;
export const vacationMessages = z.object({ items: z.array(vacationMessage) });
export type VacationMessages = z.infer<typeof vacationMessages>;
