import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../platform/clock.js';
import { Config } from '../../../platform/config/env.js';
import { Database, type Query } from '../../../platform/database/database.js';
import type { CommandContext } from '../../../platform/event-store/context.js';
import { type Command, EventStore } from '../../../platform/event-store/event-store.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { Problem } from '../../../platform/http/problem.js';
import { decideAccept, generalTerms } from '../../general-terms/general-terms.js';
import type { SignUpData } from '../accounts.api.js';
import { INVITE_NOT_VALID, type InvitedData } from '../invites.api.js';
import { accept } from '../invites.commands.js';
import { type FoundInvite, Invites } from '../invites.service.js';
import { Passwords } from '../secrets/passwords.service.js';
import { Secrets } from '../secrets/secrets.service.js';
import type { Device } from '../sessions/devices.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { slugsFor } from '../slug.js';
import { tenant } from '../tenant.js';
import { toPendingAuthUser, USER_COLUMNS, type UserRow } from '../users/auth-user.js';
import { Users } from '../users/users.service.js';
import { AuthError } from './auth-error.js';
import { CpfClaims, isCpfTaken } from './cpf-claims.service.js';
import { Identities } from './identities.service.js';
import { type Newcomer, Newcomers } from './newcomers.service.js';
import { MailTokens, type NewMailToken } from './mail-tokens.service.js';

const DEFAULT_TIMEZONE = 'America/Sao_Paulo';
const CURRENCY = 'BRL';

const NEW_USER = `insert into auth.users
    (id, email, password_hash, user_metadata, email_proven, email_confirmed_at, last_sign_in_at)
  values ($1, $2, $3, $4, $5, now(), now()) returning ${USER_COLUMNS}`;
const NEW_PROFILE = 'insert into auth.profiles (user_id, cpf_fingerprint, sealed) values ($1, $2, $3)';
const NEW_TENANT = `insert into tenants (tenant_id, slug, timezone, currency) values ($1, $2, $3, $4)
  on conflict (slug) do nothing returning slug`;
const NEW_MEMBERSHIP = `insert into memberships (tenant_id, user_id, role) values ($1, $2, 'personal')`;
const IS_KNOWN = 'select from auth.users where email = $1';
const NEW_PENDING = `insert into auth.pending_sign_ups
    (id, email, password_hash, sealed, device, code_challenge) values ($1, $2, $3, $4, $5, $6)`;
/** All pending sign-ups for the same address. */
const RIVALS = `select p.id, coalesce(p.device = $2, false) as is_own, count(*) over () = 1 as is_only,
    coalesce((select t.code_challenge from auth.mail_tokens t where t.owner_id = p.id and t.by_applicant
       order by t.created_at desc limit 1), p.code_challenge) as code_challenge
  from auth.pending_sign_ups named join auth.pending_sign_ups p on p.email = named.email
  where named.id = $1
  order by is_own desc, p.created_at desc`;
const CONFIRMED = `update auth.users set email_proven = true where id = $1 returning ${USER_COLUMNS}`;
const PENDING = 'select email, password_hash, sealed from auth.pending_sign_ups where id = $1';
const CLEAR_PENDING = 'delete from auth.pending_sign_ups where email = $1';

/** Sign-up fields of a trainer, or of an invited student. */
export type Registration = SignUpData | InvitedData;

interface Answers {
  data: Registration;
  requestId: string;
  device: Device;
}

/** A pending sign-up, whose address is not confirmed. */
interface Waiting {
  id: string;
  /** Whether it was made in the browser of this request. */
  is_own: boolean;
  /** Whether nobody else has signed up with the address. */
  is_only: boolean;
  /** The newest PKCE challenge of the browser that signed up. */
  code_challenge: string | null;
}

export interface Applicant extends Answers {
  email: string;
  password: string;
}

interface Account {
  userId: string;
  email: string;
  /** Null for a user who signs in through a provider, or has not set one yet. */
  passwordHash: string | null;
  /** Whether a provider has verified the address; otherwise a mail does so later. */
  isProven: boolean;
  data: Registration;
}

/** The name of the command in the log's meta. */
class SignUp implements Command {
  constructor(readonly context: CommandContext) {}
}

/**
 * Makes an account (user, profile, membership and session) in one transaction. A trainer's account opens a tenant and its log; an
 * invited student joins the tenant of the invite.
 */
@Injectable()
export class SignUps {
  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly passwords: Passwords,
    private readonly secrets: Secrets,
    private readonly sessionTokens: SessionTokens,
    private readonly mailTokens: MailTokens,
    private readonly outbox: Outbox,
    private readonly invites: Invites,
    private readonly newcomers: Newcomers,
    private readonly identities: Identities,
    private readonly users: Users,
    private readonly cpfClaims: CpfClaims,
    private readonly clock: Clock,
  ) {}

  /** @throws AuthError 422 for a weak password, a known address, an invite that is not valid */
  async register(applicant: Applicant) {
    const { email, data, requestId, device } = applicant;
    const passwordHash = await this.hash(applicant);
    const userId = randomUUID();
    return this.open({ userId, email, passwordHash, isProven: false, data }, requestId, async (query, user) =>
      this.sessionTokens.answer(user, await this.sessionTokens.start(query, userId, 'password', device)),
    );
  }

  /**
   * Where addresses must be confirmed: stores the sign-up until its mail is confirmed. `link` holds the parameters of the mail's
   * link. Without `mayMail` no mail is sent, because several were sent to the address lately; the code of any of them works.
   * @throws AuthError like `register`
   */
  async apply(
    applicant: Applicant,
    link: Pick<NewMailToken, 'code_challenge' | 'redirect_to'>,
    mayMail: boolean,
  ) {
    const { email, data, device } = applicant;
    const passwordHash = await this.hash(applicant);
    const known = await this.database.query(IS_KNOWN, [email]);
    if (known.length > 0) throw knownAddress();
    if ('convite' in data) await this.invited(data);
    const id = randomUUID();
    const sealed = this.secrets.seal(Buffer.from(JSON.stringify(data)), id);
    const mailId = await this.database.transact(async (query) => {
      const key = device.remember();
      await query(NEW_PENDING, [id, email, passwordHash, sealed, key, link.code_challenge]);
      if (!mayMail) return null;
      return this.mailTokens.put(query, {
        kind: 'signup',
        owner_id: id,
        by_applicant: true,
        email,
        device: key,
        ...link,
      });
    });
    if (mailId !== null) this.outbox.wake(mailId);
    return toPendingAuthUser(id, email, data.nome, new Date());
  }

  /**
   * The sign-up that a confirmed mail completes. Any mail proves who owns the address, so it is the one that was made in the
   * browser of this request, if there is one.
   * @throws AuthError 403 `otp_expired` for one that has expired
   */
  async meant(id: string, device: Buffer | null): Promise<Waiting> {
    const rivals = await this.database.query<Waiting>(RIVALS, [id, device]);
    const waiting = rivals.find((each) => each.is_own) ?? rivals.find((each) => each.id === id);
    if (!waiting) throw expired();
    return waiting;
  }

  /**
   * Turns a confirmed sign-up into an account, with its profile and its password or none; other sign-ups for the address are
   * deleted. `enter` runs in the same transaction.
   * @throws AuthError 403 `otp_expired` for one that has expired
   */
  async confirm<Result>(
    id: string,
    { requestId, keepsPassword }: { requestId: string; keepsPassword: boolean },
    enter: (query: Query) => Promise<Result>,
  ): Promise<Result> {
    const [pending] = await this.database.query<{ email: string; password_hash: string; sealed: Buffer }>(
      PENDING,
      [id],
    );
    if (!pending) throw expired();
    const { email, sealed } = pending;
    const passwordHash = keepsPassword ? pending.password_hash : null;
    const data = JSON.parse(this.secrets.open(sealed, id).toString('utf8')) as Registration;
    return this.open({ userId: id, email, passwordHash, isProven: false, data }, requestId, async (query) => {
      await query(CLEAR_PENDING, [email]);
      return enter(query);
    });
  }

  /** The first session of an account whose sign-up was confirmed. Where it has no password, this session may set it. */
  async enter(
    query: Query,
    userId: string,
    { device, keepsPassword }: { device: Device; keepsPassword: boolean },
  ) {
    const [user] = await query<UserRow>(CONFIRMED, [userId]);
    const method = keepsPassword ? 'email/signup' : 'recovery';
    return this.sessionTokens.answer(user!, await this.sessionTokens.start(query, userId, method, device));
  }

  /**
   * Makes the account of a person from a provider, and a session. After a refusal the same ticket can be used again.
   * @throws AuthError like `register`
   */
  async registerNewcomer(newcomer: Newcomer, { data, requestId, device }: Answers) {
    const userId = randomUUID();
    const { email } = newcomer.identity;
    return this.open(
      { userId, email, passwordHash: null, isProven: true, data },
      requestId,
      async (query) => {
        await this.newcomers.claim(query, newcomer);
        await query(CLEAR_PENDING, [email]);
        await this.identities.link(query, userId, newcomer.identity);
        const session = await this.sessionTokens.start(query, userId, 'oauth', device);
        return this.sessionTokens.answer(await this.users.byId(userId, query), session);
      },
    );
  }

  private async hash({ email, password, data: { nome } }: Applicant): Promise<string> {
    this.passwords.refuseWeak(password, { email, nome });
    return this.passwords.hash(password);
  }

  /** @throws AuthError 422 where the link is not valid */
  private async invited({ convite }: InvitedData): Promise<FoundInvite> {
    try {
      return await this.invites.findOpen(convite);
    } catch (error) {
      throw refusal(error) ?? error;
    }
  }

  private async open<Result>(
    account: Account,
    requestId: string,
    enter: (query: Query, user: UserRow) => Promise<Result>,
  ): Promise<Result> {
    const { userId, data } = account;
    const invite = 'convite' in data ? await this.invited(data) : null;
    const tenantId = invite?.tenantId ?? randomUUID();
    const timezone = invite?.timezone ?? DEFAULT_TIMEZONE;
    const command = new SignUp({
      tenantId,
      userId,
      role: invite ? 'aluno' : 'personal',
      studentId: invite?.studentId ?? null,
      timezone,
      requestId,
      device: null,
      idempotency: null,
    });
    let user: UserRow | undefined;
    let mailIds: string[] = [];
    let result: Result | undefined;
    try {
      await this.store.transact(
        command,
        async (tx) => {
          tx.inTransaction(async (query) => {
            ({ user, mailIds } = await this.createUser(query, account));
          });
          if (invite) {
            await accept(tx, invite, userId, { nome: data.nome, telefone: data.telefone ?? null });
          } else {
            tx.inTransaction(async (query) => {
              await takeSlug(query, slugsFor(data.nome, tenantId), tenantId, timezone);
              await query(NEW_MEMBERSHIP, [tenantId, userId]);
            });
            tx.append(tenant, tenantId, [
              { type: 'TenantOpened', data: { owner_user_id: userId, timezone, currency: CURRENCY } },
            ]);
            if (data.termos)
              tx.append(
                generalTerms,
                tenantId,
                decideAccept(await tx.load(generalTerms, tenantId), data.termos),
              );
          }
          tx.inTransaction(async (query) => {
            result = await enter(query, user!);
          });
          return { id: tenantId };
        },
        { opensTenant: !invite },
      );
    } catch (error) {
      if (isCpfTaken(error)) return this.open(account, requestId, enter);
      throw refusal(error) ?? error;
    }
    this.cpfClaims.wake(mailIds);
    return result!;
  }

  /** Stores the name with the user, and the other fields encrypted in the profile. */
  private async createUser(
    query: Query,
    { userId, email, passwordHash, isProven, data }: Account,
  ): Promise<{ user: UserRow; mailIds: string[] }> {
    const { nome, cpf, ...told } = data;
    const claim = cpf === undefined ? null : await this.cpfClaims.claim(query, userId, cpf, true);
    const rest = 'convite' in told ? { telefone: told.telefone, termos: told.termos } : told;
    const agreed = rest.termos !== undefined && { termos_em: this.clock.now().toISOString() };
    const sealed = this.secrets.seal(
      Buffer.from(JSON.stringify({ ...(cpf !== undefined && { cpf }), ...rest, ...agreed })),
      userId,
    );
    const [user] = await query<UserRow>(NEW_USER, [userId, email, passwordHash, { nome }, isProven]);
    await query(NEW_PROFILE, [userId, claim?.fingerprint ?? null, sealed]);
    return { user: user!, mailIds: claim?.mailIds ?? [] };
  }
}

/** Relies on the unique index: two concurrent sign-ups of the same name get different slugs. */
async function takeSlug(
  query: Query,
  slugs: readonly string[],
  tenantId: string,
  timezone: string,
): Promise<void> {
  for (const slug of slugs) {
    const taken = await query(NEW_TENANT, [tenantId, slug, timezone, CURRENCY]);
    if (taken.length > 0) return;
  }
  throw new Error('every slug of the tenant is taken');
}

function refusal(error: unknown): AuthError | undefined {
  if (error instanceof Problem && error.code === 'invites.not_valid') {
    return new AuthError(422, INVITE_NOT_VALID, 'Convite inválido ou expirado');
  }
  switch ((error as { constraint?: string }).constraint) {
    case 'users_email_key':
      return knownAddress();
    // The sign-up was confirmed twice concurrently.
    case 'users_pkey':
      return expired();
    default:
      return undefined;
  }
}

function expired(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
}

function knownAddress(): AuthError {
  return new AuthError(422, 'user_already_exists', 'User already registered');
}
