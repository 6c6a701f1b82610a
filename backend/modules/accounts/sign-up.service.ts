import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { CommandContext } from '../../platform/event-store/context.js';
import { type Command, EventStore } from '../../platform/event-store/event-store.js';
import { CPF_ALREADY_REGISTERED, type SignUpData } from './accounts.api.js';
import { AuthError } from './auth-error.js';
import type { UserRow } from './auth-user.js';
import { Grants, type Query } from './grants.service.js';
import { Passwords } from './passwords.service.js';
import { Secrets } from './secrets.service.js';
import { slugsFor } from './slug.js';
import { tenant } from './tenant.js';

const DEFAULT_TIMEZONE = 'America/Sao_Paulo';

const NEW_USER = `insert into auth.users (id, email, password_hash, user_metadata, email_confirmed_at, last_sign_in_at)
  values ($1, $2, $3, $4, now(), now()) returning *`;
const NEW_PROFILE = 'insert into auth.profiles (user_id, cpf_fingerprint, sealed) values ($1, $2, $3)';
const NEW_TENANT = `insert into tenants (tenant_id, slug, timezone) values ($1, $2, $3)
  on conflict (slug) do nothing returning slug`;
const NEW_MEMBERSHIP = `insert into memberships (tenant_id, user_id, role) values ($1, $2, 'personal')`;

export interface Applicant {
  email: string;
  password: string;
  data: SignUpData;
  userAgent: string | undefined;
  requestId: string;
}

/** The name of the command in the log's meta. */
class SignUp implements Command {
  constructor(readonly context: CommandContext) {}
}

/** Makes a trainer's account: user, profile, tenant, membership, the tenant's log and a session, or nothing at all. */
@Injectable()
export class SignUps {
  constructor(
    private readonly store: EventStore,
    private readonly passwords: Passwords,
    private readonly secrets: Secrets,
    private readonly grants: Grants,
  ) {}

  /** @throws AuthError 422 for a weak password, a known address, a known CPF */
  async register({ email, password, data, userAgent, requestId }: Applicant) {
    this.passwords.refuseWeak(password);
    const passwordHash = await this.passwords.hash(password);
    const { nome, cpf, data_nascimento, telefone } = data;
    const userId = randomUUID();
    const tenantId = randomUUID();
    const timezone = DEFAULT_TIMEZONE;
    const sealed = this.secrets.seal(Buffer.from(JSON.stringify({ cpf, data_nascimento, telefone })), userId);

    let user: UserRow | undefined;
    let session: Awaited<ReturnType<Grants['start']>> | undefined;
    const command = new SignUp({
      tenantId,
      userId,
      role: 'personal',
      studentId: null,
      timezone,
      requestId,
      device: null,
      idempotency: null,
    });
    try {
      await this.store.transact(
        command,
        async (tx) => {
          const query: Query = (text, values) => tx.query(text, values);
          [user] = await query<UserRow>(NEW_USER, [userId, email, passwordHash, { nome }]);
          await query(NEW_PROFILE, [userId, this.secrets.fingerprint(cpf), sealed]);
          await takeSlug(query, slugsFor(nome, tenantId), tenantId, timezone);
          await query(NEW_MEMBERSHIP, [tenantId, userId]);
          session = await this.grants.start(query, userId, userAgent);
          tx.append(tenant, tenantId, [{ type: 'TenantOpened', data: { owner_user_id: userId, timezone } }]);
          return { id: tenantId };
        },
        { opensTenant: true },
      );
    } catch (error) {
      throw refusal(error) ?? error;
    }
    return this.grants.answer(user!, session!);
  }
}

/** The unique index decides: two namesakes at once get two slugs. */
async function takeSlug(
  query: Query,
  slugs: readonly string[],
  tenantId: string,
  timezone: string,
): Promise<void> {
  for (const slug of slugs) {
    const taken = await query(NEW_TENANT, [tenantId, slug, timezone]);
    if (taken.length > 0) return;
  }
  throw new Error('every slug of the tenant is taken');
}

function refusal(error: unknown): AuthError | undefined {
  switch ((error as { constraint?: string }).constraint) {
    case 'users_email_key':
      return new AuthError(422, 'user_already_exists', 'User already registered');
    case 'profiles_cpf_key':
      return new AuthError(422, CPF_ALREADY_REGISTERED, 'Este CPF já está cadastrado.');
    default:
      return undefined;
  }
}
