import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { derivedId } from '../../platform/derived-id.js';
import { Problem } from '../../platform/http/problem.js';
import { inTurns } from '../../platform/turns.js';
import { loadSession } from '../agenda/agenda.commands.js';
import { sessionsById } from '../agenda/sessions-bulk.commands.js';
import { groupedIn } from '../agenda/session.loads.js';
import { loadBusy, loadOtherBusy, loadRules } from '../agenda/session-times.loads.js';
import type { Obstacle } from '../agenda/obstacles.api.js';
import { type Busy, isTaken, type Known, obstaclesAt, TIMES_AT_ONCE } from '../agenda/obstacles.queries.js';
import { decideBook, type KnownSession, occupies, session } from '../sessions/session.js';
import { holidays } from '../holidays/holiday-calendar.js';
import { daysAfter, type Pattern, termsOn, weekEnd } from './pattern.js';
import { localOf, timesOn, retold } from './series.times.js';
import { type SeriesScope, WEEKS_AHEAD } from './series.api.js';
import {
  existingSeries,
  type KnownSeries,
  type Occurrence,
  series,
  type SeriesState,
  type Skipped,
} from './series.js';

/** What commands on series load before they decide, and their common steps. */

/** Possible obstacles between two instants. `busy` names the sessions. */
export async function loadKnown(
  tx: CommandTransaction,
  from: number,
  to: number,
): Promise<Omit<Known, 'busy'> & { busy: (Busy & { session_id?: string })[] }> {
  const [rules, holidayState, times] = await Promise.all([
    loadRules(tx),
    tx.load(holidays, tx.context.tenantId),
    loadBusy(tx, from, to),
  ]);
  const elsewhere = await loadOtherBusy(tx, rules, from, to);
  const busy = [
    ...times.map(([session_id, start, end]) => ({ session_id, from: start, to: end })),
    ...elsewhere.map((span) => ({ ...span, elsewhere: true })),
  ];
  return { rules, holidays: holidayState, busy };
}

/** The series in the trainer's current time zone, even if it was started or changed in another one. */
export async function loadSeries(tx: CommandTransaction, id: string): Promise<SeriesState> {
  const state = await tx.load(series, id);
  const { timezone } = tx.context;
  if (!state || state.removida || state.timezone === timezone) return state;
  const trechos = retold(state, timezone, tx.now);
  const data = { series_id: id, student_id: state.student_id, timezone, trechos };
  tx.append(series, id, [{ type: 'SeriesZoneChanged', data }]);
  return tx.load(series, id);
}

/** The last date up to which a series has sessions booked: its last one, or the end of the twelfth week from now. */
export function horizonOf({ inicio, ate }: Pattern, now: Date, zone: string): string {
  const today = localOf(now, zone).data;
  const ahead = weekEnd(daysAfter(today < inicio ? inicio : today, WEEKS_AHEAD * 7));
  return ate !== null && ate < ahead ? ate : ahead;
}

/** The group id of the hour that the series with a `turma_id` share on a date. */
export const hourId = (turma_id: string, data: string): string => derivedId(`${turma_id}/${data}`);

/**
 * Books the dates of a series, except those that `decide` leaves out, for an obstacle or a pause. The sessions `leaving`, and those that share the hour,
 * are no obstacles.
 */
export async function bookDates(
  tx: CommandTransaction,
  { series_id, student_id, trechos, turma_id }: Booked,
  dates: readonly string[],
  decide: (data: string, obstacles: readonly Obstacle[]) => 'book' | 'skip' | 'pausa',
  leaving: readonly string[] = [],
): Promise<{ sessoes: Occurrence[]; puladas: Skipped[] }> {
  const zone = tx.context.timezone;
  const times = dates.map((data) => ({ data, ...timesOn(data, termsOn(trechos, data), zone) }));
  const [first, last] = [times.at(0), times.at(-1)];
  if (!first || !last) return { sessoes: [], puladas: [] };
  const all = await loadKnown(tx, Date.parse(first.inicio), Date.parse(last.fim));
  const isLeaving = (id: string | undefined) => id !== undefined && leaving.includes(id);
  const staying = all.busy.filter(({ session_id }) => !isLeaving(session_id));
  const groups = new Map(dates.map((data) => [data, turma_id === null ? null : hourId(turma_id, data)]));
  const grouped = await groupedIn(tx, [...groups.values()]);
  const sessoes: Occurrence[] = [];
  const puladas: Skipped[] = [];
  const looked = await inTurns(times, TIMES_AT_ONCE, (time) => {
    const grupo_id = groups.get(time.data)!;
    const others = staying.filter(({ session_id = '' }) => !grupo_id || grouped.get(session_id) !== grupo_id);
    return { ...time, grupo_id, obstacles: obstaclesAt(time, { ...all, busy: others }) };
  });
  for (const { data, inicio, fim, grupo_id, obstacles } of looked) {
    const decided = decide(data, obstacles);
    if (decided !== 'book') {
      puladas.push({ data, motivo: decided === 'pausa' ? 'pausa' : (obstacles[0]?.tipo ?? null) });
      continue;
    }
    const session_id = randomUUID();
    const { location_id, observacoes, servico } = termsOn(trechos, data);
    const place = { inicio, fim, location_id, timezone: zone };
    const about = { session_id, student_id, ...place, observacoes, servico };
    const belonging = { serie_id: series_id, ocorrencia: data, grupo_id };
    const booked = decideBook({ ...about, ...belonging, permitir_conflito: isTaken(obstacles) });
    tx.append(session, session_id, booked);
    sessoes.push({ data, session_id });
  }
  return { sessoes, puladas };
}

type Booked = Pick<KnownSeries, 'series_id' | 'student_id' | 'trechos' | 'turma_id'>;

const comingOf = defineLookUp<{ session_id: string }, [after: Date, ids: readonly string[]]>(
  `select session_id from session_slot_members
  where tenant_id = $1 and inicio > $2 and session_id = any($3::uuid[]) order by inicio, session_id`,
);

/** A session that changes together with others of its series. */
export interface Scope {
  state: KnownSeries;
  chosen: KnownSession & { ocorrencia: string };
  /** The sessions that change, by start: scheduled future ones of the student, including the chosen one. */
  sessions: (KnownSession & { ocorrencia: string })[];
  /** The first date of the pattern that changes. */
  desde: string;
}

export async function loadScope(
  tx: CommandTransaction,
  sessionId: string,
  escopo: SeriesScope,
): Promise<Scope> {
  const chosen = await loadSession(tx, sessionId);
  if (chosen.serie_id === null) throw new Problem('series.not_found');
  const scope = await scopeOf(tx, chosen, escopo);
  if (!scope)
    throw new Problem('series.settled', {
      detail: 'Sessões que já passaram, foram feitas, canceladas ou são de outro aluno mudam uma a uma.',
    });
  return scope;
}

/** The scopes of all series that share the chosen session's hour, its own first. */
export async function loadScopes(
  tx: CommandTransaction,
  sessionId: string,
  escopo: SeriesScope,
): Promise<[Scope, ...Scope[]]> {
  const own = await loadScope(tx, sessionId, escopo);
  const mates = (await matesOf(tx, [own.chosen])).filter((mate) => sharesHour(mate, own.chosen));
  const scopes = await Promise.all(mates.map((mate) => scopeOf(tx, mate, escopo)));
  return [own, ...scopes.filter((one) => one !== null)];
}

/**
 * Who else comes to the hours of a scope: the other series, each from its first shared hour on, and the scheduled sessions that
 * belong to none of them.
 */
export async function loadOthers(
  tx: CommandTransaction,
  { sessions }: Scope,
  escopo: SeriesScope,
): Promise<{ others: Scope[]; singles: KnownSession[] }> {
  const mates = (await matesOf(tx, sessions)).filter(
    (mate) => mate.status === 'agendada' && sessions.some((one) => sharesHour(one, mate)),
  );
  const firsts = new Map<string | null, KnownSession>();
  for (const mate of mates.toSorted((one, other) => (one.inicio < other.inicio ? -1 : 1)))
    if (!firsts.has(mate.serie_id)) firsts.set(mate.serie_id, mate);
  const scopes = await Promise.all([...firsts.values()].map((first) => scopeOf(tx, first, escopo)));
  const others = scopes.filter((one) => one !== null);
  const named = new Set(others.flatMap((one) => one.sessions.map(({ session_id }) => session_id)));
  return { others, singles: mates.filter(({ session_id }) => !named.has(session_id)) };
}

/** Null if the chosen session cannot change together with its series. */
async function scopeOf(
  tx: CommandTransaction,
  chosen: KnownSession,
  escopo: SeriesScope,
): Promise<Scope | null> {
  if (chosen.serie_id === null || chosen.ocorrencia === null) return null;
  const state = existingSeries(await loadSeries(tx, chosen.serie_id));
  const { ocorrencia } = chosen;
  const isMeant = ({ status, inicio, student_id }: KnownSession) =>
    status === 'agendada' && student_id === state.student_id && Date.parse(inicio) > tx.now.getTime();
  if (!isMeant(chosen)) return null;
  const ids = state.sessoes
    .filter(({ data }) => escopo === 'todas' || data >= ocorrencia)
    .map(({ session_id }) => session_id);
  const coming = await tx.lookUp(comingOf, tx.now, ids);
  const loaded = await Promise.all(coming.map(({ session_id }) => loadSession(tx, session_id)));
  const sessions = loaded.filter(isMeant) as Scope['sessions'];
  const desde = sessions.reduce(
    (first, one) => (one.ocorrencia < first ? one.ocorrencia : first),
    ocorrencia,
  );
  return { state, chosen: chosen as Scope['chosen'], sessions, desde };
}

/** The other sessions of these sessions' groups that occupy their time. */
export async function matesOf(
  tx: CommandTransaction,
  sessions: readonly KnownSession[],
): Promise<KnownSession[]> {
  const own = new Set(sessions.map(({ session_id }) => session_id));
  const grouped = await groupedIn(
    tx,
    sessions.map(({ grupo_id }) => grupo_id),
  );
  const ids = [...grouped.keys()].filter((id) => !own.has(id));
  return (await sessionsById(tx, ids)).filter((one): one is KnownSession => occupies(one));
}

/** Whether two sessions belong to the same shared hour. */
export const sharesHour = (one: KnownSession, other: KnownSession): boolean =>
  one.grupo_id !== null &&
  one.grupo_id === other.grupo_id &&
  one.inicio === other.inicio &&
  one.fim === other.fim;
