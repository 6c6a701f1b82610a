import { randomUUID } from 'node:crypto';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { Problem } from '../../platform/http/problem.js';
import { firstName, timeOf } from '../../platform/portuguese.js';
import type { ChargeLink, SessionTurn } from '../charges/charge.js';
import {
  cancelChargeOfSession,
  chargeOfBooking,
  followBooking,
  issueFee,
  restoreChargeOfSession,
  standBooking,
} from '../charges/session-charge.commands.js';
import { creditAccount, hasCreditFor } from '../credits/credit-account.js';
import type { Account } from '../credits/credit-sharing.js';
import { loadAccounts } from '../credits/credit-sharing.loads.js';
import { accountInTurn, makeUpRulesOf, type MakeUpTerms } from '../credits/make-up.js';
import { plan } from '../plans/plan.js';
import { defaultPolicy, type PolicyTerms } from '../policies/policies.api.js';
import { refuseForgotten, student } from '../students/student.js';
import { bookedTerms, planInTurn, sessionValue } from './cancellation.js';
import { firstStart } from './session-times.loads.js';
import { existingSession, isOwed, type KnownSession, session } from '../sessions/session.js';
import type { CancellationReason } from '../sessions/sessions.api.js';
import {
  busyAround,
  type BusyTime,
  loadRules,
  nearestFree,
  type Wish,
  wayOut,
} from './session-times.loads.js';
import { inUse, type Moment, type Settled, type StudentAccount } from './session.settlement.js';
import { termsWhenBooked } from './session-terms.loads.js';

/** What commands on sessions load before they decide, and how they record what was decided. */

interface Overlapping extends Record<string, unknown> {
  session_id: string;
  inicio: Date;
  fim: Date;
  /** From the read tables: null while they are behind, or if the person was forgotten. */
  nome: string | null;
  /** Sessions around that time, between which the nearest free times are searched. */
  around: BusyTime[];
}

/** The sessions that overlap the time from `$2` to `$3`, except `$4`. */
export const overlappingSessions = defineLookUp<
  Overlapping,
  [inicio: string, fim: string, except: readonly string[]]
>(
  `select m.session_id, m.inicio, m.fim, st.nome, (${busyAround}) as around
from session_slot_members m
left join sessions s on s.tenant_id = m.tenant_id and s.id = m.session_id
left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
where m.tenant_id = $1 and m.inicio < $3 and m.fim > $2 and m.inicio >= ${firstStart('$2')}
  and m.session_id <> all($4::uuid[]) order by m.inicio, m.fim`,
);
/** For what is booked anew: the guard permits overlaps only within a group, which then has no other hours. */
const overlappingNew = { ...overlappingSessions, isGuarded: true };

/** 409 agenda.overlap with the overlapping sessions and the nearest free times, unless permitted. Adjacent sessions do not overlap. */
export async function refuseOverlap(
  tx: CommandTransaction,
  wish: Wish,
  permitted: boolean,
  own: readonly string[] = [],
): Promise<void> {
  if (permitted) return;
  const { inicio, fim } = wish;
  const overlapping = await tx.lookUp(
    own.length === 0 ? overlappingNew : overlappingSessions,
    inicio,
    fim,
    own,
  );
  const [first] = overlapping;
  if (!first) return;
  const { timezone } = tx.context;
  const who = first.nome === null ? 'Já há uma sessão' : `${firstName(first.nome)} já tem sessão`;
  throw new Problem('agenda.overlap', {
    detail: `${who} das ${timeOf(first.inicio, timezone)} às ${timeOf(first.fim, timezone)}. ${wayOut(tx)}`,
    errors: [{ pointer: '/inicio', detail: 'Horário já ocupado' }],
    session_ids: overlapping.map(({ session_id }) => session_id),
    livres: await nearestFree(tx, wish, await loadRules(tx), own, first.around),
  });
}

const groupMembers = defineLookUp<{ session_id: string }, [grupoId: string]>(
  'select session_id from session_groups where tenant_id = $1 and grupo_id = $2 order by session_id',
);

const membersOfMany = defineLookUp<{ session_id: string; grupo_id: string }, [grupos: readonly string[]]>(
  `select session_id, grupo_id from session_groups
  where tenant_id = $1 and grupo_id = any($2::uuid[]) order by session_id`,
);

/** The group of each session that belongs to one of these, also of cancelled and deleted ones. */
export async function groupedIn(
  tx: CommandTransaction,
  grupos: readonly (string | null)[],
): Promise<Map<string, string>> {
  const known = [...new Set(grupos.filter((grupo) => grupo !== null))];
  if (known.length === 0) return new Map();
  const members = await tx.lookUp(membersOfMany, known);
  return new Map(members.map(({ session_id, grupo_id }) => [session_id, grupo_id]));
}

/** All sessions of a session's group, itself included, without deleted ones; only itself if it has no group. */
export async function membersOf(
  tx: CommandTransaction,
  { grupo_id, session_id }: { grupo_id: string | null; session_id?: string },
): Promise<KnownSession[]> {
  const ids =
    grupo_id === null
      ? [session_id!]
      : (await tx.lookUp(groupMembers, grupo_id)).map((member) => member.session_id);
  const sessions = await Promise.all(ids.map((id) => tx.load(session, id)));
  return sessions.filter((state) => state !== undefined && !state.deleted) as KnownSession[];
}

/** The sessions that may overlap a session: itself, and those of other students of its group with the same start, after the command. */
export async function sharing(tx: CommandTransaction, state: KnownSession): Promise<string[]> {
  const { grupo_id, session_id, student_id, inicio } = state;
  if (grupo_id === null) return [session_id];
  const others = (await membersOf(tx, state)).filter(
    // A student whose two records were merged may have two sessions in it.
    (one) => one.student_id !== student_id && one.inicio === inicio,
  );
  return [session_id, ...others.map((other) => other.session_id)];
}

/** Past sessions of a forgotten person can be settled, but their details cannot be changed. */
export async function refuseRewriting(tx: CommandTransaction, { student_id }: KnownSession): Promise<void> {
  refuseForgotten(await tx.load(student, student_id));
}

/** A forgotten person cannot have future sessions. */
export async function refuseComing(tx: CommandTransaction, state: KnownSession): Promise<void> {
  if (Date.parse(state.inicio) > tx.now.getTime()) await refuseRewriting(tx, state);
}

/** The rules for giving the student make-ups; undefined if none are given. */
export async function loadMakeUp(
  tx: CommandTransaction,
  state: KnownSession,
): Promise<MakeUpTerms | undefined> {
  const { tenantId, timezone } = tx.context;
  const rules = await tx.load(makeUpRulesOf, tenantId);
  if (!rules.ativo) return undefined;
  const accounts = inUse(await loadAccounts(tx, state.student_id));
  const giving = accountInTurn(accounts, state, tx.now);
  const its = planInTurn(await loadPlans(tx, accounts), giving ? accounts.indexOf(giving) : -1);
  return { rules, creditos_do_plano: its?.creditos ?? 0, timezone };
}

/** The plans of those whose accounts these are. */
const loadPlans = (tx: CommandTransaction, accounts: readonly Account[]) =>
  Promise.all(
    accounts.map(async ({ student_id }) => {
      const who = await tx.load(student, student_id);
      if (who.status === 'unknown' || !who.plano_id) return undefined;
      const its = await tx.load(plan, who.plano_id);
      return its.status === 'unknown' ? undefined : its;
    }),
  );

/** `session_id`: the session to be settled, which may hold a credit. */
export async function loadAccount(
  tx: CommandTransaction,
  student_id: string,
  session_id: string,
): Promise<StudentAccount> {
  const found = await loadAccounts(tx, student_id);
  const accounts = inUse(found);
  const turn = accounts.findIndex(({ credits }) => hasCreditFor(credits, session_id, tx.now));
  return { ...found, valor: sessionValue(planInTurn(await loadPlans(tx, accounts), turn)) };
}

/** What was agreed with the booking, or the policy of the session's location, as it was when the session was booked. */
export async function loadTerms(
  tx: CommandTransaction,
  { location_id, session_id, porta }: KnownSession,
  motivo?: CancellationReason,
): Promise<PolicyTerms> {
  const booked = bookedTerms(porta, motivo);
  if (booked) return booked.terms;
  if (location_id === null) return defaultPolicy;
  const [terms] = await tx.lookUp(termsWhenBooked, location_id, session_id);
  return terms ?? defaultPolicy;
}

export function momentOf({ now, context: { timezone } }: CommandTransaction): Moment {
  return { now, timezone, newId: randomUUID };
}

interface Charging {
  /** What is undone had cancelled the charge, which comes back. */
  undoes?: boolean;
  /** Only for what can cost no fee it is left out. */
  link?: ChargeLink | undefined;
}

/**
 * Appends the events of a settlement and returns the new state of the session. Where the session owes nothing any more, or
 * another student owes it, its charge is cancelled; where its cancellation costs a fee, a charge is issued.
 */
export async function record(
  tx: CommandTransaction,
  before: KnownSession,
  settled: Settled,
  { undoes = false, link }: Charging = {},
): Promise<KnownSession> {
  const { session_id } = before;
  for (const event of settled.credits) tx.append(creditAccount, event.data.student_id, [event]);
  tx.append(session, session_id, settled.session);
  const state = await tx.load(session, session_id);
  const now = state?.deleted ? state : existingSession(state);
  const turn = turnOf(before, now);
  if (turn === null) {
    if (now.confirmado && !before.confirmado) await standBooking(tx, now);
    return now;
  }
  const booked = await chargeOfBooking(tx, before);
  if (booked) {
    followBooking(tx, booked, now, turn);
    return now;
  }
  const cancelled = isOwed(before) ? await cancelChargeOfSession(tx, session_id, turn) : undefined;
  if (!isOwed(now)) return now;
  if (undoes) await restoreChargeOfSession(tx, now, cancelled);
  else if (now.taxa > 0 && (turn === 'cancelada' || cancelled !== undefined)) {
    // A forgotten person cannot be charged.
    const who = await tx.load(student, now.student_id);
    if (who.status !== 'unknown' && who.nome !== null) await issueFee(tx, now, cancelled, link!);
  }
  return now;
}

/** What changed, of what decides whether and by whom a session is owed; null if nothing did. */
function turnOf(before: KnownSession, { status, deleted, student_id }: KnownSession): SessionTurn | null {
  if (student_id !== before.student_id) return 'de_outro_aluno';
  if (status === before.status && deleted === before.deleted) return null;
  return deleted ? 'excluida' : status === 'agendada' ? 'reaberta' : status;
}
