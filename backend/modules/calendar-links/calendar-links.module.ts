import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import type { HistoryWords } from '../../platform/event-store/history.js';
import {
  calendarFeed,
  type CalendarFeedEvent,
  type CalendarFeedState,
  decideRenew,
  decideRestore,
  decideRevoke,
  decideSet,
} from './calendar-feed.js';
import {
  calendarFeedApi,
  studentCalendarApi,
  calendarLinkErrors,
  type FormerFeed,
  type FeedSettings,
  type CalendarFeed,
  type StudentCalendar,
} from './calendar-links.api.js';
import {
  type StudentCalendarEvent,
  studentCalendar,
  decideOpenOwn,
  decideRenewOwn,
  decideRestoreOwn,
  decideRevokeOwn,
} from './student-calendar.js';
import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import { stateProjection } from '../../platform/projections/projection.js';
import type { Aggregate, DomainEvent } from '../../platform/event-store/aggregate.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import type { Addresses, Address } from './addresses.js';
import { randomUUID } from 'node:crypto';
import { Config } from '../../platform/config/env.js';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';

/** Answers the current address, and the one before if that was another. */
async function change<State extends Addresses, Event extends DomainEvent>(
  tx: CommandTransaction,
  stream: Aggregate<State, Event>,
  id: string,
  decide: (state: State) => Event[],
) {
  const before = await tx.load(stream, id);
  tx.append(stream, id, decide(before));
  const { current } = await tx.load(stream, id);
  const was = before.current?.feed_id ?? null;
  return { id: current?.feed_id ?? id, anterior: was === current?.feed_id ? null : was };
}

const changeFeed = (tx: CommandTransaction, decide: (state: CalendarFeedState) => CalendarFeedEvent[]) =>
  change(tx, calendarFeed, tx.context.tenantId, decide);

function changeOwn(
  tx: CommandTransaction,
  decide: (state: Addresses, studentId: string) => StudentCalendarEvent[],
) {
  const id = tx.context.studentId!;
  return change(tx, studentCalendar, id, (state) => decide(state, id));
}

/** A fresh address for a trainer's or a student's calendar. */
function newAddress(tokens: LinkTokens, purpose: 'calendar-feed' | 'student-calendar'): Address {
  const feed_id = randomUUID();
  return { feed_id, token_hash: tokens.storedHashOf(purpose, feed_id) };
}

const SetCalendarFeed = defineCommand(
  'SetCalendarFeed',
  { tokens: LinkTokens },
  (tx, { tokens }, settings: FeedSettings) =>
    changeFeed(tx, (state) => decideSet(state, newAddress(tokens, 'calendar-feed'), settings)),
);

const RenewCalendarFeed = defineCommand('RenewCalendarFeed', { tokens: LinkTokens }, (tx, { tokens }) =>
  changeFeed(tx, (state) => decideRenew(state, newAddress(tokens, 'calendar-feed'))),
);

const RevokeCalendarFeed = defineCommand('RevokeCalendarFeed', (tx) => changeFeed(tx, decideRevoke));

const RestoreCalendarFeed = defineCommand('RestoreCalendarFeed', (tx, former: FormerFeed) =>
  changeFeed(tx, (state) => decideRestore(state, former)),
);

const OpenStudentCalendar = defineCommand('OpenStudentCalendar', { tokens: LinkTokens }, (tx, { tokens }) =>
  changeOwn(tx, (state, studentId) =>
    decideOpenOwn(state, studentId, newAddress(tokens, 'student-calendar')),
  ),
);

const RenewStudentCalendar = defineCommand('RenewStudentCalendar', { tokens: LinkTokens }, (tx, { tokens }) =>
  changeOwn(tx, (state, studentId) =>
    decideRenewOwn(state, studentId, newAddress(tokens, 'student-calendar')),
  ),
);

const RevokeStudentCalendar = defineCommand('RevokeStudentCalendar', (tx) => changeOwn(tx, decideRevokeOwn));

const RestoreStudentCalendar = defineCommand('RestoreStudentCalendar', (tx, former: FormerFeed) =>
  changeOwn(tx, (state, studentId) => decideRestoreOwn(state, studentId, former)),
);

interface FeedRow {
  feed_id: string;
  com_nomes: boolean;
  desde: Date;
}

const ShowCalendarFeed = defineQuery(
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
const ShowStudentCalendar = defineQuery(
  'ShowStudentCalendar',
  { tokens: LinkTokens, config: Config },
  async ({ context, read }, { tokens, config }): Promise<StudentCalendar> => {
    const [row] = await read(feedOfStudent({ studentId: context.studentId! }));
    if (!row) return { feed: null };
    const { feed_id: id, desde } = row;
    const url = urlOf(config, tokens.tokenOf('student-calendar', id));
    return { feed: { id, url, desde: desde.toISOString() } };
  },
);

const feedOfStudent = statement((db, { studentId }: Blanks<{ studentId: string }>) =>
  db.selectFrom('student_calendars').select(['feed_id', 'desde']).where('id', '=', studentId).compile(),
);

/** The trainer's current address, under the tenant's id. */
const calendarFeeds = stateProjection(calendarFeed, {
  name: 'calendar-feed',
  topic: 'calendar',
  table: 'calendar_feed',
  evolve(row: FeedRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'CalendarFeedOpened':
      case 'CalendarFeedRestored':
        return { feed_id: data.feed_id, com_nomes: data.com_nomes, desde: event.recordedAt };
      case 'CalendarFeedChanged':
        return row ? { ...row, com_nomes: data.com_nomes } : null;
      case 'CalendarFeedRevoked':
        return null;
    }
  },
});

/** Students' current addresses, under the students' ids. */
const studentCalendars = stateProjection(studentCalendar, {
  name: 'student-calendar',
  topic: 'student-calendar',
  table: 'student_calendars',
  students: ({ student_id }) => [student_id as string],
  evolve(_row: Omit<FeedRow, 'com_nomes'> | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'StudentCalendarOpened':
      case 'StudentCalendarRestored':
        return { feed_id: data.feed_id, desde: event.recordedAt };
      case 'StudentCalendarRevoked':
        return null;
    }
  },
});

type OpenedFeed = Extract<CalendarFeedEvent, { type: 'CalendarFeedOpened' | 'CalendarFeedRestored' }>['data'];
const putFeed = ({ feed_id, token_hash, com_nomes }: OpenedFeed): Write[] => [
  [
    `insert into calendar_feed_tokens (tenant_id, feed_id, token_hash, com_nomes)
      values ($1, $2, decode($3, 'hex'), $4) on conflict (tenant_id) do update
      set feed_id = excluded.feed_id, token_hash = excluded.token_hash, com_nomes = excluded.com_nomes`,
    feed_id,
    token_hash,
    com_nomes,
  ],
];

/** The trainer's current address, by the hash of its token. */
const calendarFeedTokens = defineGuard<CalendarFeedEvent>({
  name: 'calendar-feed-tokens',
  tables: ['calendar_feed_tokens'],
  writes: {
    CalendarFeedOpened: putFeed,
    CalendarFeedRestored: putFeed,
    CalendarFeedChanged: ({ com_nomes }) => [
      ['update calendar_feed_tokens set com_nomes = $2 where tenant_id = $1', com_nomes],
    ],
    CalendarFeedRevoked: () => [['delete from calendar_feed_tokens where tenant_id = $1']],
  },
});

type OpenedStudentFeed = Extract<
  StudentCalendarEvent,
  { type: 'StudentCalendarOpened' | 'StudentCalendarRestored' }
>['data'];
const putStudentFeed = ({ student_id, feed_id, token_hash }: OpenedStudentFeed): Write[] => [
  [
    `insert into student_calendar_tokens (tenant_id, student_id, feed_id, token_hash)
      values ($1, $2, $3, decode($4, 'hex')) on conflict (tenant_id, student_id) do update
      set feed_id = excluded.feed_id, token_hash = excluded.token_hash`,
    student_id,
    feed_id,
    token_hash,
  ],
];

/** Students' current addresses, by the hash of their tokens. */
const studentCalendarTokens = defineGuard<StudentCalendarEvent>({
  name: 'student-calendar-tokens',
  tables: ['student_calendar_tokens'],
  writes: {
    StudentCalendarOpened: putStudentFeed,
    StudentCalendarRestored: putStudentFeed,
    StudentCalendarRevoked: ({ student_id }) => [
      ['delete from student_calendar_tokens where tenant_id = $1 and student_id = $2', student_id],
    ],
  },
});

const subjects = (_data: never, tenantId: string) => [`calendar:${tenantId}`];
const names = ({ com_nomes }: { com_nomes: boolean }) => (com_nomes ? 'com nomes' : 'sem nomes');

const ofStudent = ({ student_id }: { student_id: string }) => [`student:${student_id}`];
const said = (words: string) => ({ subjects: ofStudent, words: () => words });

const calendarLinksHistory: HistoryWords<CalendarFeedEvent | StudentCalendarEvent> = {
  CalendarFeedOpened: {
    subjects,
    words: (data) => `Gerou um link do calendário, ${names(data)}`,
  },
  CalendarFeedChanged: {
    subjects,
    words: (data) => `Mudou o link do calendário: ${names(data)}`,
  },
  CalendarFeedRevoked: { subjects, words: () => 'Desativou o link do calendário' },
  CalendarFeedRestored: { subjects, words: () => 'Voltou ao link anterior do calendário' },
  StudentCalendarOpened: said('Gerou um link do calendário das aulas'),
  StudentCalendarRevoked: said('Desativou o link do calendário das aulas'),
  StudentCalendarRestored: said('Voltou ao link anterior do calendário das aulas'),
};

/** The secret addresses of the trainer's calendar and of each student's. */
@Module(
  together(
    serve(calendarFeedApi, {
      set: SetCalendarFeed,
      renew: RenewCalendarFeed,
      show: ShowCalendarFeed,
      restore: RestoreCalendarFeed,
      revoke: RevokeCalendarFeed,
    }),
    serve(studentCalendarApi, {
      open: OpenStudentCalendar,
      renew: RenewStudentCalendar,
      show: ShowStudentCalendar,
      restore: RestoreStudentCalendar,
      revoke: RevokeStudentCalendar,
    }),
  ),
)
export class CalendarLinksModule {
  static readonly feature: Feature = {
    aggregates: [calendarFeed, studentCalendar],
    guards: [calendarFeedTokens, studentCalendarTokens],
    projections: [calendarFeeds, studentCalendars],
    history: calendarLinksHistory,
    ownData: {
      trainer: { 'link-do-calendario': `select com_nomes, desde from calendar_feed` },
      student: { 'link-do-calendario': `select desde from student_calendars where id = $1` },
    },
    errors: calendarLinkErrors,
  };
}
