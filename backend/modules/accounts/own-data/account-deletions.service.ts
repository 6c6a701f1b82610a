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
import { AuthError } from '../auth/auth-error.js';
import { AuthLimits } from '../auth/auth-limits.service.js';
import type { Caller } from '../auth/caller.js';
import { Factors } from '../auth/factors.service.js';
import { type MailToken, MailTokens } from '../auth/mail-tokens.service.js';
import { isRecoveryCode } from '../auth/recovery-codes.service.js';
import { LeaveTenant } from '../leaving.commands.js';
import { Passwords } from '../secrets/passwords.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import { MEMBERSHIPS, type OwnMembership } from './export-writer.js';
import type { AccountDeletionBody, DeletionPreview } from './own-data.api.js';

const PERSON = `select email, password_hash,
    exists (select from auth.factors f where f.user_id = u.id and verified_at is not null) as has_factor
  from auth.users u where id = $1`;
/** The row first, as every way in does. */
const LOCK = 'select email, password_hash from auth.users where id = $1 for update';
const SESSIONS = 'select id from auth.sessions where user_id = $1 and ended_at is null';
const AS_PERSON = "select set_config('app.person', $1, true)";
const DEPART = 'insert into auth.departures (user_id) values ($1) on conflict do nothing';
const CLEAR_TOKENS = 'delete from auth.mail_tokens where owner_id = $1';
const CLEAR_PENDING = 'delete from auth.pending_sign_ups where email = $1';
/** Profile, sessions, factors, identities, copies and codes go with it. */
const DELETE = 'delete from auth.users where id = $1';
const DEPARTED = 'delete from auth.departures where user_id = $1';
const DUE = 'select user_id as id from auth.departures order by at limit 20';

interface Person {
  email: string;
  password_hash: string | null;
}

/** What shows that it is the person who asks. */
type Proof = Pick<AccountDeletionBody, 'senha' | 'codigo_email' | 'codigo_app'>;

/**
 * Deletes accounts. All that is told of a person as such goes in one transaction, and every session with it. The tenants
 * that they belonged to are left after that, one command each, by the worker: it goes on where one has ended.
 */
@Injectable()
export class AccountDeletions extends DeleteAccountAgain {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly clock: Clock,
    private readonly list: ForgottenList,
    private readonly outbox: Outbox,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
    private readonly tokens: MailTokens,
    private readonly factors: Factors,
    private readonly sessions: Sessions,
  ) {
    super();
  }

  async preview({ userId }: VerifiedSession): Promise<DeletionPreview> {
    const [[person], memberships] = await Promise.all([
      this.database.query<Person & { has_factor: boolean }>(PERSON, [userId]),
      this.membershipsOf(userId),
    ]);
    const own = memberships.filter(({ role }) => role === 'personal');
    return {
      senha: person!.password_hash !== null,
      segundo_fator: person!.has_factor,
      negocios: await Promise.all(
        own.map(async ({ tenant_id }) => ({ tenant_id, alunos: await this.countStudents(tenant_id) })),
      ),
      personais: memberships
        .filter(({ role }) => role === 'aluno')
        .map(({ tenant_id, personal }) => ({ tenant_id, nome: personal ?? 'Seu personal' })),
    };
  }

  /**
   * The account is gone when this returns. Nothing happens where it was gone already.
   * @throws Problem 422 `account.proof_refused`, 429, 503 where the list of the forgotten cannot be written
   */
  async request({ userId }: VerifiedSession, proof: Proof, caller: Caller): Promise<void> {
    const [person] = await this.database.query<Person & { has_factor: boolean }>(PERSON, [userId]);
    if (!person) return;
    const token = await this.prove(person, proof, caller);
    const { codigo_app: code } = proof;
    if (!person.has_factor) await this.erase(userId, { person, token });
    else if (!code) throw refused('codigo_app', 'Digite o código do seu aplicativo autenticador');
    else {
      const kind = isRecoveryCode(code) ? 'recovery_code' : 'totp';
      await asProblem('codigo_app', 'Código incorreto ou já usado', () =>
        this.limits.tryFactor(kind, userId, caller, () => this.erase(userId, { person, token, code })),
      );
    }
  }

  /** Leaves the tenants of somebody whose account is gone. Stopped anywhere, it goes on when it is called again. */
  async finish(userId: string): Promise<void> {
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

  /** Those that a lost job or a worker that ended has left. */
  async due(): Promise<string[]> {
    return (await this.database.query<{ id: string }>(DUE, [])).map(({ id }) => id);
  }

  /** What a restored backup does not know yet. */
  async deleteAgain({ accountId }: AccountDeletion): Promise<boolean> {
    const isKnown = await this.erase(accountId, {});
    await this.finish(accountId);
    return isKnown;
  }

  /** In one transaction; false where there is no such account. With a proof, it is listed and must still hold. */
  private async erase(
    userId: string,
    proof: { person?: Person; token?: MailToken | undefined; code?: string },
  ): Promise<boolean> {
    const { person, token, code } = proof;
    let ended: string[] = [];
    const isKnown = await this.database.transact(async (query) => {
      const [now] = await query<Person>(LOCK, [userId]);
      if (!now) return false;
      if (person && person.password_hash !== now.password_hash) throw refused('senha', 'Senha incorreta');
      if (token) {
        await asProblem('codigo_email', 'Código incorreto ou vencido', () => this.tokens.use(query, token));
      }
      if (code) await this.factors.prove(query, userId, code);
      ended = (await query<{ id: string }>(SESSIONS, [userId])).map(({ id }) => id);
      await this.clear(query, userId, now.email);
      if (person) await this.list.addAccount(userId, this.clock.now());
      return true;
    });
    this.sessions.dropSockets(ended);
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

  /** Answers the token of a code that came by mail, to be used with the deletion. */
  private async prove(
    { email, password_hash }: Person,
    { senha, codigo_email }: Proof,
    caller: Caller,
  ): Promise<MailToken | undefined> {
    if (codigo_email) {
      return asProblem('codigo_email', 'Código incorreto ou vencido', () =>
        this.limits.tryDigits(email, caller, () => this.tokens.reauthentication(email, codigo_email)),
      );
    }
    if (!senha) {
      throw password_hash === null
        ? refused('codigo_email', 'Digite o código que enviamos por e-mail')
        : refused('senha', 'Digite sua senha');
    }
    await asProblem('senha', 'Senha incorreta', () =>
      this.limits.tryPassword(email, caller, async () => {
        if (!(await this.passwords.matches(password_hash, senha))) throw refused('senha', 'Senha incorreta');
      }),
    );
    return undefined;
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

function refused(field: string, detail: string): Problem {
  return new Problem('account.proof_refused', { detail, errors: [{ pointer: `/${field}`, detail }] });
}

/** What `/auth/v1` refuses in its own shape, as a problem of the field. */
async function asProblem<Result>(
  field: string,
  detail: string,
  attempt: () => Promise<Result>,
): Promise<Result> {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    if (error.status === 429) throw new Problem('rate_limited', { retryAfter: error.retryAfter ?? 1 });
    throw refused(field, detail);
  }
}
