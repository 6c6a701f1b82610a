import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
import { calendarDate, cents, id, idParams } from '../../platform/http/common.api.js';
import { policyTerms } from '../policies/policies.api.js';

/** The longest vacation, in days. */
const MOST_DAYS = 366;
/** Students that can be tried at once. */
export const MOST_STUDENTS = 50;

/** What would be different in a time: `valor` is by how much more came in (less, if negative), `quantidade` of what the sentence says. */
const outcome = z.object({
  de: calendarDate,
  ate: calendarDate,
  valor: z.int(),
  quantidade: z.int(),
  texto: z.string(),
  /** Oldest first; `mes` is its first day. */
  meses: z.array(z.object({ mes: calendarDate, valor: z.int(), quantidade: z.int() })),
});
export type Outcome = z.infer<typeof outcome>;

/** `alunos`: whom it touches, the largest difference first, at most a hundred; `resto`: how many more. */
export const whatIf = z.object({
  passado: z.nullable(outcome),
  futuro: z.nullable(outcome),
  alunos: z.array(
    z.object({
      id,
      /** Null once the person is forgotten. */
      nome: z.nullable(z.string()),
      valor: z.int(),
      quantidade: z.int(),
    }),
  ),
  resto: z.int(),
  /** What the sentences count, and what they leave out. */
  notas: z.array(z.string()),
});
export type WhatIf = z.infer<typeof whatIf>;

/** A number in a query; an empty one is none, not 0. */
const number = z.transform((text: unknown) => (text === '' ? Number.NaN : Number(text)));
const whole = z.pipe(number, cents);

/** Another price of a plan, and how many credits it would give, if that changes too. */
export const triedPlan = z.strictObject({ valor: whole, creditos: z.optional(whole) });
export type TriedPlan = z.infer<typeof triedPlan>;

const { cancel_limite_horas, taxa_percent } = policyTerms.shape;

/** Other terms of cancellation, at one location or at all. */
export const triedPolicy = z.strictObject({
  cancel_limite_horas: z.pipe(number, cancel_limite_horas),
  taxa_percent: z.pipe(number, taxa_percent),
  queima_credito: z.enum(['sim', 'nao']),
  location_id: z.optional(id),
});
export type TriedPolicy = z.infer<typeof triedPolicy>;

const WEEKDAYS = /^[0-6](,[0-6])*$/;
const timeOfDay = z
  .string()
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$|^24:00$/, { error: 'Informe um horário' }));

/** Times that would not be worked: on these days of the week (0: Sunday), from `inicio` until `fim`. */
export const triedHours = z
  .strictObject({
    dias: z.pipe(
      z.string().check(z.regex(WEEKDAYS, { error: 'Escolha os dias' })),
      z.transform((days: string) => [...new Set(days.split(',').map(Number))].sort()),
    ),
    inicio: timeOfDay,
    fim: timeOfDay,
  })
  .check(
    z.refine(({ inicio, fim }) => inicio < fim, {
      path: ['fim'],
      error: 'O fim deve ser depois do início',
    }),
  );
export type TriedHours = z.infer<typeof triedHours>;

const DAY_MS = 86_400_000;

export const triedVacation = z.strictObject({ start_date: calendarDate, end_date: calendarDate }).check(
  z.refine(({ start_date, end_date }) => start_date <= end_date, {
    path: ['end_date'],
    error: 'A data final deve ser igual ou depois da inicial',
  }),
  z.refine(({ start_date, end_date }) => Date.parse(end_date) - Date.parse(start_date) < MOST_DAYS * DAY_MS, {
    path: ['end_date'],
    error: `Escolha até ${MOST_DAYS} dias`,
  }),
);
export type TriedVacation = z.infer<typeof triedVacation>;

const ids = z.array(id).check(z.maxLength(MOST_STUDENTS, { error: `Escolha até ${MOST_STUDENTS} alunos` }));

/** Students who would leave. */
export const triedStudents = z.strictObject({
  alunos: z.pipe(
    z.pipe(
      z.string(),
      z.transform((all: string) => [...new Set(all.split(','))]),
    ),
    ids,
  ),
});
export type TriedStudents = z.infer<typeof triedStudents>;

const asked = { tags: ['what-if'], answer: whatIf };

export const whatIfApi = {
  plan: get('/what-if/plans/:id', {
    summary: 'Mostra o que outro preço de um plano mudaria',
    params: idParams,
    query: triedPlan,
    ...asked,
  }),
  policy: get('/what-if/policy', {
    summary: 'Mostra o que cancelamentos passados teriam custado com outra política',
    query: triedPolicy,
    ...asked,
  }),
  hours: get('/what-if/hours', {
    summary: 'Mostra o que mudaria sem atender em certos horários',
    query: triedHours,
    ...asked,
  }),
  vacation: get('/what-if/vacation', {
    summary: 'Mostra o que mudaria com férias em certos dias',
    query: triedVacation,
    ...asked,
  }),
  students: get('/what-if/students', {
    summary: 'Mostra o que mudaria sem certos alunos',
    query: triedStudents,
    ...asked,
  }),
};
