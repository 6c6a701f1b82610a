import { randomUUID } from 'node:crypto';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { addDays } from 'date-fns';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import type { Created } from '../../platform/http/common.api.js';
import { Problem } from '../../platform/http/problem.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { type Accepted, INVITE_DAYS } from './invites.api.js';
import { Invites } from './invites.service.js';
import { decideAccept, decideCancel, decideEnd, decideInvite, studentAccess } from './student-access.js';

const JOIN = `insert into memberships (tenant_id, user_id, role, student_id) values ($1, $2, 'aluno', $3)
  on conflict do nothing returning user_id`;
const LEAVE = 'delete from memberships where tenant_id = $1 and user_id = $2';

export class InviteStudent extends Command<CommandResult<{ id: string; expires_at: string }>> {
  constructor(
    readonly context: CommandContext,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(InviteStudent)
export class InviteStudentHandler implements ICommandHandler<InviteStudent> {
  constructor(
    private readonly store: EventStore,
    private readonly invites: Invites,
  ) {}

  execute(command: InviteStudent): Promise<CommandResult<{ id: string; expires_at: string }>> {
    const { studentId } = command;
    return this.store.transact(command, async (tx) => {
      const [who, access] = await Promise.all([
        tx.load(student, studentId),
        tx.load(studentAccess, studentId),
      ]);
      const id = randomUUID();
      const invite = {
        student_id: activeStudent(who).student_id,
        invite_id: id,
        token_hash: this.invites.hashOf(id),
        expires_at: addDays(tx.now, INVITE_DAYS).toISOString(),
      };
      tx.append(studentAccess, studentId, decideInvite(access, invite));
      return { id, expires_at: invite.expires_at };
    });
  }
}

export class CancelInvites extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(CancelInvites)
export class CancelInvitesHandler implements ICommandHandler<CancelInvites> {
  constructor(private readonly store: EventStore) {}

  execute(command: CancelInvites): Promise<CommandResult<Created>> {
    const { studentId } = command;
    return this.store.transact(command, async (tx) => {
      const [who, access] = await Promise.all([
        tx.load(student, studentId),
        tx.load(studentAccess, studentId),
      ]);
      existingStudent(who);
      tx.append(studentAccess, studentId, decideCancel(access, studentId));
      return { id: studentId };
    });
  }
}

/** By somebody who has an account already. */
export class AcceptInvite extends Command<CommandResult<Accepted>> {
  constructor(
    readonly context: CommandContext,
    readonly inviteId: string,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(AcceptInvite)
export class AcceptInviteHandler implements ICommandHandler<AcceptInvite> {
  constructor(private readonly store: EventStore) {}

  execute(command: AcceptInvite): Promise<CommandResult<Accepted>> {
    const { inviteId, studentId, context } = command;
    return this.store.transact(command, async (tx) => {
      await accept(tx, { inviteId, studentId }, context.userId);
      return { tenant_id: context.tenantId, student_id: studentId };
    });
  }
}

/**
 * The user becomes the student, in somebody's transaction.
 * @throws Problem 404 where the link is not valid any more, 409 for a user who belongs to the tenant already
 */
export async function accept(
  tx: CommandTransaction,
  { inviteId, studentId }: { inviteId: string; studentId: string },
  userId: string,
): Promise<void> {
  const [who, access] = await Promise.all([tx.load(student, studentId), tx.load(studentAccess, studentId)]);
  if (who.status !== 'active') throw new Problem('invites.not_valid');
  const acceptance = { student_id: studentId, invite_id: inviteId, user_id: userId };
  const events = decideAccept(access, acceptance, tx.now);
  if (events.length === 0) return;
  tx.append(studentAccess, studentId, events);
  const joined = await tx.query(JOIN, [tx.context.tenantId, userId, studentId]);
  if (joined.length === 0) throw new Problem('invites.already_member');
}

export class EndStudentAccess extends Command<CommandResult<Created>> {
  constructor(
    readonly context: CommandContext,
    readonly studentId: string,
  ) {
    super();
  }
}

@CommandHandler(EndStudentAccess)
export class EndStudentAccessHandler implements ICommandHandler<EndStudentAccess> {
  constructor(
    private readonly store: EventStore,
    private readonly hints: HintBus,
  ) {}

  async execute(command: EndStudentAccess): Promise<CommandResult<Created>> {
    const { studentId, context } = command;
    let userId: string | null = null;
    const result = await this.store.transact(command, async (tx) => {
      existingStudent(await tx.load(student, studentId));
      userId = await endAccess(tx, studentId);
      return { id: studentId };
    });
    if (userId !== null) this.hints.membershipEnded(context.tenantId, userId);
    return result;
  }
}

/**
 * Nobody is this student any more, and no link leads to it, in somebody's transaction. Answers the user whose sockets
 * are to be ended after the commit; null where there was none.
 */
export async function endAccess(tx: CommandTransaction, studentId: string): Promise<string | null> {
  const access = await tx.load(studentAccess, studentId);
  tx.append(studentAccess, studentId, [...decideCancel(access, studentId), ...decideEnd(access, studentId)]);
  if (access.user_id !== null) await tx.query(LEAVE, [tx.context.tenantId, access.user_id]);
  return access.user_id;
}
