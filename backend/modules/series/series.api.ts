import * as z from 'zod/mini';
import { patch, get, post } from '../../platform/http/calls.api.js';
import {
  calendarDate,
  type ErrorTable,
  id,
  instant,
  optionalText,
  rule,
} from '../../platform/http/common.api.js';
import { sessionCancellation } from '../agenda/agenda.api.js';
import { cancellationReason } from '../sessions/sessions.api.js';
import { MOST_STUDENTS, newMembers } from '../agenda/groups.api.js';
import { price } from '../audit/price.api.js';
import { obstacle, obstacleKind } from '../agenda/obstacles.api.js';

export const seriesErrors = {
  'series.not_found': { status: 404, title: 'Horário fixo não encontrado' },
  'series.agenda_changed': { status: 409, title: 'A agenda mudou enquanto você decidia' },
  'series.times_taken': { status: 409, title: 'Nem todas as sessões cabem no novo horário' },
  'series.settled': { status: 409, title: 'A sessão não faz mais parte desta mudança do horário fixo' },
  'series.cannot_undo': { status: 409, title: 'Não dá mais para desfazer' },
  'series.too_long': { status: 422, title: 'O horário fixo tem sessões demais' },
  'series.no_dates': { status: 422, title: 'O horário fixo não tem nenhuma data' },
  'series.too_far': { status: 422, title: 'O novo dia é longe demais' },
} as const satisfies ErrorTable;

/** Why a date has no session: an obstacle, or a pause of the student. */
const skipReason = z.enum([...obstacleKind.options, 'pausa']);
export type SkipReason = z.infer<typeof skipReason>;

/** Maximum of sessions that one command creates. */
export const MOST_SESSIONS = 104;
/** Number of weeks for which a series without an end has sessions booked in advance. */
export const WEEKS_AHEAD = 12;

const hora = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Informe o horário como 07:30'));
const dates = z._default(z.array(calendarDate).check(z.maxLength(MOST_SESSIONS)), []);

const weekdays = z.array(z.int().check(z.minimum(0), z.maximum(6))).check(
  z.minLength(1, 'Escolha pelo menos um dia'),
  z.maxLength(7),
  z.refine((days) => new Set(days).size === days.length, 'Há dias repetidos'),
);

const recurring = {
  /** The first session is on the first of `dias` from this day on. */
  data: calendarDate,
  hora,
  /** Minutes. */
  duracao: z.int().check(z.minimum(15), z.maximum(360)),
  /** Days of the week, 0 is Sunday. */
  dias: weekdays,
  /** 1: every week; 2: every second week. */
  intervalo: z.int().check(z.minimum(1), z.maximum(2)),
  /** The end: a last day, a number of times, or none. */
  ate: z.optional(z.nullable(calendarDate)),
  vezes: z.optional(z.nullable(z.int().check(z.minimum(1), z.maximum(MOST_SESSIONS)))),
};

const planned = {
  student_id: id,
  /** Students who share the hours, each with their own series. */
  outros_alunos: z._default(
    z.array(id).check(
      z.maxLength(MOST_STUDENTS - 1, `Escolha até ${MOST_STUDENTS} alunos`),
      z.refine((ids) => new Set(ids).size === ids.length, 'Há alunos repetidos'),
    ),
    [],
  ),
  location_id: z.optional(z.nullable(id)),
  service_id: z.optional(z.nullable(id)),
  observacoes: z.optional(optionalText(2000)),
  ...recurring,
};

interface Ends {
  data: string;
  ate?: string | null | undefined;
  vezes?: number | null | undefined;
}
const oneEnd = rule<Ends>(
  ({ ate, vezes }) => !ate || !vezes,
  'Escolha a data final ou o número de vezes, não os dois',
  ['vezes'],
);
const endsAfter = rule<Ends>(({ data, ate }) => !ate || ate >= data, 'O fim deve ser depois do início', [
  'ate',
]);

const count = (least: number, most: number) =>
  z.coerce.number().check(z.int(), z.minimum(least), z.maximum(most));

/** The recurrence to preview; `dias`: `2,4` are Tuesday and Thursday. */
const seriesPreviewQuery = z
  .strictObject({
    ...recurring,
    duracao: count(15, 360),
    intervalo: count(1, 2),
    vezes: z.optional(count(1, MOST_SESSIONS)),
    dias: z.pipe(
      z.string().check(z.regex(/^[0-6](,[0-6]){0,6}$/, 'Escolha pelo menos um dia')),
      z.transform((days: string) => [...new Set(days.split(',').map(Number))]),
    ),
  })
  .check(oneEnd, endsAfter);
export type Recurrence = Pick<NewSeries, keyof typeof recurring>;

/**
 * Each date with an obstacle must be in `pular` (skip) or `mesmo_assim` (book anyway). If another date meanwhile has an obstacle,
 * the series is refused.
 */
export const newSeries = z
  .strictObject({ ...planned, pular: dates, mesmo_assim: dates })
  .check(oneEnd, endsAfter);
export type NewSeries = z.infer<typeof newSeries>;

/** What a series would create now, by date. */
export const seriesPreview = z.object({
  /** "Toda terça e quinta, 7:00, até 30/06/2027" */
  texto: z.string(),
  /** False: the series has no end, and these are the first of its sessions. */
  tem_fim: z.boolean(),
  sessoes: z.array(
    z.object({ data: calendarDate, inicio: instant, fim: instant, obstaculos: z.array(obstacle) }),
  ),
});
export type SeriesPreview = z.infer<typeof seriesPreview>;

/** Result of a command on a series: number of created or changed sessions, and of skipped ones. `mudanca_id` undoes it. */
export const seriesDone = z.object({ id, mudanca_id: id, sessoes: z.int(), puladas: z.int() });
export type SeriesDone = z.infer<typeof seriesDone>;

/** `session_ids`: those of which students are to be told: the first that each series loses, and each that belongs to none. */
const seriesCancelled = z.extend(seriesDone, { session_ids: z.array(id) });
export type SeriesCancelled = z.infer<typeof seriesCancelled>;

/** Future sessions from this one on, or all future sessions. */
export const seriesScope = z.enum(['proximas', 'todas'], 'Escopo inválido');
export type SeriesScope = z.infer<typeof seriesScope>;

/**
 * Missing fields do not change, and neither do details that were changed in one session alone. `inicio` and `fim` are the new
 * times of the chosen session. `dias`: new days of the week; sessions of other days are removed, those of new days booked.
 * `impedidas`: what to do with sessions that have obstacles (new ones are skipped, or booked anyway); if missing, the change is
 * refused with their names.
 */
export const seriesChanges = z
  .strictObject({
    escopo: seriesScope,
    inicio: z.optional(instant),
    fim: z.optional(instant),
    location_id: z.optional(z.nullable(id)),
    observacoes: z.optional(optionalText(2000)),
    dias: z.optional(weekdays),
    impedidas: z.optional(z.enum(['manter', 'mudar'])),
  })
  .check(
    z.refine(
      ({ escopo: _, impedidas: __, dias, ...others }) => !dias || Object.keys(others).length === 0,
      'Mude os dias da semana à parte',
    ),
    z.refine(
      ({ escopo: _, impedidas: __, ...changes }) => Object.keys(changes).length > 0,
      'Nada para alterar',
    ),
  );
export type SeriesChanges = z.infer<typeof seriesChanges>;

/**
 * The session itself is cancelled as requested, the others without cost. `com_grupo`: the trainer cancels the hours for all
 * students who share them.
 */
export const seriesCancellation = z
  .strictObject({
    escopo: seriesScope,
    com_grupo: z.optional(z.boolean()),
    motivo: cancellationReason,
    aplicar_politica: z.optional(z.boolean()),
    justificativa: z.optional(optionalText(500)),
    previsto: sessionCancellation.shape.previsto,
  })
  .check(
    rule(
      ({ aplicar_politica, justificativa }) => aplicar_politica !== false || Boolean(justificativa),
      'Informe por que perdoar desta vez',
      ['justificativa'],
    ),
    rule(
      ({ com_grupo, motivo }) => !com_grupo || motivo === 'personal',
      'Só você cancela o horário de todos',
      ['motivo'],
    ),
  );
export type SeriesCancellation = z.infer<typeof seriesCancellation>;

export const seriesDeletion = z.strictObject({ escopo: seriesScope });
export type SeriesDeletion = z.infer<typeof seriesDeletion>;

/** Students to add to the hours of the series. */
export const seriesMembers = z.strictObject({
  escopo: seriesScope,
  student_ids: newMembers.shape.student_ids,
});
export type SeriesMembers = z.infer<typeof seriesMembers>;

/** `permitir_conflito`: restores times even if other sessions have them. */
export const seriesUndo = z.strictObject({
  mudanca_id: id,
  permitir_conflito: z.optional(z.boolean()),
});
export type SeriesUndo = z.infer<typeof seriesUndo>;

const seriesChangeKind = z.enum(['criada', 'alterada', 'cancelada', 'excluida', 'dias']);
export type SeriesChangeKind = z.infer<typeof seriesChangeKind>;

export const seriesAnswer = z.object({
  id,
  student_id: id,
  /** The first and last date of the pattern; without a last one the series has no end. */
  inicio: calendarDate,
  ate: z.nullable(calendarDate),
  /** The stretches, each from an occurrence on. */
  trechos: z.array(
    z.object({
      desde: calendarDate,
      dias: z.array(z.int()),
      texto: z.string(),
      rrule: z.string(),
      location_id: z.nullable(id),
    }),
  ),
  /** Future skipped dates, by date, with the reasons. */
  puladas: z.array(z.object({ data: calendarDate, motivo: z.nullable(skipReason) })),
  /** What was done last with the series as a whole, unless its first day is over; later changes may still prevent undoing. */
  pode_desfazer: z.nullable(z.object({ mudanca_id: id, tipo: seriesChangeKind })),
});
export type SeriesAnswer = z.infer<typeof seriesAnswer>;

export const seriesApi = {
  preview: get('/series/preview', {
    summary: 'Mostra o que um horário fixo criaria',
    query: seriesPreviewQuery,
    answer: seriesPreview,
  }),
  start: post('/series', {
    summary: 'Agenda um horário fixo',
    body: newSeries,
    answer: seriesDone,
    status: 201,
  }),
  get: get('/series/:id', { summary: 'Mostra um horário fixo', answer: seriesAnswer }),
  undo: post('/series/:id/undo', {
    summary: 'Desfaz o que foi feito por último com um horário fixo',
    body: seriesUndo,
    answer: seriesDone,
  }),
  undoPrice: get('/series/:id/changes/:change/undo/preview', {
    summary: 'Mostra o que desfazer o que foi feito por último com um horário fixo muda',
    answer: price,
  }),
  join: post('/sessions/:id/series/students', {
    summary: 'Adiciona alunos a uma sessão e a outras do horário fixo',
    body: seriesMembers,
    answer: seriesDone,
    status: 201,
  }),
  remove: post('/sessions/:id/series/delete', {
    summary: 'Exclui uma sessão e outras do horário fixo',
    body: seriesDeletion,
    answer: seriesDone,
  }),
  cancel: post('/sessions/:id/series/cancel', {
    summary: 'Cancela uma sessão e outras do horário fixo',
    body: seriesCancellation,
    answer: seriesCancelled,
  }),
};

export const seriesCalls = {
  change: patch('/sessions/:id/series', {
    summary: 'Altera uma sessão e outras do horário fixo',
    body: seriesChanges,
    answer: seriesDone,
  }),
};
