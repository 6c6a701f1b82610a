import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../../platform/clock.js';
import { Database, type Query } from '../../../platform/database/database.js';
import { statement } from '../../../platform/database/statement.js';
import type { CommandContext } from '../../../platform/event-store/context.js';
import {
  type AccountDeletion,
  DeleteAccountAgain,
  ForgottenList,
} from '../../../platform/event-store/forgotten-list.js';
import { Problem } from '../../../platform/http/problem.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import type { VerifiedSession } from '../../../platform/realtime/session-verifier.js';
import type { Caller } from '../auth/auth-controller.js';
import { LeaveTenant } from '../leaving.commands.js';
import { Sessions } from '../sessions/sessions.service.js';
import { MEMBERSHIPS, type OwnMembership } from './export-writer.js';
import type { DeletionPreview, PersonProof } from './own-data.api.js';
import { PersonProofs, type UseProof } from './person-proofs.service.js';

/** Locks the user's row first, as every sign-in does. */
const LOCK = 'select email from auth.users where id = $1 for update';
const SESSIONS = 'select id from auth.sessions where user_id = $1 and ended_at is null';
const AS_PERSON = "select set_config('app.person', $1, true)";
const DEPART = 'insert into auth.departures (user_id) values ($1) on conflict do nothing';
const CLEAR_TOKENS = 'delete from auth.mail_tokens where owner_id = $1';
const CLEAR_PENDING = 'delete from auth.pending_sign_ups where email = $1';
/** Profile, sessions, factors, passkeys, identities, copies and codes are deleted with it. */
const DELETE = 'delete from auth.users where id = $1';
const DEPARTED = 'delete from auth.departures where user_id = $1';
const IS_DUE = 'select from auth.departures where user_id = $1';
const DUE = 'select user_id as id from auth.departures order by at limit 20';

/**
 * Deletes accounts. The user, the profile and all sessions are deleted in one transaction. After that the worker removes the user
 * from each tenant, with one command each; after an interruption it continues where it stopped.
 */
@Injectable()
export class AccountDeletions extends DeleteAccountAgain {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly list: ForgottenList,
    private readonly outbox: Outbox,
    private readonly proofs: PersonProofs,
    private readonly sessions: Sessions,
  ) {
    super();
  }

  async preview({ userId }: VerifiedSession): Promise<DeletionPreview> {
    const [proof, memberships] = await Promise.all([this.proofs.needed(userId), this.membershipsOf(userId)]);
    const own = memberships.filter(({ role }) => role === 'personal');
    const asStudent = memberships.filter(({ role }) => role === 'aluno');
    return {
      ...proof,
      negocios: await Promise.all(
        own.map(async ({ tenant_id }) => ({ tenant_id, alunos: await this.countStudents(tenant_id) })),
      ),
      personais: [...new Set(asStudent.map(({ tenant_id }) => tenant_id))].map((tenant_id) => {
        const students = asStudent.filter((each) => each.tenant_id === tenant_id);
        return {
          tenant_id,
          nome: students[0]!.personal ?? 'Seu personal',
          alunos: students.map(({ aluno }) => aluno ?? 'Aluno'),
        };
      }),
    };
  }

  /**
   * Deletes the account; does nothing where it was deleted already.
   * @throws Problem 422 `account.proof_refused`, 429, 503 where the list of the forgotten cannot be written
   */
  async request({ userId }: VerifiedSession, proof: PersonProof, caller: Caller): Promise<void> {
    await this.proofs.prove(userId, proof, caller, (use) => this.erase(userId, use));
  }

  /**
   * Removes a deleted account from its tenants; ignores the ids of other accounts, whatever a job names. After an interruption it
   * continues when it is called again.
   */
  async finish(userId: string): Promise<void> {
    const [departure] = await this.database.query(IS_DUE, [userId]);
    if (departure) await this.leaveAll(userId);
  }

  private async leaveAll(userId: string): Promise<void> {
    for (const { tenant_id, timezone, role, student_id } of await this.membershipsOf(userId)) {
      const context = {
        tenantId: tenant_id,
        userId,
        role,
        studentId: student_id,
        timezone,
        requestId: randomUUID(),
        device: null,
        idempotency: null,
      };
      while (!(await this.leave(context)));
    }
    await this.database.query(DEPARTED, [userId]);
  }

  /** One step; true with the last one. */
  private async leave(context: CommandContext): Promise<boolean> {
    try {
      return (await this.commands.execute(new LeaveTenant(context))).answer.is_over;
    } catch (error) {
      // Another process has closed it.
      if (error instanceof Problem && error.code === 'not_found') return true;
      throw error;
    }
  }

  /** Deletions that are unfinished because a job was lost or a worker ended. */
  async due(): Promise<string[]> {
    return (await this.database.query<{ id: string }>(DUE, [])).map(({ id }) => id);
  }

  /** Repeats a deletion after the restore of a backup that was made before it. */
  async deleteAgain({ accountId }: AccountDeletion): Promise<boolean> {
    const isKnown = await this.erase(accountId);
    await this.leaveAll(accountId);
    return isKnown;
  }

  /**
   * Deletes in one transaction; false if there is no such account. With a proof, which must still be valid, the
   * deletion is added to the list of the forgotten.
   */
  private async erase(userId: string, useProof?: UseProof): Promise<boolean> {
    let ended: string[] = [];
    const isKnown = await this.database.transact(async (query) => {
      const [person] = await query<{ email: string }>(LOCK, [userId]);
      if (!person) return false;
      await useProof?.(query);
      ended = (await query<{ id: string }>(SESSIONS, [userId])).map(({ id }) => id);
      await this.clear(query, userId, person.email);
      if (useProof) await this.list.addAccount(userId, this.clock.now());
      return true;
    });
    this.sessions.dropSockets(ended, userId, 'account_deleted');
    return isKnown;
  }

  private async clear(query: Query, userId: string, email: string): Promise<void> {
    await query(DEPART, [userId]);
    await query(AS_PERSON, [userId]);
    await this.outbox.forget(query, userId);
    await query(CLEAR_TOKENS, [userId]);
    await query(CLEAR_PENDING, [email]);
    await query(DELETE, [userId]);
  }

  private membershipsOf(userId: string): Promise<OwnMembership[]> {
    return this.database.query<OwnMembership>(MEMBERSHIPS, [userId]);
  }

  private async countStudents(tenantId: string): Promise<number> {
    const [row] = await this.database.read(tenantId, students({}));
    return row!.alunos;
  }
}

const students = statement((db) =>
  db
    .selectFrom('students')
    .select(({ fn }) => fn.countAll<number>().as('alunos'))
    .where('status', '<>', 'removed')
    .where('nome', 'is not', null)
    .compile(),
);
