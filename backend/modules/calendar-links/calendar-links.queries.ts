import { Config } from '../../platform/config/env.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import type { CalendarFeed, StudentCalendar } from './calendar-links.api.js';

export const ShowCalendarFeed = defineQuery(
  'ShowCalendarFeed',
  { tokens: LinkTokens, config: Config },
  async ({ read }, { tokens, config }): Promise<CalendarFeed> => {
    const [row] = await read(own({}));
    if (!row) return { feed: null };
    const { feed_id: id, com_nomes, desde } = row;
    const url = urlOf(config, tokens.tokenOf('calendar-feed', id));
    return { feed: { id, url, com_nomes, desde: desde.toISOString() } };
  },
);

const urlOf = ({ siteUrl }: Config, token: string) => `${siteUrl}/calendario/${token}.ics`;

const own = statement((db) =>
  db.selectFrom('calendar_feed').select(['feed_id', 'com_nomes', 'desde']).compile(),
);

/** The calendar feed of the student who asks. */
export const ShowStudentCalendar = defineQuery(
  'ShowStudentCalendar',
  { tokens: LinkTokens, config: Config },
  async ({ context, read }, { tokens, config }): Promise<StudentCalendar> => {
    const [row] = await read(ofStudent({ studentId: context.studentId! }));
    if (!row) return { feed: null };
    const { feed_id: id, desde } = row;
    const url = urlOf(config, tokens.tokenOf('student-calendar', id));
    return { feed: { id, url, desde: desde.toISOString() } };
  },
);

const ofStudent = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db.selectFrom('student_calendars').select(['feed_id', 'desde']).where('id', '=', studentId).compile(),
);
