import * as z from 'zod/mini';
import { type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const calendarFeedErrors = {
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
export const feedChanged = z.object({ id, anterior: z.nullable(id) });

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

/** `{token}.ics` */
export const feedParams = z.strictObject({ file: z.string().check(z.maxLength(100)) });
