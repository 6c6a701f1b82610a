import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { Secrets } from '../secrets/secrets.service.js';
import { Tickets } from '../secrets/tickets.service.js';
import { AuthError } from './auth-error.js';

export const MAIL_TOKEN_KINDS = [
  'signup',
  'magiclink',
  'recovery',
  'email_change_current',
  'email_change_new',
  'reauthentication',
] as const;
export type MailTokenKind = (typeof MAIL_TOKEN_KINDS)[number];

export interface MailToken {
  id: string;
  kind: MailTokenKind;
  /** A user or a pending sign-up; null if the address has neither. */
  owner_id: string | null;
  /** Set if only the browser that requested the mail can use its link. */
  code_challenge: string | null;
  redirect_to: string | null;
  /** For a sign-up: whether the browser that signed up requested the mail. */
  by_applicant: boolean;
}

/** The request for a mail. */
export interface Asker {
  /** The requested address, whether or not it has an account. */
  email: string;
  /** Fingerprint of the browser. */
  device: Buffer;
}

export type NewMailToken = Pick<MailToken, 'kind' | 'owner_id' | 'code_challenge' | 'redirect_to'> &
  Partial<Pick<MailToken, 'by_applicant'>> &
  Asker;

/** Mails that this browser requested, or those that others requested. */
export type AskedBy = 'this browser' | 'others';

/** The kinds of tokens for each `type` in `/verify`. */
const KINDS_OF_TYPE: ReadonlyMap<string, readonly MailTokenKind[]> = new Map([
  ['signup', ['signup']],
  ['magiclink', ['magiclink']],
  ['email', ['signup', 'magiclink']],
  ['recovery', ['recovery']],
  ['email_change', ['email_change_current', 'email_change_new']],
]);

const PKCE_PREFIX = 'pkce_';

export function isPkceLink(text: string): boolean {
  return text.startsWith(PKCE_PREFIX);
}

const NEW = `insert into auth.mail_tokens
    (id, kind, owner_id, code_challenge, redirect_to, by_applicant, asked_for, device)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const COLUMNS = 'id, kind, owner_id, code_challenge, redirect_to, by_applicant';
const IS_VALID = 'used_at is null and valid_until > now()';
const BY_LINK = `select ${COLUMNS} from auth.mail_tokens
  where id = $1 and ${IS_VALID} and ($2::bytea is null or asked_for = $2)`;
/**
 * Whether any code could be guessed. Includes mails that are never sent: whether a mail is sent depends on the account of the
 * address, which the counting must not reveal.
 */
const WAITING = `select coalesce(bool_or(device = $2), false) as "this browser",
    coalesce(bool_or(device is distinct from $2), false) as others
  from auth.mail_tokens
  where asked_for = $1 and used_at is null and greatest(created_at + interval '1 hour', valid_until) > now()`;
/**
 * The newest mail that this browser requested, preferably of the wanted kinds. The attempt is counted before the digits are
 * compared, so that parallel guesses cannot exceed five attempts.
 */
const OF_THIS_BROWSER = `update auth.mail_tokens set tries = tries + 1
  where id = (select id from auth.mail_tokens where asked_for = $1 and device = $3 and ${IS_VALID}
      order by kind = any($2) desc, created_at desc limit 1)
    and ${IS_VALID} and tries < 5
  returning ${COLUMNS}`;
/** For each owner the newest mail that others requested: several sign-ups may be pending for one address. */
const OF_OTHERS = `select ${COLUMNS} from (
    select distinct on (owner_id) * from auth.mail_tokens
    where asked_for = $1 and kind = any($2) and device is distinct from $3 and valid_until is not null
    order by owner_id, created_at desc
  ) newest
  where ${IS_VALID} order by created_at desc limit 5`;
const BY_DIGITS: Record<AskedBy, string> = { 'this browser': OF_THIS_BROWSER, others: OF_OTHERS };
const USE = 'update auth.mail_tokens set used_at = now() where id = $1 and used_at is null returning id';
const HAND_OVER = `update auth.mail_tokens set valid_until = now() + interval '10 minutes'
  where id = $1 and used_at is null and created_at > now() - interval '1 day' returning ${COLUMNS}`;
const CLEAR = 'delete from auth.mail_tokens where owner_id = $1 and kind = any($2)';

/** Links and codes of mails: valid for ten minutes, and once. */
@Injectable()
export class MailTokens {
  constructor(
    private readonly database: Database,
    private readonly tickets: Tickets,
    private readonly outbox: Outbox,
    private readonly secrets: Secrets,
  ) {}

  /** Adds a token and its mail, whose sending the caller starts after the commit. Returns the id of both. */
  async put(
    query: Query,
    { kind, owner_id, code_challenge, redirect_to, by_applicant = false, email, device }: NewMailToken,
  ): Promise<string> {
    const id = randomUUID();
    const askedFor = this.secrets.fingerprint(email);
    await query(NEW, [id, kind, owner_id, code_challenge, redirect_to, by_applicant, askedFor, device]);
    await this.outbox.put(query, {
      id,
      kind: `accounts.${kind}`,
      tenantId: null,
      personId: owner_id,
      subjectId: id,
    });
    return id;
  }

  /** Called when a mail is sent: its ten minutes begin. Undefined where it must not be sent any more. */
  async handOver(id: string): Promise<MailToken | undefined> {
    const [token] = await this.database.query<MailToken>(HAND_OVER, [id]);
    return token;
  }

  linkToken({ id, code_challenge }: MailToken): string {
    return (code_challenge === null ? '' : PKCE_PREFIX) + this.tickets.ticket('mail', id);
  }

  digits({ id }: MailToken): string {
    return this.tickets.digits(id);
  }

  /**
   * If an `email` is given, it must be the address for which the mail was requested.
   * @throws AuthError 403 `otp_expired` for a link that is expired, used, forged or of another type
   */
  async byLink(type: string, text: string, email?: string): Promise<MailToken> {
    const id = this.tickets.read('mail', isPkceLink(text) ? text.slice(PKCE_PREFIX.length) : text);
    const askedFor = email === undefined ? null : this.secrets.fingerprint(email);
    const [token] = id ? await this.database.query<MailToken>(BY_LINK, [id, askedFor]) : [];
    if (!token || !kindsOf(type).includes(token.kind)) throw expiredLink();
    return token;
  }

  /** Mails for the address whose codes could be guessed. */
  async waiting(email: string, device: Buffer | null): Promise<Record<AskedBy, boolean>> {
    const [waiting] = await this.database.query<Record<AskedBy, boolean>>(WAITING, [
      this.secrets.fingerprint(email),
      device,
    ]);
    return waiting!;
  }

  /** @throws AuthError 403 `otp_expired`, the same whether or not the address is known */
  async byDigits(
    askedBy: AskedBy,
    kinds: readonly MailTokenKind[],
    digits: string,
    { email, device }: { email: string; device: Buffer | null },
  ): Promise<MailToken> {
    const compared = await this.database.query<MailToken>(BY_DIGITS[askedBy], [
      this.secrets.fingerprint(email),
      kinds,
      device,
    ]);
    const token = compared.find(
      ({ id, kind }) => kinds.includes(kind) && this.tickets.isDigitsOf(id, digits),
    );
    if (!token) throw wrongCode();
    return token;
  }

  /** @throws AuthError 403 `otp_expired` where it was used concurrently */
  async use(query: Query, { id }: MailToken): Promise<void> {
    const [used] = await query(USE, [id]);
    if (!used) throw expiredLink();
  }

  /** Invalidates the owner's tokens of these kinds; mails that were not sent yet are dropped. */
  async clear(query: Query, ownerId: string, kinds: readonly MailTokenKind[]): Promise<void> {
    await query(CLEAR, [ownerId, kinds]);
  }
}

/** Empty for other types, such as phones and invites. */
export function kindsOf(type: string): readonly MailTokenKind[] {
  return KINDS_OF_TYPE.get(type) ?? [];
}

export function wrongCode(): AuthError {
  return new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
}

function expiredLink(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
}
