import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { change, remove, reopen, reschedule, restore } from '../agenda/agenda.commands.js';
import { type Place, placesTaken, sessionsById } from '../agenda/away.commands.js';
import type { KnownSession } from '../agenda/session.js';
import { ordered } from './moves.js';
import type { SeriesUndo } from './series.api.js';
import { type ChangedSession, existingSeries, type LastChange, series, undoable } from './series.js';

/** Undoes the last thing that was done to a series as a whole, unless something that happened since contradicts it. */
export const UndoSeries = defineCommand(
  'UndoSeries',
  async (tx, id: string, { mudanca_id, permitir_conflito = false }: SeriesUndo) => {
    const state = existingSeries(await tx.load(series, id));
    const last = undoable(state, mudanca_id);
    const { series_id, student_id } = state;
    const count = await takeBack(
      tx,
      last,
      state.sessoes.map(({ session_id }) => session_id),
      permitir_conflito,
    );
    const { ate, trechos } = last.tipo === 'criada' ? state : last.antes;
    const removida = last.tipo === 'criada';
    const data = { series_id, student_id, mudanca_id, ate, trechos, desfez: last.tipo, removida };
    tx.append(series, series_id, [{ type: 'SeriesUndone', data }]);
    return { id, mudanca_id, sessoes: count, puladas: 0 };
  },
);

/** Answers how many sessions that was. */
async function takeBack(
  tx: CommandTransaction,
  last: LastChange,
  all: readonly string[],
  permitted: boolean,
): Promise<number> {
  switch (last.tipo) {
    case 'criada':
      return removeStanding(tx, all);
    case 'alterada':
      return changeBack(tx, last.sessoes, permitted);
    case 'cancelada': {
      const sessions = asLeft(await sessionsById(tx, last.sessoes), ({ status }) => status === 'cancelada');
      const shared = await returning(tx, sessions, permitted);
      for (const one of sessions) await reopen(tx, one, shared.has(one.session_id));
      return sessions.length;
    }
    case 'excluida':
      return bringBack(tx, last.sessoes, permitted);
    case 'dias': {
      const gone = await removeStanding(tx, last.sessoes);
      return gone + (await bringBack(tx, last.excluidas, permitted));
    }
  }
}

/** Removes what a command has booked, but what was deleted since. */
async function removeStanding(tx: CommandTransaction, ids: readonly string[]): Promise<number> {
  const sessions = (await sessionsById(tx, ids)).filter((one) => one !== undefined && !one.deleted);
  const standing = asLeft(sessions, ({ status }) => status === 'agendada');
  for (const one of standing) await remove(tx, one);
  return standing.length;
}

/** Brings back what a command has deleted. */
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

async function changeBack(
  tx: CommandTransaction,
  changes: readonly ChangedSession[],
  permitted: boolean,
): Promise<number> {
  const left = new Map(changes.map((one) => [one.session_id, one]));
  const sessions = asLeft(await sessionsById(tx, [...left.keys()]), ({ session_id, status, inicio, fim }) => {
    const change = left.get(session_id)!;
    return status === 'agendada' && inicio === change.inicio && fim === change.fim;
  });
  const moves = changes
    .filter((one) => one.inicio !== one.inicio_antes || one.fim !== one.fim_antes)
    .map(({ session_id, inicio, fim, inicio_antes, fim_antes }) => ({
      ...{ session_id, inicio: inicio_antes, fim: fim_antes, from: { inicio, fim } },
    }));
  const shared = await returning(tx, moves, permitted);
  const byId = new Map(sessions.map((one) => [one.session_id, one]));
  const possible = moves.map((move) => ({ ...move, permitted: shared.has(move.session_id) }));
  for (const { session_id, permitted: isShared, ...period } of ordered(possible))
    byId.set(session_id, await reschedule(tx, byId.get(session_id)!, period, isShared));
  for (const { session_id, antes } of changes) await change(tx, byId.get(session_id)!, antes);
  return sessions.length;
}

/** Places that may come back. Answers which of them meet another session. @throws Problem 409 where one cannot */
async function returning(
  tx: CommandTransaction,
  places: readonly Place[],
  permitted: boolean,
): Promise<ReadonlySet<string>> {
  if (places.some(({ inicio }) => Date.parse(inicio) <= tx.now.getTime()))
    throw contradicted('Uma das sessões já teria passado.');
  const { taken, shared } = await placesTaken(tx, places);
  const [obstacle] = taken.values();
  if (obstacle !== undefined && !permitted)
    throw new Problem('agenda.overlap', {
      detail: `${obstacle}, no horário de uma das sessões que voltariam.`,
      session_ids: [...taken.keys()],
    });
  return new Set([...taken.keys(), ...shared]);
}

/** The sessions, each as it was left; 409 where one is not. */
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
