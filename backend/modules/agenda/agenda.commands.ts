import { randomUUID } from 'node:crypto';
import { refuseChanged } from '../../platform/event-store/aggregate.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { freshLink } from '../charges/charges.commands.js';
import { chargeOfBooking } from '../charges/session-charge.commands.js';
import { closedAt } from '../availability/free-times.js';
import { existingLocation, location } from '../locations/location.js';
import type { ChargeLink } from '../charges/charge.js';
import { loadAgreed } from '../services/services.commands.js';
import { bookedTerms } from './cancellation.js';
import { defaultPolicy } from '../policies/policies.api.js';
import { activeStudent, student } from '../students/student.js';
import type {
  NewSession,
  SessionCancellation,
  SessionChanges,
  SessionOutcome,
  SessionReturn,
} from './agenda.api.js';
import {
  loadAccount,
  loadMakeUp,
  loadTerms,
  momentOf,
  membersOf,
  overlappingSessions,
  record,
  refuseComing,
  refuseOverlap,
  refuseRewriting,
  sharing,
} from './session.loads.js';
import { isPermitted, loadRules, refuseClosed } from './session-times.loads.js';
import {
  type Cancellation,
  settleCancellation,
  settleChange,
  settleCompletion,
  settleDeletion,
  settleReopening,
  settleRestoration,
} from './session.settlement.js';
import {
  decideBook,
  decideReschedule,
  deletedSession,
  existingSession,
  type KnownSession,
  occupies,
  type Period,
  refuseAhead,
  session,
  type SessionDetails,
  single,
  refuseBadPeriod,
} from '../sessions/session.js';

export const BookSession = defineCommand('BookSession', async (tx, booking: NewSession) => {
  const { student_id, inicio, fim, location_id = null, observacoes = null, service_id } = booking;
  refuseBadPeriod(booking);
  const permitir_conflito = isPermitted(tx, booking);
  const id = randomUUID();
  const [who, servico, where] = await Promise.all([
    tx.load(student, student_id),
    loadAgreed(tx, service_id),
    location_id === null ? undefined : tx.load(location, location_id),
    refuseOverlap(tx, booking, permitir_conflito),
    loadRules(tx),
  ]);
  await refuseClosed(tx, booking, permitir_conflito);
  activeStudent(who);
  if (where) existingLocation(where);
  const about = { session_id: id, student_id, inicio, fim, location_id, observacoes, servico };
  const { timezone } = tx.context;
  tx.append(session, id, decideBook({ ...about, ...single, permitir_conflito, timezone }));
  return { id };
});

/** The other scheduled sessions of a scheduled session's hour. All of them share time and location. */
async function matesOf(tx: CommandTransaction, state: KnownSession): Promise<KnownSession[]> {
  if (state.grupo_id === null || state.status !== 'agendada') return [];
  const { session_id, inicio, fim } = state;
  return (await membersOf(tx, state)).filter(
    (one) =>
      one.session_id !== session_id && one.status === 'agendada' && one.inicio === inicio && one.fim === fim,
  );
}

/** Moves all sessions of a shared hour. Frees the old slot before claiming the new one, so that a session does not conflict with itself. */
export const ChangeSession = defineCommand(
  'ChangeSession',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string, changes: SessionChanges) => {
    const link = freshLink(tokens);
    const { inicio, fim, status, motivo = 'personal', cancelamento, ...others } = changes;
    const { permitir_conflito: _, se_ainda, ...details } = others;
    const undoes = se_ainda !== undefined;
    const { location_id } = details;
    const permitir_conflito = isPermitted(tx, changes);
    const before = await loadSession(tx, id);
    refuseChanged('A sessão', before, se_ainda);
    const becomes = (to: typeof status) => status === to && before.status !== to;
    const mates = status === undefined || status === 'agendada' ? await matesOf(tx, before) : [];

    let now = before;
    if (becomes('cancelada')) now = await cancel(tx, now, { motivo });
    now = await reschedule(tx, now, { inicio: inicio ?? now.inicio, fim: fim ?? now.fim }, permitir_conflito);
    if (becomes('agendada')) now = await reopen(tx, now, permitir_conflito);
    now = await change(tx, now, details, { undoes, link });
    for (const mate of mates) {
      const moved = await reschedule(tx, mate, now, permitir_conflito);
      if (location_id !== undefined) await change(tx, moved, { location_id });
    }
    if (becomes('feita')) now = await complete(tx, now, permitir_conflito, undoes);
    if (cancelamento) now = await cancel(tx, now, cancelamento, link);

    const moved = now.inicio !== before.inicio || now.fim !== before.fim;
    // What the steps have made of it counts: a done session may be reopened with its move to a day to come.
    if (moved && now.status === 'feita') refuseAhead(now, momentOf(tx));
    if (occupies(now) && (moved || !occupies(before))) {
      const own = await sharing(tx, now);
      await refuseOverlap(tx, now, permitir_conflito, own);
      if (moved || now.status === 'agendada') await refuseClosed(tx, now, permitir_conflito, own);
    }
    return outcome(now);
  },
);

export const CompleteSession = defineCommand(
  'CompleteSession',
  async (tx, id: string, options: SessionReturn) => {
    const permitir_conflito = isPermitted(tx, options);
    const state = await loadSession(tx, id);
    refuseChanged('A sessão', state, { status: options.de });
    const done = await complete(tx, state, permitir_conflito, options.de === 'agendada');
    if (!occupies(state)) await refuseOverlap(tx, state, permitir_conflito, await sharing(tx, state));
    return outcome(done);
  },
);

export const ReopenSession = defineCommand(
  'ReopenSession',
  async (tx, id: string, options: SessionReturn) => {
    const permitir_conflito = isPermitted(tx, options);
    const state = await loadSession(tx, id);
    refuseChanged('A sessão', state, { status: options.de });
    if (!occupies(state)) {
      const own = await sharing(tx, state);
      await refuseOverlap(tx, state, permitir_conflito, own);
      await refuseClosed(tx, state, permitir_conflito, own);
    }
    return outcome(await reopen(tx, state, permitir_conflito));
  },
);

export const CancelSession = defineCommand(
  'CancelSession',
  { tokens: LinkTokens },
  async (tx, { tokens }, id: string, cancellation: SessionCancellation) =>
    outcome(await cancel(tx, await loadSession(tx, id), cancellation, freshLink(tokens))),
);

export const DeleteSession = defineCommand('DeleteSession', async (tx, id: string) => {
  await remove(tx, await loadSession(tx, id));
  return { id };
});

/** Undoes a deletion. */
export const RestoreSession = defineCommand(
  'RestoreSession',
  async (tx, id: string, options: SessionReturn) => {
    const permitir_conflito = isPermitted(tx, options);
    const state = deletedSession(await tx.load(session, id));
    refuseChanged('A sessão', state, { status: options.de });
    if (state.status === 'agendada') await refuseComing(tx, state);
    const own = await sharing(tx, state);
    if (state.status !== 'cancelada') await refuseOverlap(tx, state, permitir_conflito, own);
    if (state.status === 'agendada') await refuseClosed(tx, state, permitir_conflito, own);
    return outcome(await restore(tx, state, permitir_conflito));
  },
);

export async function loadSession(tx: CommandTransaction, id: string): Promise<KnownSession> {
  return existingSession(await tx.load(session, id));
}

/** `undoes`: it undoes a reopening. */
export async function complete(
  tx: CommandTransaction,
  state: KnownSession,
  permitir_conflito: boolean,
  undoes = false,
): Promise<KnownSession> {
  const [account, booked] = await Promise.all([
    loadAccount(tx, state.student_id, state.session_id),
    chargeOfBooking(tx, state),
  ]);
  const valor = booked ? state.porta!.preco : (account.valor ?? state.porta?.preco ?? null);
  const settled = settleCompletion(state, { ...account, valor }, permitir_conflito, momentOf(tx), !booked);
  return record(tx, state, settled, { undoes });
}

export async function reopen(
  tx: CommandTransaction,
  state: KnownSession,
  permitir_conflito: boolean,
): Promise<KnownSession> {
  await refuseComing(tx, state);
  const account = await loadAccount(tx, state.student_id, state.session_id);
  return record(tx, state, settleReopening(state, account, permitir_conflito, momentOf(tx)));
}

/**
 * Schedules a cancelled session again for its student. If its time is taken, the refusal does not name the other
 * student. The guard refuses overlaps with other sessions, this function those with an hour of the same group that was
 * moved.
 */
export async function bringBack(tx: CommandTransaction, state: KnownSession): Promise<KnownSession> {
  await refuseAway(tx, state);
  const own = await sharing(tx, state);
  const taking = await tx.lookUp(overlappingSessions, state.inicio, state.fim, own);
  if (taking.length > 0) throw new Problem('agenda.overlap');
  return reopen(tx, state, false);
}

/** Moves a session to another time; refuses as `bringBack` does. */
export async function moveBack(
  tx: CommandTransaction,
  state: KnownSession,
  to: Period,
): Promise<KnownSession> {
  await refuseAway(tx, to);
  return reschedule(tx, state, to, false);
}

/** 409 in a vacation or a blocked time. */
async function refuseAway(tx: CommandTransaction, { inicio, fim }: Period): Promise<void> {
  const closed = closedAt({ from: Date.parse(inicio), to: Date.parse(fim) }, await loadRules(tx));
  if (closed && closed.reason !== 'outside') throw new Problem('agenda.blocked');
}

export async function cancel(
  tx: CommandTransaction,
  state: KnownSession,
  { de_novo, ...wanted }: Cancellation,
  link?: ChargeLink,
): Promise<KnownSession> {
  refuseChanged('A sessão', state, { status: de_novo });
  const cancellation = de_novo ? { ...wanted, justificativa: state.justificativa } : wanted;
  if ((cancellation.justificativa ?? null) !== null) await refuseRewriting(tx, state);
  const { motivo } = cancellation;
  const [terms, account, makeUp] = await Promise.all([
    // A cancellation by the trainer costs nothing under any policy.
    motivo === 'personal' ? defaultPolicy : loadTerms(tx, state, motivo),
    loadAccount(tx, state.student_id, state.session_id),
    cancellation.motivo === 'aluno_no_prazo' ? loadMakeUp(tx, state) : undefined,
  ]);
  const valor = bookedTerms(state.porta, motivo)?.preco ?? account.valor;
  const settled = settleCancellation(state, { ...account, valor }, terms, cancellation, momentOf(tx), makeUp);
  return record(tx, state, settled, { undoes: de_novo !== undefined, link });
}

export async function reschedule(
  tx: CommandTransaction,
  state: KnownSession,
  to: Period,
  permitir_conflito: boolean,
): Promise<KnownSession> {
  const events = decideReschedule(state, to, permitir_conflito);
  if (events.length === 0) return state;
  await refuseRewriting(tx, state);
  return record(tx, state, { credits: [], session: events });
}

export async function remove(tx: CommandTransaction, state: KnownSession): Promise<void> {
  const account = await loadAccount(tx, state.student_id, state.session_id);
  await record(tx, state, settleDeletion(state, account, momentOf(tx)));
}

export async function restore(
  tx: CommandTransaction,
  state: KnownSession,
  permitir_conflito: boolean,
): Promise<KnownSession> {
  const account = await loadAccount(tx, state.student_id, state.session_id);
  return record(tx, state, settleRestoration(state, account, permitir_conflito, momentOf(tx)), {
    undoes: true,
  });
}

export async function change(
  tx: CommandTransaction,
  state: KnownSession,
  wished: SessionDetails,
  charging: { undoes?: boolean; link?: ChargeLink } = {},
): Promise<KnownSession> {
  const { student_id = state.student_id, location_id = null } = wished;
  const [transfer, where] = await Promise.all([
    student_id === state.student_id ? null : loadTransfer(tx, state, student_id),
    location_id === null || location_id === state.location_id ? undefined : tx.load(location, location_id),
  ]);
  if (where) existingLocation(where);
  const settled = settleChange(state, wished, transfer, momentOf(tx));
  if (settled.session.length === 0) return state;
  await refuseRewriting(tx, state);
  return record(tx, state, settled, charging);
}

/** @throws Problem if the student who gets the session is missing, archived or forgotten */
async function loadTransfer(tx: CommandTransaction, { student_id, session_id }: KnownSession, toId: string) {
  const [who, from, to] = await Promise.all([
    tx.load(student, toId),
    loadAccount(tx, student_id, session_id),
    loadAccount(tx, toId, session_id),
  ]);
  activeStudent(who);
  return { from, to };
}

function outcome({ session_id, status, credito, taxa }: KnownSession): SessionOutcome {
  return {
    id: session_id,
    status,
    usou_credito: credito === 'usado',
    sem_credito: credito === 'faltou',
    taxa,
  };
}
