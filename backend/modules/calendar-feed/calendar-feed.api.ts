import * as z from 'zod/mini';
import { type ErrorTable, id, instant } from '../../platform/http/common.api.js';

export const calendarFeedErrors = {
  'calendar_feed.off': { status: 404, title: 'O link do calendário não está ativo' },
  'calendar_feed.not_found': { status: 404, title: 'Este link do calendário não existe mais' },
} as const satisfies ErrorTable;

/** Whether whoever has the address sees the names of students and places. */
export const feedSettings = z.strictObject({ com_nomes: z.boolean() });
export type FeedSettings = z.infer<typeof feedSettings>;

/** The address that was in force before it was renewed or switched off. */
export const formerFeed = z.strictObject({ id });
export type FormerFeed = z.infer<typeof formerFeed>;

/** `anterior`: what `restore` would bring back, null where there is nothing. */
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

/** That of a student; null while there is none. */
export const studentCalendar = z.object({
  feed: z.nullable(z.object({ id, url: z.string(), desde: instant })),
});
export type StudentCalendar = z.infer<typeof studentCalendar>;

/** `{token}.ics` */
export const feedParams = z.strictObject({ file: z.string().check(z.maxLength(100)) });
