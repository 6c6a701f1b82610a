import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { inTurns } from '../../platform/turns.js';
import { change, remove, reopen, reschedule, restore } from '../agenda/agenda.commands.js';
import { type NewTime, timesTaken, sessionsById } from '../agenda/sessions-bulk.commands.js';
import { groupedIn } from '../agenda/session.loads.js';
import { loadRules } from '../agenda/session-times.loads.js';
import { obstaclesAt, TIMES_AT_ONCE } from '../agenda/obstacles.queries.js';
import type { KnownSession } from '../sessions/session.js';
import { holidays } from '../holidays/holiday-calendar.js';
import { ordered } from './moves.js';
import type { Terms } from './pattern.js';
import { loadSeries } from './series.loads.js';
import type { SeriesUndo } from './series.api.js';
import {
  type ChangedSession,
  existingSeries,
  type KnownSeries,
  type LastChange,
  series,
  undoable,
} from './series.js';

/**
 * Undoes the last change of a series as a whole, including the series that share its hours, unless later changes
 * prevent that.
 */
export const UndoSeries = defineCommand(
  'UndoSeries',
  async (tx, id: string, { mudanca_id, permitir_conflito = false }: SeriesUndo) => {
    const state = existingSeries(await loadSeries(tx, id));
    const own = undoable(state, mudanca_id);
    const others = await changedWith(tx, state, own);
    const all = [{ state, last: own }, ...others];
    const count = await takeBack(tx, all, permitir_conflito);
    for (const { state: one, last } of all) {
      const { series_id, student_id } = one;
      const { ate, trechos } = last.tipo === 'criada' ? one : last.antes;
      const removida = last.tipo === 'criada';
      const data = { series_id, student_id, mudanca_id, ate, trechos, desfez: last.tipo, removida };
      tx.append(series, series_id, [{ type: 'SeriesUndone', data }]);
    }
    return { id, mudanca_id, sessoes: count, puladas: 0 };
  },
);

interface Undoing {
  state: KnownSeries;
  last: LastChange;
}

/** Other series that the same command started or changed, which share hours with this one. */
async function changedWith(tx: CommandTransaction, state: KnownSeries, last: LastChange): Promise<Undoing[]> {
  if (state.turma_id === null) return [];
  const sessions = (await sessionsById(tx, sessionsOf({ state, last }))).filter((one) => one !== undefined);
  const grouped = await groupedIn(
    tx,
    sessions.map(({ grupo_id }) => grupo_id),
  );
  const mates = await sessionsById(tx, [...grouped.keys()]);
  const ids = new Set(mates.flatMap((mate) => mate?.serie_id ?? []));
  const found = await Promise.all([...ids].map((serie_id) => tx.load(series, serie_id)));
  return found.flatMap((one) =>
    one && !one.removida && one.series_id !== state.series_id && one.ultima?.mudanca_id === last.mudanca_id
      ? [{ state: one, last: one.ultima }]
      : [],
  );
}

/** The sessions that the command booked, changed or removed. */
function sessionsOf({ state, last }: Undoing): string[] {
  switch (last.tipo) {
    case 'criada':
      return state.sessoes.map(({ session_id }) => session_id);
    case 'alterada':
      return last.sessoes.map(({ session_id }) => session_id);
    case 'cancelada':
    case 'excluida':
      return last.sessoes;
    case 'dias':
      return [...last.sessoes, ...last.excluidas];
  }
}

/** Undoes everything of one command. Returns the number of sessions. */
async function takeBack(
  tx: CommandTransaction,
  all: readonly Undoing[],
  permitted: boolean,
): Promise<number> {
  const of = <Tipo extends LastChange['tipo']>(tipo: Tipo) =>
    all.flatMap(({ last }) => (last.tipo === tipo ? [last as Extract<LastChange, { tipo: Tipo }>] : []));
  const begun = all.filter(({ last }) => last.tipo === 'criada').flatMap(sessionsOf);
  const booked = [...begun, ...of('dias').flatMap(({ sessoes }) => sessoes)];
  const cancelled = asLeft(
    await sessionsById(
      tx,
      of('cancelada').flatMap(({ sessoes }) => sessoes),
    ),
    ({ status }) => status === 'cancelada',
  );
  const gone = [
    ...of('excluida').flatMap(({ sessoes }) => sessoes),
    ...of('dias').flatMap(({ excluidas }) => excluidas),
  ];
  const removed = await removeStanding(tx, booked);
  const changes = all.flatMap(({ state, last }) =>
    last.tipo === 'alterada' ? last.sessoes.map((one) => ({ ...one, depois: state.trechos.at(-1)! })) : [],
  );
  const changed = await changeBack(tx, changes, permitted);
  const shared = await returning(tx, cancelled, permitted);
  for (const one of cancelled) await reopen(tx, one, shared.has(one.session_id));
  return removed + changed + cancelled.length + (await bringBack(tx, gone, permitted));
}

/** Removes the sessions that a command booked, unless they were deleted since. */
async function removeStanding(tx: CommandTransaction, ids: readonly string[]): Promise<number> {
  const sessions = (await sessionsById(tx, ids)).filter((one) => one !== undefined && !one.deleted);
  const standing = asLeft(sessions, ({ status }) => status === 'agendada');
  for (const one of standing) await remove(tx, one);
  return standing.length;
}

/** Restores the sessions that a command deleted. */
async function bringBack(
  tx: CommandTransaction,
  ids: readonly string[],
  permitted: boolean,
): Promise<number> {
  const sessions = (await sessionsById(tx, ids)).map((one) => {
    if (!one?.deleted) throw contradicted('Uma das sessões foi alterada depois.');
    return one;
  });
  const shared = await returning(tx, sessions, permitted);
  for (const one of sessions) await restore(tx, one, shared.has(one.session_id));
  return sessions.length;
}

/** `depois`: the series' new terms, which all sessions have whose location or notes changed with it. */
interface Changed extends ChangedSession {
  depois: Terms;
}

async function changeBack(
  tx: CommandTransaction,
  changes: readonly Changed[],
  permitted: boolean,
): Promise<number> {
  const left = new Map(changes.map((one) => [one.session_id, one]));
  const sessions = asLeft(await sessionsById(tx, [...left.keys()]), (one) => {
    const { inicio, fim, antes, depois } = left.get(one.session_id)!;
    const isKept = (field: 'location_id' | 'observacoes') =>
      !(field in antes) || one[field] === depois[field];
    const isThere = one.inicio === inicio && one.fim === fim;
    return one.status === 'agendada' && isThere && isKept('location_id') && isKept('observacoes');
  });
  const byId = new Map(sessions.map((one) => [one.session_id, one]));
  const moves = changes
    .filter((one) => one.inicio !== one.inicio_antes || one.fim !== one.fim_antes)
    .map(({ session_id, inicio, fim, inicio_antes, fim_antes }) => ({
      session_id,
      hour: byId.get(session_id)!.grupo_id ?? session_id,
      inicio: inicio_antes,
      fim: fim_antes,
      from: { inicio, fim },
    }));
  const shared = await returning(tx, moves, permitted);
  const possible = moves.map((move) => ({ ...move, permitted: shared.has(move.session_id) }));
  for (const { session_id, permitted: isShared, ...period } of ordered(possible))
    byId.set(session_id, await reschedule(tx, byId.get(session_id)!, period, isShared));
  for (const { session_id, antes } of changes) await change(tx, byId.get(session_id)!, antes);
  return sessions.length;
}

/**
 * Checks times to which sessions return. Returns the ids of sessions that overlap another one.
 * @throws Problem 409 for a past time, and, unless `permitted`, for one that is taken, in a vacation or blocked
 */
async function returning(
  tx: CommandTransaction,
  times: readonly NewTime[],
  permitted: boolean,
): Promise<ReadonlySet<string>> {
  if (times.some(({ inicio }) => Date.parse(inicio) <= tx.now.getTime()))
    throw contradicted('Uma das sessões já teria passado.');
  const { taken, shared } = await timesTaken(tx, times);
  const [obstacle] = taken.values();
  if (obstacle !== undefined && !permitted)
    throw new Problem('agenda.overlap', {
      detail: returningTo(obstacle.words),
      session_ids: [...taken.keys()],
    });
  if (!permitted) await refuseObstacles(tx, times);
  return new Set([...taken.keys(), ...shared]);
}

const returningTo = (obstacle: string) => `${obstacle}, no horário de uma das sessões que voltariam.`;

/** 409 if one of the times is meanwhile in a vacation or blocked. */
async function refuseObstacles(tx: CommandTransaction, times: readonly NewTime[]): Promise<void> {
  const known = { busy: [], rules: await loadRules(tx), holidays: holidays.initialState };
  const found = await inTurns(times, TIMES_AT_ONCE, (time) => obstaclesAt(time, known));
  for (const { tipo, texto } of found.flat()) {
    if (tipo === 'ferias') throw new Problem('agenda.on_vacation', { detail: returningTo(texto) });
    if (tipo === 'bloqueado') throw new Problem('agenda.blocked', { detail: returningTo(texto) });
  }
}

/** The sessions; 409 if one has changed since the command. */
function asLeft(
  sessions: readonly (KnownSession | undefined)[],
  isAsLeft: (state: KnownSession) => boolean,
): KnownSession[] {
  return sessions.map((state) => {
    if (!state || state.deleted || !isAsLeft(state))
      throw contradicted('Uma das sessões foi alterada depois.');
    return state;
  });
}

const contradicted = (why: string) =>
  new Problem('series.cannot_undo', { detail: `${why} Você ainda pode ajustar as sessões uma a uma.` });
