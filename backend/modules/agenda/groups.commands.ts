import { randomUUID } from 'node:crypto';
import { changedSince } from '../../platform/event-store/aggregate.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { loadAgreed } from '../services/services.commands.js';
import { existingLocation, location } from '../locations/location.js';
import { activeStudent, student } from '../students/student.js';
import { complete, loadSession, remove } from './agenda.commands.js';
import {
  type GroupCancellation,
  type GroupHour,
  type GroupReturn,
  MOST_IN_HOUR,
  type NewGroup,
  type NewMembers,
  type OneHour,
  type SessionIds,
} from './groups.api.js';
import { membersOf, refuseOverlap, sharing } from './session.loads.js';
import { cancelAll, reopenAll } from './sessions-bulk.commands.js';
import { isPermitted, loadRules, refuseClosed } from './session-times.loads.js';
import {
  decideBook,
  decideGroup,
  type KnownSession,
  occupies,
  session,
  single,
} from '../sessions/session.js';

/** Hours that several students share: one session for each student, all with the same `grupo_id`. */

type Shared = Pick<KnownSession, 'inicio' | 'fim' | 'location_id' | 'observacoes' | 'servico'> & {
  grupo_id: string;
};

function bookEach(
  tx: CommandTransaction,
  student_ids: readonly string[],
  shared: Shared,
  permitir_conflito: boolean,
): string[] {
  return student_ids.map((student_id) => {
    const session_id = randomUUID();
    const { timezone } = tx.context;
    const booking = { ...single, ...shared, session_id, student_id, permitir_conflito, timezone };
    tx.append(session, session_id, decideBook(booking));
    return session_id;
  });
}

async function refuseInactive(tx: CommandTransaction, student_ids: readonly string[]): Promise<void> {
  const students = await Promise.all(student_ids.map((id) => tx.load(student, id)));
  for (const who of students) activeStudent(who);
}

export const BookGroup = defineCommand('BookGroup', async (tx, booking: NewGroup) => {
  const { student_ids, inicio, fim, location_id = null, observacoes = null, service_id } = booking;
  const permitir_conflito = isPermitted(tx, booking);
  const grupo_id = randomUUID();
  const [servico, where] = await Promise.all([
    loadAgreed(tx, service_id),
    location_id === null ? undefined : tx.load(location, location_id),
    refuseInactive(tx, student_ids),
    refuseOverlap(tx, booking, permitir_conflito),
    loadRules(tx),
  ]);
  await refuseClosed(tx, booking, permitir_conflito);
  if (where) existingLocation(where);
  const shared = { inicio, fim, location_id, observacoes, grupo_id, servico };
  return { id: grupo_id, session_ids: bookEach(tx, student_ids, shared, permitir_conflito) };
});

/** Adds students to a session's hour; a session of a single student becomes a group. */
export const AddMembers = defineCommand('AddMembers', async (tx, id: string, added: NewMembers) => {
  const { student_ids } = added;
  const permitir_conflito = isPermitted(tx, added);
  const state = await loadSession(tx, id);
  if (state.status === 'cancelada') throw new Problem('agenda.already_cancelled');
  const [members] = await Promise.all([membersOf(tx, state), refuseInactive(tx, student_ids)]);
  const present = members.filter((one) => occupies(one) && one.inicio === state.inicio);
  if (present.some(({ student_id }) => student_ids.includes(student_id)))
    throw new Problem('agenda.already_in_group');
  if (present.length + student_ids.length > MOST_IN_HOUR) throw new Problem('agenda.group_full');
  await refuseOverlap(tx, state, permitir_conflito, await sharing(tx, state));
  const { inicio, fim, location_id, servico } = state;
  const grupo_id = state.grupo_id ?? randomUUID();
  tx.append(session, id, decideGroup(state, grupo_id));
  const shared = { inicio, fim, location_id, observacoes: null, grupo_id, servico };
  return { id: grupo_id, session_ids: bookEach(tx, student_ids, shared, permitir_conflito) };
});

/** The sessions of a group that are not deleted. */
async function groupSessions(tx: CommandTransaction, grupo_id: string): Promise<KnownSession[]> {
  const members = await membersOf(tx, { grupo_id });
  if (members.length === 0) throw new Problem('agenda.group_not_found');
  return members;
}

/** Completes all sessions of an hour; each uses a credit of its own student. */
export const CompleteGroup = defineCommand('CompleteGroup', async (tx, id: string, hour: GroupHour) => {
  const open = (await groupSessions(tx, id)).filter(
    ({ status, inicio }) => status === 'agendada' && inicio === (hour.inicio ?? inicio),
  );
  if (open.length === 0) throw new Problem('agenda.already_done');
  for (const state of open) await complete(tx, state, false);
  return { id, session_ids: open.map(({ session_id }) => session_id) };
});

/** Cancels the sessions of an hour that are still scheduled, by the trainer. Done ones keep their credit. */
export async function cancelHour(
  tx: CommandTransaction,
  id: string,
  { inicio }: OneHour,
): Promise<GroupCancellation> {
  const hour = (await groupSessions(tx, id)).filter((one) => one.inicio === inicio);
  if (hour.length === 0) throw new Problem('agenda.group_not_found');
  const open = hour.filter(({ status }) => status === 'agendada');
  if (open.length === 0)
    throw new Problem(hour.some(occupies) ? 'agenda.already_done' : 'agenda.already_cancelled');
  const cancelled = await cancelAll(tx, open);
  return {
    id,
    session_ids: cancelled.map(({ session_id }) => session_id),
    usou_credito: cancelled.some(({ credito }) => credito === 'usado'),
    sem_credito: cancelled.some(({ credito }) => credito === 'faltou'),
    taxa: cancelled.reduce((sum, { taxa }) => sum + taxa, 0),
  };
}

export const CancelGroup = defineCommand('CancelGroup', cancelHour);

/**
 * Undoes `CompleteGroup` or `CancelGroup` as one, except sessions that were changed since. @throws Problem 409 if all were
 */
export const ReopenGroup = defineCommand('ReopenGroup', async (tx, id: string, wanted: GroupReturn) => {
  const { session_ids, de } = wanted;
  const permitir_conflito = isPermitted(tx, wanted);
  const meant = (await groupSessions(tx, id)).filter(({ session_id }) => session_ids.includes(session_id));
  const back = meant.filter(({ status }) => status === de);
  if (back.length === 0 && meant.some(({ status }) => status !== 'agendada')) throw changedSince('A sessão');
  for (const state of back) {
    if (occupies(state)) continue;
    const own = await sharing(tx, state);
    await refuseOverlap(tx, state, permitir_conflito, own);
    await refuseClosed(tx, state, permitir_conflito, own);
  }
  const returned = back.map(({ session_id }) => session_id);
  await reopenAll(tx, back, new Set(permitir_conflito ? returned : []));
  return { id, session_ids: returned };
});

/**
 * Undoes the bookings of one command, except sessions that were settled since. @throws Problem 409 if all were settled
 */
export const UndoBookings = defineCommand('UndoBookings', async (tx, { session_ids }: SessionIds) => {
  const sessions = await Promise.all(session_ids.map((id) => tx.load(session, id)));
  if (sessions.every((state) => state === undefined)) throw new Problem('agenda.session_not_found');
  const standing = sessions.filter((state) => state !== undefined && !state.deleted);
  const open = standing.filter((state) => state!.status === 'agendada');
  if (open.length === 0 && standing.length > 0) throw changedSince('A sessão');
  for (const state of open) await remove(tx, state!);
  return { session_ids: open.map((state) => state!.session_id) };
});
