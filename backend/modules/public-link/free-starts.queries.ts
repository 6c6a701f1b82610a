import { type RawBuilder, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { DateException, WeekRow } from '../availability/availability.api.js';
import { type MinutesTo, seenFrom } from '../availability/ways.js';
import { bookableStarts, type Limits, periodOf, shownSpan } from './public.slots.js';

/** The working hours of the current tenant's trainer, and what takes up time. */
export interface Timetable {
  rules: WeekRow[];
  exceptions: DateException[];
  vacations: { start_date: string; end_date: string }[];
  /** The last value is the location, as it was last projected. */
  busy: [from: number, to: number, place: string | null][];
  /** Travel times between locations, by location. */
  ways: Record<string, MinutesTo>;
}

interface Looked {
  from: Date;
  to: Date;
  now: Date;
}

/**
 * The columns of a `Timetable`. Busy times are read from the guard's table, so they are never behind. `except`: a session to be
 * ignored.
 */
export const timetable = ({ from, to, now, except }: Blanks<Looked> & { except: RawBuilder<unknown> }) => sql`
    coalesce((select horarios from availability), '[]') as rules,
    coalesce((select excecoes from availability), '[]') as exceptions,
    coalesce((select json_agg(json_build_object('start_date', start_date, 'end_date', end_date))
      from vacations where status = 'active'), '[]') as vacations,
    coalesce((select json_agg(json_build_array((extract(epoch from inicio) * 1000)::bigint,
      (extract(epoch from fim) * 1000)::bigint, location_id)) from (
        select inicio, fim, case when (select exists (select from locations where deslocamentos <> '{}'))
          then (select s.location_id from sessions s where s.tenant_id = m.tenant_id and s.id = m.session_id) end as location_id
        from session_slot_members m
        where inicio > ${from}::timestamptz and inicio < ${to}::timestamptz
          and session_id is distinct from ${except}::uuid
        union all
        select inicio, fim, null from other_calendar_busy
        where fim > ${from}::timestamptz and inicio < ${to}::timestamptz
        union all
        select o.inicio, o.fim, w.location_id from waitlist_offers o
        left join waitlist w on w.tenant_id = o.tenant_id and w.id = o.wait_id where o.ate > ${now}::timestamptz
      ) as taken), '[]') as busy,
    coalesce((select json_object_agg(id, deslocamentos) from locations where deslocamentos <> '{}'), '{}') as ways`;

export const takenIn = ({ busy }: Pick<Timetable, 'busy'>) =>
  busy.map(([from, to, place]) => ({ from, to, place }));

/** `locais`: the locations at which it is free; null: at each that was asked for. */
interface FreeStart {
  inicio: string;
  fim: string;
  locais: string[] | null;
}

const DAY_MS = 86_400_000;

/** Free starts at these locations, or without a location, within these limits; `except`: the session that is to be moved. */
export const ListFreeStarts = defineQuery(
  'ListFreeStarts',
  async (
    { context, now, read },
    limits: Limits,
    except: string | null,
    places: readonly string[],
  ): Promise<FreeStart[]> => {
    const { timezone } = context;
    const { from, to } = shownSpan(limits, now.getTime(), timezone);
    const looked = { from: new Date(from - DAY_MS), to: new Date(to + DAY_MS), now };
    const [row] = await read(free({ ...looked, except }));
    const { ways, ...rules } = row!;
    const taken = takenIn(rules);
    const startsAt = (minutes: MinutesTo | undefined) =>
      bookableStarts({
        settings: limits,
        rules: { ...rules, zone: timezone },
        now: now.getTime(),
        busy: seenFrom(taken, minutes),
      });
    const anywhere = startsAt(undefined);
    const far = new Map(
      places.flatMap((place) => (ways[place] ? [[place, new Set(startsAt(ways[place]))] as const] : [])),
    );
    return anywhere.flatMap((start) => {
      const there = places.filter((place) => far.get(place)?.has(start) ?? true);
      if (places.length > 0 && there.length === 0) return [];
      return [{ ...periodOf(start, limits), locais: there.length === places.length ? null : there }];
    });
  },
);

const free = statement((db, { except, ...looked }: Blanks<Looked & { except: string | null }>) =>
  sql<Timetable>`select ${timetable({ ...looked, except })}`.compile(db),
);
