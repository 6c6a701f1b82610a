import * as z from 'zod/mini';
import { get, post, remove } from '../../platform/http/calls.api.js';
import {
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  optionalText,
  page,
  pageQuery,
  momentQuery,
  rule,
} from '../../platform/http/common.api.js';
import { price } from '../audit/price.api.js';

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
/** Maximum of sessions in the days of a vacation. */
export const MOST_SESSIONS = 1000;
/** Half a year more than the longest vacation lasts, to find free times in. */
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
 * Each scheduled session in these days must be in one of the three lists. If the agenda has changed meanwhile, the vacation is
 * refused. `semanas`: by how many weeks sessions are moved.
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

/** Number of cancelled and moved sessions, and of students whose credits were extended. */
const vacationDone = z.object({ id, canceladas: z.int(), movidas: z.int(), creditos: z.int() });

/** Number of sessions that returned to a time which is blocked by now. */
export const vacationUndone = z.object({ id, bloqueadas: z.int() });
export type VacationUndone = z.infer<typeof vacationUndone>;

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
  /** The times `semanas` weeks later, and why they are not possible. Null without `semanas`. */
  destino: z.nullable(z.object({ inicio: instant, fim: instant, impedimento: z.nullable(z.string()) })),
});
export type HitSession = z.infer<typeof hitSession>;

/**
 * The sessions in the days of a vacation. `alunos_com_creditos`: students whose credits are extended by `dias`, or by up to that many
 * without `dias_iguais`: a day on which a student is away anyway does not count again.
 */
export const vacationPreview = z.object({
  sessoes: z.array(hitSession),
  dias: z.int(),
  dias_iguais: z.boolean(),
  alunos_com_creditos: z.int(),
});
export type VacationPreview = z.infer<typeof vacationPreview>;

export const vacationList = z.strictObject({ ...pageQuery, ...momentQuery });
export type VacationList = z.infer<typeof vacationList>;

const vacation = z.object({
  id,
  ...dates,
  description: z.nullable(z.string()),
  is_active: z.boolean(),
  canceladas: z.int(),
  movidas: z.int(),
  creditos: z.int(),
  /** Whether `desfazer_ate` has not passed; later changes may still prevent undoing. */
  pode_desfazer: z.boolean(),
});
export type Vacation = z.infer<typeof vacation>;
/** Active vacations, by start. */
export const vacationPage = z.extend(page(vacation), momentQuery);
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

export const vacationsApi = {
  list: get('/vacations', {
    summary: 'Lista os períodos de férias ativos',
    query: vacationList,
    answer: vacationPage,
  }),
  activate: post('/vacations', {
    summary: 'Ativa férias',
    body: newVacation,
    answer: vacationDone,
    status: 201,
  }),
  remove: remove('/vacations/:id', { summary: 'Remove um período de férias', answer: created }),
  restore: post('/vacations/:id/restore', {
    summary: 'Desfaz a remoção de um período de férias',
    answer: created,
  }),
  undo: post('/vacations/:id/undo', {
    summary: 'Desfaz as férias com tudo o que elas mudaram',
    answer: vacationUndone,
  }),
  undoPrice: get('/vacations/:id/undo/preview', {
    summary: 'Mostra o que desfazer as férias muda',
    answer: price,
  }),
  messages: get('/vacations/:id/messages', {
    summary: 'Prepara as mensagens aos alunos atingidos',
    answer: vacationMessages,
  }),
  preview: get('/vacations/preview', {
    summary: 'Mostra quem as férias atingem',
    query: vacationPreviewQuery,
    answer: vacationPreview,
  }),
};
