import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { shortDate } from '../../platform/portuguese.js';
import { inTurns } from '../../platform/turns.js';
import { freshLink } from '../charges/charges.commands.js';
import { cancel, change, loadSession, remove, reschedule } from '../agenda/agenda.commands.js';
import type { KnownSession, Period, SessionDetails } from '../sessions/session.js';
import type { Obstacle } from '../agenda/obstacles.api.js';
import { isTaken, obstaclesAt, TIMES_AT_ONCE } from '../agenda/obstacles.queries.js';
import { existingLocation, location } from '../locations/location.js';
import { ordered, type Move } from './moves.js';
import { changedFrom, dayNumber, type Terms, termsOn } from './pattern.js';
import { localOf, timesOn, withRules } from './series.times.js';
import type { SeriesCancellation, SeriesChanges, SeriesDeletion, SeriesScope } from './series.api.js';
import {
  loadKnown,
  loadOthers,
  loadScope,
  loadScopes,
  matesOf,
  type Scope,
  sharesHour,
} from './series.loads.js';
import { type ChangedSession, endedBefore, series, type SeriesEvent } from './series.js';

const MOST_DAYS = 6;
const MINUTE = 60_000;

/**
 * Changes a session and future ones of its series, except details that were changed in one of them alone. Students who share the
 * hour have the same time and location: their series change too, and single sessions in the hour are moved with them.
 */
export const ChangeSeries = defineCommand(
  'ChangeSeries',
  async (tx, sessionId: string, { escopo, impedidas, inicio, fim, ...details }: SeriesChanges) => {
    const scopes = await loadScopes(tx, sessionId, escopo);
    const { chosen } = scopes[0];
    const zone = tx.context.timezone;
    const { location_id, ...notes } = details;
    if (location_id) existingLocation(await tx.load(location, location_id));
    const to = { inicio: inicio ?? chosen.inicio, fim: fim ?? chosen.fim };
    const moves = to.inicio !== chosen.inicio || to.fim !== chosen.fim;
    const shared = location_id === undefined ? {} : { location_id };
    const plans = scopes.map((scope, at) => {
      const own = at === 0 ? { ...shared, ...notes } : shared;
      const changed: Partial<Terms> = { ...own, ...(moves && timesOf(scope.chosen, to, zone)) };
      const stretches = changedFrom(scope.state.trechos, scope.desde, changed);
      const sessions = scope.sessions.map((one) => ({ one, wished: wishedOf(one, scope, own) }));
      return { scope, stretches, sessions };
    });
    const named = plans.flatMap(({ sessions }) => sessions);
    const mates = await matesOf(tx, sessionsOf(named));
    const singles = singlesOf(mates, named);

    const [own, ...others] = plans;
    const ownMoves = movesOf(own!.scope, own!.stretches, to, zone);
    const first = { sessions: own!.scope.sessions, moves: ownMoves };
    const seriesMoves = [
      ...ownMoves,
      ...others.flatMap(({ scope, stretches }) => movesOf(scope, stretches, to, zone, first)),
    ];
    const singleMoves = singles.flatMap(({ one, sharedWith }) => {
      const move = seriesMoves.find(({ session_id }) => session_id === sharedWith.session_id);
      return move ? [{ ...move, session_id: one.session_id }] : [];
    });
    const wanted = moves ? [...seriesMoves, ...singleMoves] : [];
    const fit = await fitting(tx, wanted, mates, impedidas);
    for (const { session_id, permitted, ...move } of ordered(fit))
      await reschedule(tx, await loadSession(tx, session_id), move, permitted);
    for (const { one, wished } of [...named, ...singles])
      await change(tx, await loadSession(tx, one.session_id), wished);

    const mudanca_id = randomUUID();
    const moved = new Set(fit.map(idOf));
    const stayed = new Set(wanted.map(idOf).filter((id) => !moved.has(id)));
    let answer = { sessoes: 0, puladas: 0 };
    for (const [at, { scope, stretches, sessions }] of plans.entries()) {
      const { series_id, student_id, ate } = scope.state;
      const own = sessionsOf(at === 0 ? [...sessions, ...singles] : sessions);
      const changes = await Promise.all(
        own.map(async (one) => differenceOf(one, await loadSession(tx, one.session_id))),
      );
      const sessoes = changes.filter((one) => one !== null);
      const mantidas = scope.sessions.filter(({ session_id }) => stayed.has(session_id)).length;
      const change = { series_id, student_id, mudanca_id, ate, escopo, desde: scope.desde };
      const trechos = withRules(scope.state, stretches, zone);
      tx.append(series, series_id, [
        { type: 'SeriesChanged', data: { ...change, trechos, sessoes, mantidas } },
      ]);
      if (at === 0) answer = { sessoes: sessoes.length, puladas: mantidas };
    }
    return { id: scopes[0].state.series_id, mudanca_id, ...answer };
  },
);

const idOf = ({ session_id }: { session_id: string }) => session_id;
const sessionsOf = (of: readonly { one: KnownSession }[]) => of.map(({ one }) => one);

interface Planned {
  one: KnownSession;
  wished: SessionDetails;
}

/** Sessions that share an hour without being of a changed series; their location changes too, if it was the same. */
function singlesOf(
  mates: readonly KnownSession[],
  named: readonly Planned[],
): (Planned & { sharedWith: KnownSession })[] {
  return mates.flatMap((mate) => {
    const sharing = named.find(({ one }) => sharesHour(one, mate));
    if (!sharing || mate.status !== 'agendada') return [];
    const { location_id } = sharing.wished;
    const isPlaced = location_id !== undefined && mate.location_id === sharing.one.location_id;
    return [{ one: mate, sharedWith: sharing.one, wished: isPlaced ? { location_id } : {} }];
  });
}

/** The terms that give the session these times. @throws Problem 422 for a day in another week */
function timesOf({ ocorrencia }: Scope['chosen'], { inicio, fim }: Period, zone: string) {
  const { data, hora } = localOf(inicio, zone);
  const deslocamento = dayNumber(data) - dayNumber(ocorrencia);
  if (Math.abs(deslocamento) > MOST_DAYS) {
    const detail = 'Um horário fixo muda de dia em até 6 dias. Mais longe, mude só esta sessão.';
    throw new Problem('series.too_far', { detail, errors: [{ pointer: '/inicio', detail }] });
  }
  return { deslocamento, hora, duracao: Math.round((Date.parse(fim) - Date.parse(inicio)) / MINUTE) };
}

/**
 * The new times of the chosen session, and of the sessions whose times follow from their terms. Sessions that share
 * an hour with one of the `first` series are moved, or stay, together with it.
 */
function movesOf(
  { state, chosen, sessions }: Scope,
  stretches: Parameters<typeof termsOn>[0],
  to: Period,
  zone: string,
  first: { sessions: readonly KnownSession[]; moves: readonly Move[] } = { sessions: [], moves: [] },
): Move[] {
  return sessions.flatMap((one) => {
    const { session_id, inicio, fim, ocorrencia, grupo_id, timezone } = one;
    const hour = grupo_id ?? session_id;
    if (session_id === chosen.session_id) return [{ session_id, hour, ...to, from: { inicio, fim } }];
    const sharing = first.sessions.find((other) => sharesHour(other, one));
    if (sharing) {
      const move = first.moves.find((other) => other.session_id === sharing.session_id);
      return move ? [{ ...move, session_id }] : [];
    }
    // A clock change may give it another time now than when it was booked or moved.
    const put = state.movidas[session_id] ?? timezone;
    const former = state.contados.filter((told) => told.timezone === put);
    const stands = [{ trechos: state.trechos, timezone: zone }, ...former].some((told) => {
      const time = timesOn(ocorrencia, termsOn(told.trechos, ocorrencia), told.timezone);
      return time.inicio === inicio && time.fim === fim;
    });
    if (!stands) return [];
    const next = timesOn(ocorrencia, termsOn(stretches, ocorrencia), zone);
    if (next.inicio === inicio && next.fim === fim) return [];
    return [{ session_id, hour, ...next, from: { inicio, fim } }];
  });
}

/** The details that a session gets; it keeps those that were changed in it alone. */
function wishedOf(
  one: Scope['sessions'][number],
  { state, chosen }: Scope,
  details: Pick<SessionDetails, 'location_id' | 'observacoes'>,
): SessionDetails {
  if (one.session_id === chosen.session_id) return details;
  const terms = termsOn(state.trechos, one.ocorrencia);
  return {
    ...('location_id' in details &&
      one.location_id === terms.location_id && { location_id: details.location_id }),
    ...('observacoes' in details &&
      one.observacoes === terms.observacoes && { observacoes: details.observacoes }),
  };
}

/** The possible moves; sessions with obstacles stay, if that was chosen. @throws Problem 409 if nothing was chosen for them */
async function fitting(
  tx: CommandTransaction,
  moves: readonly Move[],
  mates: readonly KnownSession[],
  impedidas: SeriesChanges['impedidas'],
): Promise<(Move & { permitted: boolean })[]> {
  if (moves.length === 0) return [];
  const times = moves.flatMap(({ inicio, fim, from }) =>
    [inicio, fim, from.inicio].map((at) => Date.parse(at)),
  );
  const known = await loadKnown(tx, Math.min(...times), Math.max(...times));
  const zone = tx.context.timezone;
  const mateHours = new Map(mates.map(({ session_id, grupo_id }) => [session_id, grupo_id]));
  let going = [...moves];
  const staying: { move: Move; obstacles: Obstacle[] }[] = [];
  // Repeat, because a session that stays may be an obstacle for another one.
  for (;;) {
    const ids = new Set(going.map(({ session_id }) => session_id));
    const others = known.busy.filter(({ session_id }) => session_id === undefined || !ids.has(session_id));
    const found = await inTurns(going, TIMES_AT_ONCE, (move) => {
      // Sessions of the same hour are no obstacles.
      const siblings = going.filter(({ hour }) => hour !== move.hour);
      const strangers = others.filter(({ session_id = '' }) => mateHours.get(session_id) !== move.hour);
      const busy = [...strangers, ...siblings.map(spanOf)];
      const isOtherDay = localOf(move.inicio, zone).data !== localOf(move.from.inicio, zone).data;
      const obstacles = obstaclesAt(move, { ...known, busy }).filter(
        ({ tipo }) => tipo !== 'feriado' || isOtherDay,
      );
      return { move, obstacles };
    });
    if (impedidas === 'mudar')
      return found.map(({ move, obstacles }) => ({ ...move, permitted: isTaken(obstacles) }));
    const stuck = found.filter(({ obstacles }) => obstacles.length > 0);
    if (stuck.length === 0) break;
    staying.push(...stuck);
    going = found.filter(({ obstacles }) => obstacles.length === 0).map(({ move }) => move);
  }
  const hours = new Map(staying.map(({ move, obstacles }) => [move.hour, { ...move, obstacles }]));
  if (hours.size > 0 && impedidas === undefined) {
    const all = new Set(moves.map(({ hour }) => hour)).size;
    const words = hours.size === all ? 'Nenhuma cabe' : `${hours.size} de ${all} não cabem`;
    throw timesTaken([...hours.values()], `${words} no novo horário`, zone);
  }
  return going.map((move) => ({ ...move, permitted: false }));
}

const spanOf = ({ inicio, fim }: Period) => ({ from: Date.parse(inicio), to: Date.parse(fim) });

const NAMED = 3;

/** A 409 that names the first of these sessions, with its obstacles. */
export function timesTaken(
  staying: readonly { inicio: string; obstacles: readonly Obstacle[] }[],
  words: string,
  zone: string,
): Problem {
  const named = staying
    .slice(0, NAMED)
    .map(
      ({ inicio, obstacles }) =>
        `${shortDate(localOf(inicio, zone).data)} (${obstacles.map(({ texto }) => texto).join(', ')})`,
    );
  const more = staying.length > NAMED ? ` e mais ${staying.length - NAMED}` : '';
  return new Problem('series.times_taken', {
    detail: `${words}: ${named.join('; ')}${more}.`,
  });
}

/** The changes; null if there are none. */
function differenceOf(before: KnownSession, after: KnownSession): ChangedSession | null {
  const { session_id, inicio, fim } = after;
  const isMoved = before.inicio !== inicio || before.fim !== fim;
  const antes = {
    ...(before.location_id !== after.location_id && { location_id: before.location_id }),
    ...(before.observacoes !== after.observacoes && { observacoes: before.observacoes }),
  };
  if (!isMoved && Object.keys(antes).length === 0) return null;
  return { session_id, inicio, fim, inicio_antes: before.inicio, fim_antes: before.fim, antes };
}

/**
 * Cancels a session as requested, and future ones of its series without cost; the series ends before them. With the group, the
 * series of the others end too, and single sessions in these hours are cancelled too.
 */
export const CancelSeries = defineCommand(
  'CancelSeries',
  { tokens: LinkTokens },
  async (tx, { tokens }, sessionId: string, { escopo, com_grupo, ...cancellation }: SeriesCancellation) => {
    const link = freshLink(tokens);
    const scope = await loadScope(tx, sessionId, escopo);
    const { others, singles } = com_grupo ? await loadOthers(tx, scope, escopo) : { others: [], singles: [] };
    const own = [...scope.sessions, ...singles];
    const motivo = cancellation.motivo === 'personal' ? 'personal' : 'aluno_no_prazo';
    for (const one of [...own, ...others.flatMap(({ sessions }) => sessions)])
      await cancel(tx, one, one.session_id === sessionId ? cancellation : { motivo }, link);
    const done = end(tx, [{ ...scope, sessions: own }, ...others], escopo, 'cancelada');
    const firsts = [scope, ...others].flatMap(({ sessions }) => sessions.slice(0, 1));
    return { ...done, session_ids: [...firsts, ...singles].map(idOf) };
  },
);

/** Deletes a session and future ones of its series; the series ends before them. */
export const DeleteSeries = defineCommand(
  'DeleteSeries',
  async (tx, sessionId: string, { escopo }: SeriesDeletion) => {
    const scope = await loadScope(tx, sessionId, escopo);
    for (const one of scope.sessions) await remove(tx, one);
    return end(tx, [scope], escopo, 'excluida');
  },
);

type Ended = Extract<SeriesEvent, { type: 'SeriesEnded' }>['data'];

/** Ends these series in one change. `sessions`: those that it took away. */
function end(
  tx: CommandTransaction,
  scopes: readonly [Ending, ...Ending[]],
  escopo: SeriesScope,
  como: Ended['como'],
) {
  const mudanca_id = randomUUID();
  for (const { state, sessions, desde } of scopes) {
    const { series_id, student_id } = state;
    const ended = endedBefore(state, desde);
    const trechos = withRules({ ...state, ate: ended.ate }, ended.trechos, tx.context.timezone);
    const sessoes = sessions.map(idOf);
    const data = { series_id, student_id, mudanca_id, ate: ended.ate, trechos, escopo, desde, como, sessoes };
    tx.append(series, series_id, [{ type: 'SeriesEnded', data }]);
  }
  const sessoes = scopes.reduce((sum, { sessions }) => sum + sessions.length, 0);
  return { id: scopes[0].state.series_id, mudanca_id, sessoes, puladas: 0 };
}

type Ending = Pick<Scope, 'state' | 'desde'> & { sessions: readonly { session_id: string }[] };
