import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { PublicCalendarController, SessionFileController } from './calendar-feed.controller.js';
import { sessionRevisions } from './calendar-feed.projection.js';
import { Calendars, ReadSessionEntry } from './calendar-feed.queries.js';
import { ReadSeriesEntries } from './series-file.queries.js';

/**
 * The agenda as a calendar feed is `GET /calendario/{token}.ics` (`calendar-feed`): sessions from 90 days ago to a year ahead,
 * read in one statement and written by `ical-generator`. UIDs are session ids; SEQUENCE is the version of the session's stream,
 * which a separate projection stores, so that a rebuild gives the same value. Times are instants in UTC. The ETag follows from
 * the rows: a client that has them gets 304 before the file is generated. Tokens follow from an id and the master key
 * (`link-tokens.ts`); only their hash is stored. A student with an account has a feed of the own sessions (`student-calendar`),
 * which ends with the account's access.
 */
@Module({
  controllers: [SessionFileController, PublicCalendarController],
  providers: [Calendars, ReadSessionEntry.Handler, ReadSeriesEntries.Handler],
})
export class CalendarFeedModule {
  static readonly feature: Feature = { projections: [sessionRevisions] };
}
