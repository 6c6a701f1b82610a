import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Outbox } from '../../platform/mail/outbox.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { decideForget, person } from '../students/person.js';
import { endAccess } from './invites.commands.js';
import { decideClose, tenant } from './tenant.js';

/** Largest number of people that one command forgets. */
const AT_ONCE = 100;

const rememberedPersons = defineLookUp<{ id: string }, []>(`select person_id as id from person_keys
  where tenant_id = $1 and person_id <> $1 and wrapped_key is not null and retained_person is null order by 1 limit ${AT_ONCE}`);
const studentMembers = defineLookUp<{ id: string }, []>(
  `select student_id as id from memberships where tenant_id = $1 and role = 'aluno'`,
);
const otherTrainers = defineLookUp<Record<string, never>, [userId: string]>(
  `select from memberships where tenant_id = $1 and role = 'personal' and user_id <> $2 limit 1`,
);
const LEAVE = `delete from memberships
  where tenant_id = $1 and user_id = $2 and student_id is not distinct from $3::uuid`;
const CLEAR_MEMBERSHIPS = 'delete from memberships where tenant_id = $1';
const CLEAR_TENANT = 'delete from tenants where tenant_id = $1';
const FORGET_EXPORTS = `delete from auth.account_exports e using memberships m
  where m.tenant_id = $1 and m.user_id = e.user_id and m.role = 'personal'`;

/**
 * Removes a user whose account was deleted from a tenant, as its trainer or as one student; runs in the context of that membership.
 * `is_over`: nothing is left to do.
 *
 * When a student's account is deleted, the trainer's records of the student stay. When the only trainer's account is deleted, the
 * tenant ends: everybody in it is forgotten, a few in each command, students lose their access, and finally it is closed.
 * Amounts and counts stay, without names; texts under retention stay until its end.
 */
export const LeaveTenant = defineCommand(
  'LeaveTenant',
  { outbox: Outbox, hints: HintBus },
  async (tx, { outbox, hints }) => {
    const { tenantId, userId } = tx.context;
    tx.afterCommit(() => hints.membershipEnded(tenantId, userId));
    return { id: tenantId, is_over: await leave(tx, outbox, hints) };
  },
);

async function leave(tx: CommandTransaction, outbox: Outbox, hints: HintBus): Promise<boolean> {
  const { tenantId, userId, studentId } = tx.context;
  if (studentId !== null) await endAccess(tx, studentId, hints);
  const isShared = studentId !== null || (await tx.lookUp(otherTrainers, userId)).length > 0;
  if (isShared) {
    tx.inTransaction((query) => query(LEAVE, [tenantId, userId, studentId]));
    return true;
  }
  const persons = await tx.lookUp(rememberedPersons);
  const isLast = persons.length < AT_ONCE;
  const students = isLast ? await tx.lookUp(studentMembers) : [];
  for (const id of new Set([...persons, ...students].map((row) => row.id))) {
    await endAccess(tx, id, hints);
  }
  for (const { id } of persons) {
    tx.append(person, id, decideForget(await tx.load(person, id), id));
    tx.inTransaction((query) => outbox.forget(query, id));
  }
  if (!isLast) return false;
  tx.append(tenant, tenantId, decideClose(await tx.load(tenant, tenantId), tenantId));
  tx.inTransaction(async (query) => {
    await outbox.forgetTenant(query, tenantId);
    await query(CLEAR_MEMBERSHIPS, [tenantId]);
    await query(CLEAR_TENANT, [tenantId]);
  });
  return true;
}

/** Deletes data exports of a person who is forgotten, in the transaction that forgets. */
export function forgetExports(tx: CommandTransaction): void {
  tx.inTransaction((query) => query(FORGET_EXPORTS, [tx.context.tenantId]));
}
