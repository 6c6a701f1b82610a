import * as z from 'zod/mini';
import { calendarDate, type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const studentBookingErrors = {
  'student_area.booking_off': { status: 409, title: 'Seu personal não abriu a agenda para alunos' },
  'student_area.too_many_open': { status: 409, title: 'Você já agendou o máximo de aulas de uma vez' },
  'student_area.no_credit': { status: 422, title: 'Você não tem crédito livre para mais uma aula' },
  'student_area.location_gone': { status: 409, title: 'Este local não está mais disponível' },
  'student_area.paused': { status: 409, title: 'Seu treino está pausado neste dia' },
  'student_area.shared': { status: 422, title: 'Este horário é compartilhado com outro aluno' },
} as const satisfies ErrorTable;

const between = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

/** What students with an account may book by themselves. */
export const bookingSettings = z.strictObject({
  ativo: z.boolean(),
  /** Days that are shown, today included. */
  dias: between(1, 60),
  /** How long a session lasts, in minutes. */
  duracao_min: between(15, 180),
  /** Minutes that stay free before and after each session. */
  intervalo_min: between(0, 120),
  /** Nothing can be booked, and nothing moved to, sooner than so many minutes before. */
  antecedencia_min: between(0, 7 * 24 * 60),
  /** How many sessions that a student booked may be ahead at once. */
  abertas: between(1, 50),
  /** Only who has a credit left for it may book. */
  exige_credito: z.boolean(),
});
export type BookingSettings = z.infer<typeof bookingSettings>;

/** While nothing was saved. */
export const defaultBooking: BookingSettings = {
  ...{ ativo: true, dias: 14, duracao_min: 60, intervalo_min: 0, antecedencia_min: 120 },
  ...{ abertas: 4, exige_credito: true },
};

/** `inicio` is one of the free times. */
export const newOwnSession = z.strictObject({ inicio: instant, location_id: z.nullable(id) });
export type NewOwnSession = z.infer<typeof newOwnSession>;

/** Moves to one of the free times. */
export const ownMove = z.strictObject({ inicio: instant });
export type OwnMove = z.infer<typeof ownMove>;

/** `sessao`: the times that this session may be moved to. */
export const ownTimesQuery = z.strictObject({ sessao: z.optional(id) });
export type OwnTimesQuery = z.infer<typeof ownTimesQuery>;

/** When the trainer is free, without a word about why not. */
export const ownTimes = z.object({
  /** Why nothing can be booked now; `livre`: it can. */
  situacao: z.enum(['livre', 'fechada', 'sem_creditos', 'limite']),
  /** Credits that no session will use; null where none are needed. */
  creditos_livres: z.nullable(z.int()),
  /** Until when a session must begin that uses one of them; null: whenever. */
  creditos_ate: z.nullable(instant),
  /** The last day of the student's pause, on whose days there is nothing to book. */
  pausado_ate: z.nullable(calendarDate),
  abertas: z.int(),
  limite: z.int(),
  locais: z.array(z.object({ id, nome: z.string() })),
  /** `locais`: where it can be had, for the ways from what is before and after it; null: at each. */
  horarios: z.array(z.object({ inicio: instant, fim: instant, locais: z.nullable(z.array(id)) })),
});
export type OwnTimes = z.infer<typeof ownTimes>;
