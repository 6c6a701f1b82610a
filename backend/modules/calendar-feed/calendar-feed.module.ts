import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { PublicCalendarController, SessionFileController } from './calendar-feed.controller.js';
import { Calendars, ReadSessionEntry } from './calendar-feed.queries.js';
import { ReadSeriesEntries } from './series-file.queries.js';
import { sqlProjection } from '../../platform/projections/projection.js';
import type { SessionEvent } from '../sessions/session.js';

/** For each type of event, whether it sets the session's time. The compiler requires an entry for every new type. */
const givesTime = {
  SessionBooked: true,
  SessionRescheduled: true,
  SessionReopened: true,
  SessionRestored: true,
  SessionGrouped: false,
  SessionChanged: false,
  SessionCompleted: false,
  SessionCancelled: false,
  SessionDeleted: false,
  SessionReassigned: false,
} satisfies Record<SessionEvent['type'], boolean>;

const GIVING_TIME = Object.entries(givesTime).flatMap(([type, gives]) => (gives ? [`'${type}'`] : []));

/** `revisao` is the number of the session's changes, which iCalendar calls SEQUENCE. */
const REVISIONS = `, changed as (
  select tenant_id, (data ->> 'session_id')::uuid as id, max(version) - 1 as revisao,
    (array_agg(recorded_at order by version desc))[1] as alterada_em,
    (array_agg(recorded_at order by version desc) filter (where type in (${GIVING_TIME.join(', ')})))[1] as marcada_em
  from batch group by tenant_id, data ->> 'session_id'
)
merge into session_revisions r using changed c on r.tenant_id = c.tenant_id and r.id = c.id
when matched then update set revisao = c.revisao, alterada_em = c.alterada_em,
  marcada_em = coalesce(c.marcada_em, r.marcada_em)
when not matched then insert (tenant_id, id, revisao, alterada_em, marcada_em)
  values (c.tenant_id, c.id, c.revisao, c.alterada_em, coalesce(c.marcada_em, c.alterada_em))`;

/** Number and time of each session's changes, from the stream's version, so that a rebuild gives the same. */
const sessionRevisions = sqlProjection({
  name: 'session-revisions',
  topic: 'sessions',
  tables: ['session_revisions'],
  events: {
    SessionBooked: [1, 2],
    SessionGrouped: [1],
    SessionRescheduled: [1],
    SessionChanged: [1],
    SessionCompleted: [1],
    SessionReopened: [1],
    SessionCancelled: [1],
    SessionDeleted: [1],
    SessionRestored: [1],
    SessionReassigned: [1],
  } satisfies Record<SessionEvent['type'], number[]>,
  statements: [REVISIONS],
});

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
