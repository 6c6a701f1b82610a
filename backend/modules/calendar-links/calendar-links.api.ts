import * as z from 'zod/mini';
import { put, STUDENT_WRITES, get, post, remove } from '../../platform/http/calls.api.js';
import { type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const calendarLinkErrors = {
  'calendar_feed.off': { status: 404, title: 'O link do calendário não está ativo' },
  'calendar_feed.not_found': { status: 404, title: 'Este link do calendário não existe mais' },
  'calendar_feed.changed': { status: 409, title: 'O link do calendário mudou em outra janela' },
} as const satisfies ErrorTable;

/**
 * Whether names of students and places are shown to everybody who has the address. `id`: the address that this is for;
 * refused if it is no longer the current one.
 */
export const feedSettings = z.strictObject({ com_nomes: z.boolean(), id: z.optional(id) });
export type FeedSettings = z.infer<typeof feedSettings>;

/**
 * The address before a change, which is to be current again; null for none. `no_lugar_de`: the current address that it
 * replaces, null for none; refused if another one is current by now.
 */
export const formerFeed = z.strictObject({ id: z.nullable(id), no_lugar_de: z.optional(z.nullable(id)) });
export type FormerFeed = z.infer<typeof formerFeed>;

/** `anterior`: the address that `restore` would bring back; null if there is none. */
const feedChanged = z.object({ id, anterior: z.nullable(id) });

/** Null while it is switched off. */
export const calendarFeed = z.object({
  feed: z.nullable(
    z.object({
      id,
      url: z.string(),
      com_nomes: z.boolean(),
      desde: instant,
    }),
  ),
});
export type CalendarFeed = z.infer<typeof calendarFeed>;

/** A student's calendar feed; null if there is none. */
export const studentCalendar = z.object({
  feed: z.nullable(z.object({ id, url: z.string(), desde: instant })),
});
export type StudentCalendar = z.infer<typeof studentCalendar>;

export const calendarFeedApi = {
  show: get('/calendar-feed', { summary: 'Mostra o link do calendário', answer: calendarFeed }),
  restore: post('/calendar-feed/restore', {
    summary: 'Volta a um link anterior do calendário',
    body: formerFeed,
    answer: feedChanged,
  }),
  revoke: remove('/calendar-feed', { summary: 'Desativa o link do calendário', answer: feedChanged }),
  set: put('/calendar-feed', {
    summary: 'Ativa o link do calendário ou muda o que ele mostra',
    body: feedSettings,
    answer: feedChanged,
  }),
  renew: post('/calendar-feed/renew', {
    summary: 'Gera outro link do calendário; o anterior deixa de valer',
    answer: feedChanged,
  }),
};

export const studentCalendarApi = {
  show: get('/student/calendar-feed', {
    summary: 'Mostra o link do calendário do próprio aluno',
    roles: ['aluno'],
    answer: studentCalendar,
  }),
  restore: post('/student/calendar-feed/restore', {
    summary: 'Volta a um link anterior do calendário do próprio aluno',
    roles: ['aluno'],
    body: formerFeed,
    answer: feedChanged,
    limit: STUDENT_WRITES,
  }),
  revoke: remove('/student/calendar-feed', {
    summary: 'Desativa o link do calendário do próprio aluno',
    roles: ['aluno'],
    answer: feedChanged,
    limit: STUDENT_WRITES,
  }),
  open: put('/student/calendar-feed', {
    summary: 'Ativa o link do calendário do próprio aluno',
    roles: ['aluno'],
    answer: feedChanged,
    limit: STUDENT_WRITES,
  }),
  renew: post('/student/calendar-feed/renew', {
    summary: 'Gera outro link do calendário do próprio aluno; o anterior deixa de valer',
    roles: ['aluno'],
    answer: feedChanged,
    limit: STUDENT_WRITES,
  }),
};
