import { type RawBuilder, sql } from 'kysely';
import { defineQuery } from '../../platform/database/define-query.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import type { Span } from '../../platform/local-time.js';
import { blocksIn, type Busy, freeTimes, type OpenRules } from '../availability/free-times.js';
import { type MinutesTo, seenFrom } from '../availability/ways.js';
import type { BlockKind, FreeTimesAnswer, FreeTimesQuery } from './free-times.api.js';

const STEP_MINUTES = 30;
const LONGEST_SESSION_MS = 6 * 60 * 60_000;
const LONGEST_WAY_MS = 4 * 60 * 60_000;

export const ListFreeTimes = defineQuery(
  'ListFreeTimes',
  async ({ context, now, read }, asked: FreeTimesQuery): Promise<FreeTimesAnswer> => {
    const span = { from: Date.parse(asked.from), to: Date.parse(asked.to) };
    const look = { ...lookOf(span), place: asked.location_id ?? null };
    const [row] = await read(timetable(look));
    const { busy, elsewhere, ways, ...rest } = row!;
    const rules = { ...rest, zone: context.timezone };
    const taken = [...busy, ...elsewhere].map(([from, to, place]) => ({ from, to, place }));
    const seen = seenFrom(taken, ways ?? undefined);
    const { stretches, starts } = freeTimes({
      ...rules,
      busy: seen,
      now: now.getTime(),
      ...span,
      minutes: asked.minutos,
      step: STEP_MINUTES,
      buffer: 0,
      notice: 0,
    });
    const { vacations, blocked, closed } = blocksIn(span, rules);
    const blocks = (tipo: BlockKind, spans: readonly Span[]) =>
      spans.map((part) => ({ ...period(part), tipo, descricao: null }));
    return {
      livres: stretches.map(period),
      inicios: starts.map((at) => new Date(at).toISOString()),
      bloqueios: [
        ...vacations.map((part) => ({
          ...period(part),
          tipo: 'ferias' as const,
          descricao: part.vacation.description,
        })),
        ...blocks('bloqueado', blocked),
        ...blocks(
          'outro_calendario',
          elsewhere.map(([from, to]) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) })),
        ),
        ...blocks('deslocamento', waysIn(span, seen)),
        ...blocks('fechado', closed),
      ],
    };
  },
);

const MINUTE = 60_000;

/** Travel times before and after busy times at other locations, within the span. */
function waysIn(span: Span, busy: readonly Busy[]): Span[] {
  return busy
    .flatMap(({ from, to, away = 0 }) => [
      { from: from - away * MINUTE, to: from },
      { from: to, to: to + away * MINUTE },
    ])
    .map(({ from, to }) => ({ from: Math.max(from, span.from), to: Math.min(to, span.to) }))
    .filter(({ from, to }) => from < to);
}

const period = ({ from, to }: Span) => ({
  inicio: new Date(from).toISOString(),
  fim: new Date(to).toISOString(),
});

interface Timetable extends Omit<OpenRules, 'zone' | 'vacations'> {
  vacations: { start_date: string; end_date: string; description: string | null }[];
  /** Starts and ends of sessions in milliseconds, and their locations. */
  busy: [from: number, to: number, place: string | null][];
  /** Events of another calendar. */
  elsewhere: [from: number, to: number, place: null][];
  /** Travel times from the requested location. */
  ways: MinutesTo | null;
}

const lookOf = ({ from, to }: Span) => ({
  from: new Date(from),
  to: new Date(to),
  // The earliest start of a session that, with its travel time, may overlap `from`, so that the index on starts can be used.
  earliest: new Date(from - LONGEST_SESSION_MS - LONGEST_WAY_MS),
  latest: new Date(to + LONGEST_WAY_MS),
});

const spans = (
  of: RawBuilder<unknown>,
  place: RawBuilder<unknown>,
) => sql`coalesce((select json_agg(json_build_array(
  (extract(epoch from inicio) * 1000)::bigint, (extract(epoch from fim) * 1000)::bigint, ${place}) order by inicio) from ${of}), '[]')`;

/** Working hours and busy times between two instants. */
type Look = ReturnType<typeof lookOf> & { place: string | null };
const timetable = statement((db, { from, to, earliest, latest, place }: Blanks<Look>) =>
  sql<Timetable>`select
    coalesce((select horarios from availability), '[]') as rules,
    coalesce((select excecoes from availability), '[]') as exceptions,
    coalesce((select json_agg(json_build_object('start_date', start_date, 'end_date', end_date,
      'description', description) order by start_date) from vacations where status = 'active'), '[]') as vacations,
    ${spans(
      sql`sessions where not deleted and status <> 'cancelada' and inicio < ${latest}::timestamptz
      and inicio > ${earliest}::timestamptz`,
      sql`location_id`,
    )} as busy,
    ${spans(
      sql`other_calendar_busy where inicio < ${to}::timestamptz and fim > ${from}::timestamptz`,
      sql`null::uuid`,
    )} as elsewhere,
    (select deslocamentos from locations where id = ${place}::uuid) as ways`.compile(db),
);
