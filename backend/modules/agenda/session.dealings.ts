import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { Problem } from '../../platform/http/problem.js';
import { timeOf } from '../../platform/portuguese.js';
import {
  type ConsumptionCause,
  creditAccount,
  decideConsume,
  decideReturn,
  type EntryOrigin,
} from '../credits/credit-account.js';
import { plan } from '../plans/plan.js';
import { student } from '../students/student.js';
import { sessionValue } from './cancellation.js';
import { firstStart } from './session-slots.guard.js';
import type { CreditUse, KnownSession, Period } from './session.js';

/** What a command on a session has to do with other streams and with the other sessions, inside its transaction. */

interface Taken extends Record<string, unknown> {
  session_id: string;
  inicio: Date;
  fim: Date;
  /** As the read tables know it: null while they are behind, or when the person was forgotten. */
  nome: string | null;
}

/** The sessions of tenant `$1` that take a part of the time from `$2` to `$3`, except `$4`. */
export const TAKEN = `select m.session_id, m.inicio, m.fim, st.nome
from session_slot_members m
left join sessions s on s.tenant_id = m.tenant_id and s.id = m.session_id
left join students st on st.tenant_id = s.tenant_id and st.id = s.student_id
where m.tenant_id = $1 and m.inicio < $3 and m.fim > $2 and m.inicio >= ${firstStart('$2')}
  and m.session_id is distinct from $4 order by m.inicio, m.fim`;

/** 409 agenda.overlap, with the sessions in the way, unless the overlap is wanted. Touching is not overlapping. */
export async function refuseOverlap(
  tx: CommandTransaction,
  { inicio, fim }: Period,
  permitted: boolean,
  own: string | null = null,
): Promise<void> {
  if (!permitted) await tx.foresee(() => refuseTaken(tx, { inicio, fim }, own));
}

async function refuseTaken(
  tx: CommandTransaction,
  { inicio, fim }: Period,
  own: string | null,
): Promise<void> {
  const { tenantId, timezone } = tx.context;
  const taken = await tx.query<Taken>(TAKEN, [tenantId, inicio, fim, own]);
  const [first] = taken;
  if (!first) return;
  const who = first.nome === null ? 'Já há uma sessão' : `${first.nome.split(' ')[0]} já tem aula`;
  throw new Problem('agenda.overlap', {
    detail: `${who} das ${timeOf(first.inicio, timezone)} às ${timeOf(first.fim, timezone)}. Escolha outro horário ou agende mesmo assim.`,
    errors: [{ pointer: '/inicio', detail: 'Horário já ocupado' }],
    session_ids: taken.map(({ session_id }) => session_id),
  });
}

/** Cents that a session of this student is worth; null without a plan that gives credits. */
export async function valueFor(tx: CommandTransaction, student_id: string): Promise<number | null> {
  const who = await tx.load(student, student_id);
  if (who.status === 'unknown' || !who.plano_id) return null;
  const its = await tx.load(plan, who.plano_id);
  return sessionValue(its.status === 'unknown' ? undefined : its);
}

/** Uses one of the student's credits for the session, if there is one. */
export async function useCredit(
  tx: CommandTransaction,
  { session_id, student_id }: Pick<KnownSession, 'session_id' | 'student_id'>,
  causa: ConsumptionCause['causa'],
): Promise<CreditUse> {
  const account = await tx.load(creditAccount, student_id);
  const used = decideConsume(account, origin(tx, student_id), { causa, session_id });
  if (used === 'none') return 'faltou';
  tx.append(creditAccount, student_id, used);
  return 'usado';
}

/** Gives back the credit that the session holds, if it holds one. */
export async function returnCredit(
  tx: CommandTransaction,
  { session_id, student_id, credito }: KnownSession,
): Promise<void> {
  if (credito !== 'usado') return;
  const account = await tx.load(creditAccount, student_id);
  const returned = decideReturn(account, origin(tx, student_id), session_id);
  if (returned !== 'none') tx.append(creditAccount, student_id, returned);
}

function origin(tx: CommandTransaction, student_id: string): EntryOrigin {
  return { student_id, entry_id: randomUUID(), now: tx.now };
}
