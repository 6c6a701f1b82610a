import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Query } from '../../platform/database/database.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { CommandContext, CommandResult } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { decideForget, person } from '../privacy/person.js';
import { endAccess } from './invites.commands.js';
import { decideClose, tenant } from './tenant.js';

/** People whom one command forgets. */
const AT_ONCE = 100;

const PERSONS = `select person_id as id from person_keys
  where tenant_id = $1 and person_id <> $1 and wrapped_key is not null order by 1 limit ${AT_ONCE}`;
const STUDENTS = `select student_id as id from memberships where tenant_id = $1 and role = 'aluno'`;
const IS_SHARED = `select from memberships where tenant_id = $1 and role = 'personal' and user_id <> $2 limit 1`;
const LEAVE = 'delete from memberships where tenant_id = $1 and user_id = $2';
const CLEAR_MEMBERSHIPS = 'delete from memberships where tenant_id = $1';
const CLEAR_TENANT = 'delete from tenants where tenant_id = $1';
const FORGET_EXPORTS = `delete from auth.account_exports e using memberships m
  where m.tenant_id = $1 and m.user_id = e.user_id and m.role = 'personal'`;

/** Somebody whose account is gone leaves a tenant. Its context is theirs. `is_over`: there is nothing more to do. */
export class LeaveTenant extends Command<CommandResult<{ id: string; is_over: boolean }>> {
  constructor(readonly context: CommandContext) {
    super();
  }
}

/**
 * A student's business goes on without the account; what the trainer keeps of the student is the trainer's. A trainer who
 * was the only one takes the business along: everybody in it is forgotten, some at a time, students lose their access, and
 * with the last of them it is closed. Amounts and counts stay, without names.
 */
@CommandHandler(LeaveTenant)
export class LeaveTenantHandler implements ICommandHandler<LeaveTenant> {
  constructor(
    private readonly store: EventStore,
    private readonly outbox: Outbox,
    private readonly hints: HintBus,
  ) {}

  async execute(command: LeaveTenant): Promise<CommandResult<{ id: string; is_over: boolean }>> {
    const { tenantId, userId } = command.context;
    let left: (string | null)[] = [];
    const result = await this.store.transact(command, async (tx) => {
      left = [userId];
      const isOver = await this.leave(tx, left);
      return { id: tenantId, is_over: isOver };
    });
    for (const each of left) if (each !== null) this.hints.membershipEnded(tenantId, each);
    return result;
  }

  /** `left`: users whose sockets are to be ended after the commit. */
  private async leave(tx: CommandTransaction, left: (string | null)[]): Promise<boolean> {
    const { tenantId, userId, studentId } = tx.context;
    if (studentId !== null) await endAccess(tx, studentId);
    const isShared = studentId !== null || (await tx.query(IS_SHARED, [tenantId, userId])).length > 0;
    if (isShared) {
      await tx.query(LEAVE, [tenantId, userId]);
      return true;
    }
    const persons = await idsOf(tx, PERSONS);
    const isLast = persons.length < AT_ONCE;
    const students = isLast ? await idsOf(tx, STUDENTS) : [];
    for (const id of new Set([...persons, ...students])) left.push(await endAccess(tx, id));
    const query: Query = (text, values) => tx.query(text, values);
    for (const id of persons) {
      tx.append(person, id, decideForget(await tx.load(person, id), id));
      await this.outbox.forget(query, id);
    }
    if (!isLast) return false;
    tx.append(tenant, tenantId, decideClose(await tx.load(tenant, tenantId), tenantId));
    await tx.query(CLEAR_MEMBERSHIPS, [tenantId]);
    await tx.query(CLEAR_TENANT, [tenantId]);
    return true;
  }
}

async function idsOf(tx: CommandTransaction, text: string): Promise<string[]> {
  return (await tx.query<{ id: string }>(text, [tx.context.tenantId])).map(({ id }) => id);
}

/** Somebody of the tenant is forgotten, in that transaction: copies that speak of them are gone. */
export async function forgetExports(tx: CommandTransaction): Promise<void> {
  await tx.query(FORGET_EXPORTS, [tx.context.tenantId]);
}
