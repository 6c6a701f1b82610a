import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type RawBuilder, sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { RequestContext } from '../../platform/event-store/context.js';
import type { DateException, WeekRow } from '../availability/availability.api.js';
import { bookableStarts, type Limits, periodOf, shownSpan } from './public.slots.js';

/** When the trainer in sight works, and what takes time. */
export interface Timetable {
  rules: WeekRow[];
  exceptions: DateException[];
  vacations: { start_date: string; end_date: string }[];
  busy: [from: number, to: number][];
}

interface Looked {
  from: Date;
  to: Date;
  now: Date;
}

/** The columns of a `Timetable`. What sessions take is read where commands write it: it is never late. `except`: a session that is in nobody's way. */
export const timetable = ({ from, to, now, except }: Blanks<Looked> & { except: RawBuilder<unknown> }) => sql`
    coalesce((select horarios from availability), '[]') as rules,
    coalesce((select excecoes from availability), '[]') as exceptions,
    coalesce((select json_agg(json_build_object('start_date', start_date, 'end_date', end_date))
      from vacations where status = 'active'), '[]') as vacations,
    coalesce((select json_agg(json_build_array((extract(epoch from inicio) * 1000)::bigint,
      (extract(epoch from fim) * 1000)::bigint)) from (
        select inicio, fim from session_slot_members
        where inicio > ${from}::timestamptz and inicio < ${to}::timestamptz
          and session_id is distinct from ${except}::uuid
        union all
        select inicio, fim from other_calendar_busy
        where fim > ${from}::timestamptz and inicio < ${to}::timestamptz
        union all
        select inicio, fim from waitlist_offers where ate > ${now}::timestamptz
      ) as taken), '[]') as busy`;

/** When a session may begin, by these limits; `except`: one that is to be moved. */
export class ListFreeStarts extends Query<{ inicio: string; fim: string }[]> {
  constructor(
    readonly context: RequestContext,
    readonly limits: Limits,
    readonly except: string | null,
  ) {
    super();
  }
}

const DAY_MS = 86_400_000;

@QueryHandler(ListFreeStarts)
export class ListFreeStartsHandler implements IQueryHandler<ListFreeStarts> {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
  ) {}

  async execute({ context, limits, except }: ListFreeStarts) {
    const { tenantId, timezone } = context;
    const at = this.clock.now();
    const now = at.getTime();
    const { from, to } = shownSpan(limits, now, timezone);
    const looked = { from: new Date(from - DAY_MS), to: new Date(to + DAY_MS), now: at };
    const [row] = await this.database.read(tenantId, free({ ...looked, except }));
    const { busy, ...rules } = row!;
    const asked = {
      ...{ settings: limits, rules: { ...rules, zone: timezone }, now },
      busy: busy.map(([start, end]) => ({ from: start, to: end })),
    };
    return bookableStarts(asked).map((start) => periodOf(start, limits));
  }
}

const free = statement((db, { except, ...looked }: Blanks<Looked & { except: string | null }>) =>
  sql<Timetable>`select ${timetable({ ...looked, except })}`.compile(db),
);
