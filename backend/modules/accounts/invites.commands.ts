import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';
import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { decideRevokeOwn, studentCalendar } from '../calendar-links/student-calendar.js';
import { existingPayer, payer } from '../payers/payer.js';
import { studentsOf } from '../payers/payers.loads.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { decideTell, saidOnJoining, toldContact } from '../told-contacts/told-contact.js';
import { type Accepted, INVITE_DAYS } from './invites.api.js';
import { Invites } from './invites.service.js';
import type { Profile } from './profile.api.js';
import {
  decideAccept,
  decideCancel,
  decideCancelFor,
  decideEnd,
  decideEndArea,
  decideInvite,
  studentAccess,
} from './student-access.js';

/** Waits for a deletion of the account that is under way: it would not see a membership that is added after it. */
export const KEEP_ACCOUNT = 'select from auth.users where id = $1 for key share';
/** A trainer is not a student of their own. */
export const JOIN = `insert into memberships (tenant_id, user_id, role, student_id) select $1::uuid, $2::uuid, 'aluno', $3::uuid
  where not exists (select from memberships where tenant_id = $1 and user_id = $2 and role = 'personal')
  on conflict do nothing returning user_id`;
export const LEAVE = 'delete from memberships where tenant_id = $1 and user_id = $2 and student_id = $3';

export const InviteStudent = defineCommand(
  'InviteStudent',
  { invites: Invites },
  async (tx, { invites }, studentId: string) => {
    const [who, access] = await Promise.all([tx.load(student, studentId), tx.load(studentAccess, studentId)]);
    const { student_id } = activeStudent(who);
    const id = randomUUID();
    const token_hash = invites.hashOf(id);
    const expires_at = addDays(tx.now, INVITE_DAYS).toISOString();
    const events = decideInvite(access, { student_id, invite_id: id, token_hash, expires_at });
    tx.append(studentAccess, studentId, events);
    return { id, expires_at };
  },
);

export const CancelInvites = defineCommand('CancelInvites', async (tx, studentId: string) => {
  const [who, access] = await Promise.all([tx.load(student, studentId), tx.load(studentAccess, studentId)]);
  existingStudent(who);
  tx.append(studentAccess, studentId, decideCancel(access, studentId));
  return { id: studentId };
});

/** Invites a payer by one link, which gives their account all students whom they pay for when it is accepted. */
export const InvitePayer = defineCommand(
  'InvitePayer',
  { invites: Invites },
  async (tx, { invites }, payerId: string) => {
    existingPayer(await tx.load(payer, payerId));
    const [first] = await withoutAccount(tx, payerId);
    if (first === undefined) throw new Problem('invites.nobody_left');
    const id = randomUUID();
    const expires_at = addDays(tx.now, INVITE_DAYS).toISOString();
    const link = { invite_id: id, token_hash: invites.hashOf(id), expires_at };
    const events = decideInvite(await tx.load(studentAccess, first), {
      student_id: first,
      ...link,
      payer_id: payerId,
    });
    tx.append(studentAccess, first, events);
    return { id, expires_at };
  },
);

/** The active students of a payer who have no account. */
async function withoutAccount(tx: CommandTransaction, payerId: string): Promise<string[]> {
  const ids = await studentsOf(tx, payerId);
  const isLeft = await Promise.all(
    ids.map(async (id) => {
      const [who, access] = await Promise.all([tx.load(student, id), tx.load(studentAccess, id)]);
      return who.status === 'active' && access.user_id === null;
    }),
  );
  return ids.filter((_id, index) => isLeft[index]);
}

const openFor = defineLookUp<{ student_id: string }, [payerId: string]>(
  'select distinct student_id from student_invites where tenant_id = $1 and payer_id = $2 and not closed',
);

export const CancelPayerInvites = defineCommand('CancelPayerInvites', async (tx, payerId: string) => {
  existingPayer(await tx.load(payer, payerId));
  for (const { student_id } of await tx.lookUp(openFor, payerId))
    tx.append(
      studentAccess,
      student_id,
      decideCancelFor(await tx.load(studentAccess, student_id), student_id, payerId),
    );
  return { id: payerId };
});

/** What an account that accepts an invite says. `telefone`: in E.164. */
type AccountSays = Pick<Profile, 'nome' | 'telefone'>;

/** Accepts an invite with an existing account. */
export const AcceptInvite = defineCommand(
  'AcceptInvite',
  { hints: HintBus },
  async (tx, { hints }, inviteId: string, studentId: string, account: AccountSays): Promise<Accepted> => {
    const { userId, tenantId } = tx.context;
    await accept(tx, { inviteId, studentId }, userId, account);
    // The account's other open pages offer to switch to this student.
    tx.afterCommit(() => hints.personChanged(userId));
    return { tenant_id: tenantId, student_id: studentId };
  },
);

/**
 * Gives the user the student's membership, or with a payer's invite those of all students whom the payer pays for and who have no
 * account, in the caller's transaction. Where the account has another name or phone than
 * the register, the trainer is asked, as after a change of the account.
 * @throws Problem 404 if the link is no longer valid, 409 if the user is the tenant's trainer, 401 if the account was
 * deleted meanwhile
 */
export async function accept(
  tx: CommandTransaction,
  { inviteId, studentId }: { inviteId: string; studentId: string },
  userId: string,
  account: AccountSays,
): Promise<void> {
  const [who, access, told] = await Promise.all([
    tx.load(student, studentId),
    tx.load(studentAccess, studentId),
    tx.load(toldContact, studentId),
  ]);
  if (who.status !== 'active') throw new Problem('invites.not_valid');
  const payer_id = access.invites.find(({ invite_id }) => invite_id === inviteId)?.payer_id;
  const about = { invite_id: inviteId, user_id: userId, ...(payer_id !== undefined && { payer_id }) };
  const events = decideAccept(access, { student_id: studentId, ...about }, tx.now);
  if (events.length === 0) return;
  // Who pays for the student by now: a former payer's link is none any more.
  const others = payer_id === undefined ? [] : await withoutAccount(tx, payer_id);
  if (payer_id !== undefined && !others.includes(studentId)) throw new Problem('invites.not_valid');
  tx.append(studentAccess, studentId, events);
  // A payer's account says nothing of the student.
  if (payer_id === undefined)
    tx.append(toldContact, studentId, decideTell(told, who, saidOnJoining(who, account)));
  const students = new Set([studentId, ...others]);
  for (const student_id of others.filter((id) => id !== studentId))
    tx.append(studentAccess, student_id, [{ type: 'InviteAccepted', data: { student_id, ...about } }]);
  tx.inTransaction(async (query) => {
    const [account] = await query(KEEP_ACCOUNT, [userId]);
    if (!account) throw new Problem('unauthenticated');
    for (const student_id of students) {
      const joined = await query(JOIN, [tx.context.tenantId, userId, student_id]);
      if (joined.length === 0) throw new Problem('invites.already_member');
    }
  });
}

export const EndStudentAccess = defineCommand(
  'EndStudentAccess',
  { hints: HintBus },
  async (tx, { hints }, studentId: string) => {
    existingStudent(await tx.load(student, studentId));
    await endAccess(tx, studentId, hints);
    return { id: studentId };
  },
);

/**
 * Ends the student's access, in the caller's transaction: the membership, all invites and all links. The user's sockets are closed
 * after the commit; a restore has no sockets (`hints` null).
 */
export async function endAccess(
  tx: CommandTransaction,
  studentId: string,
  hints: HintBus | null,
): Promise<void> {
  const { tenantId } = tx.context;
  const access = await tx.load(studentAccess, studentId);
  tx.append(studentAccess, studentId, [
    ...decideCancel(access, studentId),
    ...decideEndArea(access, studentId),
    ...decideEnd(access, studentId),
  ]);
  const calendar = await tx.load(studentCalendar, studentId);
  tx.append(studentCalendar, studentId, decideRevokeOwn(calendar, studentId));
  const { user_id } = access;
  if (user_id === null) return;
  tx.inTransaction((query) => query(LEAVE, [tenantId, user_id, studentId]));
  tx.afterCommit(() => hints?.membershipEnded(tenantId, user_id));
}
