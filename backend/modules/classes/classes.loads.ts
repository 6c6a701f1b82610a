import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { Problem } from '../../platform/http/problem.js';
import { membersOf } from '../agenda/session.loads.js';
import { series } from '../series/series.js';
import { type KnownSession, occupies } from '../sessions/session.js';
import { openClass, type OpenClass } from './open-class.js';
import { seatQueue, seatsFor } from './seat-queue.js';

/** The class of an hour, by the sessions of its group; undefined where students may not enter. What is set for the hour alone counts first. */
export async function classOf(
  tx: CommandTransaction,
  members: readonly KnownSession[],
): Promise<OpenClass | undefined> {
  const grupo_id = members[0]?.grupo_id ?? null;
  if (grupo_id === null) return undefined;
  const ids = [...new Set(members.map(({ serie_id }) => serie_id).filter((id) => id !== null))];
  const [own, ...weekly] = await Promise.all([
    tx.load(openClass, grupo_id),
    ...ids.map((id) => tx.load(series, id)),
  ]);
  const turma_id = weekly.map((one) => one?.turma_id ?? null).find((id) => id !== null);
  const known = own ?? (turma_id ? await tx.load(openClass, turma_id) : undefined);
  return known?.aberta ? known : undefined;
}

/** 409 for a student whose seat was taken, or is another's, meanwhile, or whose hour the trainer or its minimum has cancelled. */
export async function refuseTakenSeat(tx: CommandTransaction, state: KnownSession): Promise<void> {
  if (state.grupo_id === null) return;
  const members = await membersOf(tx, state);
  const open = await classOf(tx, members);
  const present = members.filter((one) => occupies(one) && one.inicio === state.inicio);
  const isCancelled = members.some((one) => one.inicio === state.inicio && one.motivo === 'personal');
  if (present.length === 0 && isCancelled) throw new Problem('classes.not_open');
  if (!open) return;
  const { fila } = await tx.load(seatQueue, state.grupo_id);
  if (seatsFor(fila, state.student_id, open.vagas - present.length) === 0) throw new Problem('classes.full');
}
