import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { Problem } from '../../../platform/http/problem.js';
import { logSecurity, originOf } from '../../../platform/ops/security-log.js';
import { AuthError } from '../auth/auth-error.js';
import { AuthLimits } from '../auth/auth-limits.service.js';
import type { Caller } from '../auth/auth-controller.js';
import { Factors } from '../auth/factors.service.js';
import { type MailToken, MailTokens } from '../auth/mail-tokens.service.js';
import { MailedCodes } from '../auth/mailed-codes.service.js';
import { isRecoveryCode } from '../auth/recovery-codes.service.js';
import { Passwords } from '../secrets/passwords.service.js';
import type { NeededProof, PersonProof } from './own-data.api.js';

const PERSON = `select email, password_hash,
    exists (select from auth.factors f where f.user_id = u.id and verified_at is not null) as has_factor
  from auth.users u where id = $1`;
/** Locks the user's row first, as every sign-in does. */
const LOCK = 'select password_hash from auth.users where id = $1 for update';

interface Person {
  email: string;
  password_hash: string | null;
  has_factor: boolean;
}

/** Uses up the proof, in the transaction of the action that needs it. @throws if the proof is no longer valid */
export type UseProof = (query: Query) => Promise<void>;

/**
 * Proofs of identity for sensitive requests, for which a signed-in session alone is not enough: the password or a mailed code, and
 * a code of the second factor where there is one.
 */
@Injectable()
export class PersonProofs {
  constructor(
    private readonly database: Database,
    private readonly limits: AuthLimits,
    private readonly passwords: Passwords,
    private readonly tokens: MailTokens,
    private readonly codes: MailedCodes,
    private readonly factors: Factors,
  ) {}

  async needed(userId: string): Promise<NeededProof> {
    const [person] = await this.database.query<Person>(PERSON, [userId]);
    return { senha: person!.password_hash !== null, segundo_fator: person!.has_factor };
  }

  /**
   * Runs `work`, whose transaction uses up the proof. Undefined if the person's account is gone.
   * @throws Problem 422 `account.proof_refused`, 429
   */
  async prove<Result>(
    userId: string,
    proof: PersonProof,
    caller: Caller,
    work: (use: UseProof) => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await this.attempt(userId, proof, caller, work);
    } catch (error) {
      if (error instanceof Problem && error.code === 'account.proof_refused') {
        const reason = error.errors![0]!.pointer.slice(1);
        logSecurity('proof_failed', { userId, reason }, originOf(caller.request));
      }
      throw error;
    }
  }

  private async attempt<Result>(
    userId: string,
    proof: PersonProof,
    caller: Caller,
    work: (use: UseProof) => Promise<Result>,
  ): Promise<Result | undefined> {
    const [person] = await this.database.query<Person>(PERSON, [userId]);
    if (!person) return undefined;
    const token = await this.check(person, proof, caller);
    const { codigo_app: code } = proof;
    if (!person.has_factor) return work((query) => this.use(query, userId, { person, token }));
    if (!code) throw refused('codigo_app', 'Digite o código do seu aplicativo autenticador');
    const kind = isRecoveryCode(code) ? 'recovery_code' : 'totp';
    return asProblem('codigo_app', 'Código incorreto ou já usado', () =>
      this.limits.tryFactor(kind, userId, caller, () =>
        work((query) => this.use(query, userId, { person, token, code })),
      ),
    );
  }

  private async use(
    query: Query,
    userId: string,
    { person, token, code }: { person: Person; token: MailToken | undefined; code?: string },
  ): Promise<void> {
    const [now] = await query<Pick<Person, 'password_hash'>>(LOCK, [userId]);
    if (person.password_hash !== now?.password_hash) throw refused('senha', 'Senha incorreta');
    if (token) {
      await asProblem('codigo_email', 'Código incorreto ou expirado', () => this.tokens.use(query, token));
    }
    if (code) await this.factors.prove(query, userId, code);
  }

  /** Returns the token of a mailed code, to be used up. */
  private async check(
    { email, password_hash }: Person,
    { senha, codigo_email }: PersonProof,
    caller: Caller,
  ): Promise<MailToken | undefined> {
    if (codigo_email) {
      return asProblem('codigo_email', 'Código incorreto ou expirado', () =>
        this.codes.find(['reauthentication'], email, codigo_email, caller),
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
}

function refused(field: string, detail: string): Problem {
  return new Problem('account.proof_refused', { detail, errors: [{ pointer: `/${field}`, detail }] });
}

/** Converts an error of `/auth/v1` to a problem at the field. */
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
