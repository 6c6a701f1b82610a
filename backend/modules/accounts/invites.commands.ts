import { randomUUID } from 'node:crypto';
import { addDays } from 'date-fns';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { decideRevokeOwn, studentCalendar } from '../calendar-links/student-calendar.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { decideTell, saidOnJoining, toldContact } from '../told-contacts/told-contact.js';
import { type Accepted, INVITE_DAYS } from './invites.api.js';
import { Invites } from './invites.service.js';
import type { Profile } from './profile.api.js';
import {
  decideAccept,
  decideCancel,
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
 * Gives the user the student's membership, in the caller's transaction. Where the account has another name or phone than
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
  const acceptance = { student_id: studentId, invite_id: inviteId, user_id: userId };
  const events = decideAccept(access, acceptance, tx.now);
  if (events.length === 0) return;
  tx.append(studentAccess, studentId, events);
  tx.append(toldContact, studentId, decideTell(told, who, saidOnJoining(who, account)));
  tx.inTransaction(async (query) => {
    const [account] = await query(KEEP_ACCOUNT, [userId]);
    if (!account) throw new Problem('unauthenticated');
    const joined = await query(JOIN, [tx.context.tenantId, userId, studentId]);
    if (joined.length === 0) throw new Problem('invites.already_member');
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
