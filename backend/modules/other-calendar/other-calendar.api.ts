import * as z from 'zod/mini';
import { put, post, get, remove } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant, text } from '../../platform/http/common.api.js';

export const otherCalendarErrors = {
  'other_calendar.none': { status: 404, title: 'Nenhum outro calendário conectado' },
} as const satisfies ErrorTable;

const wrongLink = { error: 'Cole um endereço que comece com https:// ou webcal://', abort: true };

/** Whether the text can be a calendar's address; the host is checked when it is read. */
function isLink(typed: string): boolean {
  if (!URL.canParse(typed)) return false;
  const { protocol, username, password } = new URL(typed);
  return ['https:', 'webcal:', 'http:'].includes(protocol) && username === '' && password === '';
}

export const otherCalendarLink = z.strictObject({
  link_ics: text(1, 2000, 'Cole o endereço do calendário').check(z.refine(isLink, wrongLink)),
});
export type OtherCalendarLink = z.infer<typeof otherCalendarLink>;

export const otherCalendar = z.object({
  /** Null if no calendar is connected. */
  calendario: z.nullable(
    z.object({
      id,
      /** Host of the address; the rest is secret and not shown. */
      servidor: z.string(),
      desde: instant,
      /** When it was last read; null before the first time. */
      lido_em: z.nullable(instant),
      /** Since when it cannot be read, and why. */
      falha_desde: z.nullable(instant),
      falha: z.nullable(z.string()),
      /** Since when it cannot be read, if that is so long ago that the trainer was told. */
      parado_desde: z.nullable(instant),
      /** Number of its events that could not be read, or not in full. */
      ignorados: z.int(),
      /** Number of busy periods from now on. */
      ocupados: z.int(),
    }),
  ),
});
export type OtherCalendar = z.infer<typeof otherCalendar>;

export const otherCalendarApi = {
  show: get('/other-calendar', {
    summary: 'Mostra o outro calendário, que bloqueia horários',
    answer: otherCalendar,
  }),
  unlink: remove('/other-calendar', { summary: 'Desconecta o outro calendário', answer: created }),
};

/** Limits requests to other servers. */
const READINGS = { name: 'other-calendar-readings', points: 20, seconds: 600 };

export const otherCalendarCalls = {
  link: put('/other-calendar', {
    summary: 'Conecta outro calendário',
    body: otherCalendarLink,
    answer: created,
    limit: READINGS,
  }),
  relink: post('/other-calendar/restore', {
    summary: 'Conecta de novo o calendário que foi desconectado',
    answer: created,
    limit: READINGS,
  }),
  read: post('/other-calendar/read', {
    summary: 'Lê o outro calendário agora',
    answer: created,
    limit: READINGS,
  }),
};
