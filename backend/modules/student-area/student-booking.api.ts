import * as z from 'zod/mini';
import { STUDENT_WRITES, get, put, post } from '../../platform/http/calls.api.js';
import {
  created,
  calendarDate,
  type ErrorTable,
  id,
  instant,
  undoable,
} from '../../platform/http/common.api.js';
import { colour } from '../../platform/colours.api.js';
import { policyTerms } from '../policies/policies.api.js';

export const studentBookingErrors = {
  'student_area.booking_off': { status: 409, title: 'Seu personal não abriu a agenda para alunos' },
  'student_area.too_many_open': { status: 409, title: 'Você já agendou o máximo de aulas de uma vez' },
  'student_area.no_credit': { status: 422, title: 'Você não tem crédito livre para mais uma aula' },
  'student_area.location_gone': { status: 409, title: 'Este local não está mais disponível' },
  'student_area.service_gone': { status: 409, title: 'Este serviço não está mais disponível' },
  'student_area.paused': { status: 409, title: 'Seu treino está pausado neste dia' },
  'student_area.shared': { status: 422, title: 'Este horário é compartilhado com outro aluno' },
} as const satisfies ErrorTable;

const between = (least: number, most: number) => z.int().check(z.minimum(least), z.maximum(most));

/** Settings of the bookings by students with an account. */
export const bookingSettings = z.strictObject({
  ativo: z.boolean(),
  /** Number of days that are shown, including today. */
  dias: between(1, 60),
  /** Length of a session in minutes. */
  duracao_min: between(15, 180),
  /** Minutes that stay free before and after each session. */
  intervalo_min: between(0, 120),
  /** Minimum time in minutes between a booking or move and the start of the session. */
  antecedencia_min: between(0, 7 * 24 * 60),
  /** Maximum number of future sessions that a student has booked. */
  abertas: between(1, 50),
  /** Booking requires a free credit. */
  exige_credito: z.boolean(),
});
export type BookingSettings = z.infer<typeof bookingSettings>;

export const bookingChange = z.strictObject(undoable(bookingSettings.shape));
export type BookingChange = z.infer<typeof bookingChange>;

/** Settings before the first save. */
export const defaultBooking: BookingSettings = {
  ativo: true,
  dias: 14,
  duracao_min: 60,
  intervalo_min: 0,
  antecedencia_min: 120,
  abertas: 4,
  exige_credito: true,
};

/** `inicio`: start of a free time. */
export const newOwnSession = z.strictObject({
  inicio: instant,
  location_id: z.nullable(id),
  service_id: z.optional(z.nullable(id)),
});
export type NewOwnSession = z.infer<typeof newOwnSession>;

/** The hour of a class, which may have been moved meanwhile. */
export const newSeat = z.strictObject({ inicio: instant });
export type NewSeat = z.infer<typeof newSeat>;

/** Moves to one of the free times. */
export const ownMove = z.strictObject({ inicio: instant });
export type OwnMove = z.infer<typeof ownMove>;

/** `sessao`: only times to which this session may be moved; `servico`: which of the services. */
export const ownTimesQuery = z.strictObject({ sessao: z.optional(id), servico: z.optional(id) });
export type OwnTimesQuery = z.infer<typeof ownTimesQuery>;

/** The trainer's free times, without the reasons for other times. */
export const ownTimes = z.object({
  /** Why the student cannot book now; `livre`: booking is possible. */
  situacao: z.enum(['livre', 'fechada', 'sem_creditos', 'limite']),
  /** Credits that no session will use; null if bookings need no credit. */
  creditos_livres: z.nullable(z.int()),
  /** Latest start of a session that uses one of these credits; null: no limit. */
  creditos_ate: z.nullable(instant),
  /** The last day of the student's pause, during which nothing can be booked. */
  pausado_ate: z.nullable(calendarDate),
  abertas: z.int(),
  limite: z.int(),
  /** What the student may choose, and what is chosen; none where only the usual class is booked. */
  servicos: z.array(
    z.object({
      id,
      nome: z.string(),
      duracao_min: z.int(),
      cor: colour,
      usa_credito: z.boolean(),
      /** Cents; null: what a credit of the student's plan is worth. */
      valor: z.nullable(z.int()),
    }),
  ),
  servico: z.nullable(id),
  /** What is chosen is held online, and has no location. */
  online: z.boolean(),
  /** Where the student trains most often first; `politica`: what a late cancellation of a session there will cost. */
  locais: z.array(z.object({ id, nome: z.string(), politica: policyTerms })),
  /** The free time at the weekday and hour at which the student trains most often, and where; null if there is none. */
  costume: z.nullable(z.object({ inicio: instant, location_id: z.nullable(id) })),
  /** `locais`: locations that can be reached in time from the sessions before and after; null: all. */
  horarios: z.array(z.object({ inicio: instant, fim: instant, locais: z.nullable(z.array(id)) })),
  /** Classes that the student may enter, or is in; none for moving a session. They are open also where other times are not. */
  turmas: z.object({
    situacao: z.enum(['livre', 'sem_creditos', 'limite']),
    items: z.array(
      z.object({
        /** The group of the hour. */
        id,
        nome: z.string(),
        inicio: instant,
        fim: instant,
        location_nome: z.nullable(z.string()),
        vagas: z.int(),
        /** Seats that the student may take: not those of who waits before. */
        livres: z.int(),
        /** With fewer students so many hours before, it is cancelled; null: it takes place with any number. */
        minimo: z.nullable(z.object({ alunos: z.int(), horas: z.int() })),
        /** The student is in it. */
        minha: z.boolean(),
        /** The student's place in the queue for a seat, from 1, and until when one is theirs. */
        fila: z.nullable(z.object({ lugar: z.int(), ate: z.nullable(instant) })),
        /** Of the location; what a late cancellation will cost. */
        politica: policyTerms,
      }),
    ),
  }),
});
export type OwnTimes = z.infer<typeof ownTimes>;

/** The trainer's settings of students' bookings. */
export const studentBookingApi = {
  show: get('/settings/student-booking', {
    summary: 'Mostra como os alunos agendam',
    answer: bookingSettings,
  }),
  change: put('/settings/student-booking', {
    summary: 'Define como os alunos agendam',
    body: bookingChange,
    answer: created,
  }),
};

export const ownBookingApi = {
  book: post('/student/sessions', {
    summary: 'Agenda uma aula para o próprio aluno',
    roles: ['aluno'],
    body: newOwnSession,
    answer: created,
    status: 201,
    limit: STUDENT_WRITES,
  }),
  move: post('/student/sessions/:id/move', {
    summary: 'Remarca uma aula do próprio aluno, dentro do prazo',
    roles: ['aluno'],
    body: ownMove,
    answer: created,
    limit: STUDENT_WRITES,
  }),
  seat: post('/student/classes/:id/book', {
    summary: 'Coloca o próprio aluno em uma turma',
    roles: ['aluno'],
    body: newSeat,
    answer: created,
    status: 201,
    limit: STUDENT_WRITES,
  }),
  wait: post('/student/classes/:id/wait', {
    summary: 'Coloca o próprio aluno na fila de uma turma lotada',
    roles: ['aluno'],
    body: newSeat,
    answer: created,
    status: 201,
    limit: STUDENT_WRITES,
  }),
  leave: post('/student/classes/:id/leave', {
    summary: 'Tira o próprio aluno da fila de uma turma',
    roles: ['aluno'],
    answer: created,
    limit: STUDENT_WRITES,
  }),
  times: get('/student/free-times', {
    summary: 'Mostra os horários livres para o próprio aluno',
    roles: ['aluno'],
    byLink: true,
    query: ownTimesQuery,
    answer: ownTimes,
  }),
};
