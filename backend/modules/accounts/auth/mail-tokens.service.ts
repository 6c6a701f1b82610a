import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { Outbox } from '../../../platform/mail/outbox.js';
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
  /** A user or a pending sign-up; null where nobody has the address. */
  owner_id: string | null;
  /** Set where the link leads back to the browser that asked for it, and to no other. */
  code_challenge: string | null;
  redirect_to: string | null;
  /** Of a sign-up: whether the browser that signed up asked for the mail. */
  by_applicant: boolean;
}

export type NewMailToken = Pick<MailToken, 'kind' | 'owner_id' | 'code_challenge' | 'redirect_to'> &
  Partial<Pick<MailToken, 'by_applicant'>>;

/** What `type` means in `/verify`. */
const KINDS_OF_TYPE: Record<string, readonly MailTokenKind[]> = {
  signup: ['signup'],
  magiclink: ['magiclink'],
  email: ['signup', 'magiclink'],
  recovery: ['recovery'],
  email_change: ['email_change_current', 'email_change_new'],
};

const PKCE_PREFIX = 'pkce_';

export function isPkceLink(text: string): boolean {
  return text.startsWith(PKCE_PREFIX);
}

const NEW = `insert into auth.mail_tokens (id, kind, owner_id, code_challenge, redirect_to, by_applicant)
  values ($1, $2, $3, $4, $5, $6)`;
const COLUMNS = 'id, kind, owner_id, code_challenge, redirect_to, by_applicant';
const BY_LINK = `select ${COLUMNS} from auth.mail_tokens where id = $1 and valid_until > now()`;
/**
 * The attempt is counted before the digits are compared, so that no number of parallel guesses gets more than five. Of
 * each owner only the newest mail's digits count. Several sign-ups may wait for one address: the one of this browser is
 * among those that are compared, and the newest of the others.
 */
const BY_DIGITS = `update auth.mail_tokens set tries = tries + 1
  where id in (
      select id from (
        select distinct on (owner_id) * from (
        select t.*, false as is_own from auth.mail_tokens t join auth.users u on u.id = t.owner_id
        where u.email = $1 and t.kind <> 'email_change_new'
        union all
        select t.*, false from auth.mail_tokens t join auth.users u on u.id = t.owner_id
        where u.new_email = $1 and t.kind = 'email_change_new'
        union all
        select t.*, coalesce(p.device = $3, false) from auth.mail_tokens t
        join auth.pending_sign_ups p on p.id = t.owner_id
        where p.email = $1
        ) t
        where kind = any($2) and valid_until is not null
        order by owner_id, created_at desc
      ) newest
      order by is_own desc, created_at desc limit 5)
    and used_at is null and valid_until > now() and tries < 5
  returning ${COLUMNS}`;
const USE = 'update auth.mail_tokens set used_at = now() where id = $1 and used_at is null returning id';
const HAND_OVER = `update auth.mail_tokens set valid_until = now() + interval '10 minutes'
  where id = $1 and used_at is null and created_at > now() - interval '1 day' returning ${COLUMNS}`;
const CLEAR = 'delete from auth.mail_tokens where owner_id = $1 and kind = any($2)';

/** Links and digits that mails carry: valid for ten minutes, once. */
@Injectable()
export class MailTokens {
  constructor(
    private readonly database: Database,
    private readonly tickets: Tickets,
    private readonly outbox: Outbox,
  ) {}

  /** A token and the mail that carries it, which wants to be woken after the commit. Answers the id of both. */
  async put(
    query: Query,
    { kind, owner_id, code_challenge, redirect_to, by_applicant = false }: NewMailToken,
  ): Promise<string> {
    const id = randomUUID();
    await query(NEW, [id, kind, owner_id, code_challenge, redirect_to, by_applicant]);
    await this.outbox.put(query, {
      id,
      kind: `accounts.${kind}`,
      tenantId: null,
      personId: owner_id,
      subjectId: id,
    });
    return id;
  }

  /** A mail leaves now: its ten minutes begin. Undefined where it must not leave any more. */
  async handOver(id: string): Promise<MailToken | undefined> {
    const [token] = await this.database.query<MailToken>(HAND_OVER, [id]);
    return token;
  }

  /** What the link of a token carries. */
  linkToken({ id, code_challenge }: MailToken): string {
    return (code_challenge === null ? '' : PKCE_PREFIX) + this.tickets.ticket('mail', id);
  }

  digits({ id }: MailToken): string {
    return this.tickets.digits(id);
  }

  /** @throws AuthError 403 `otp_expired` for a link that is over, used, forged or for something else */
  async byLink(type: string, text: string): Promise<MailToken> {
    const id = this.tickets.read('mail', isPkceLink(text) ? text.slice(PKCE_PREFIX.length) : text);
    const [token] = id ? await this.database.query<MailToken>(BY_LINK, [id]) : [];
    if (!token || !kindsOf(type).includes(token.kind)) throw expiredLink();
    return token;
  }

  /**
   * `device` as its fingerprint.
   * @throws AuthError 403 `otp_expired`, the same whether or not the address is known
   */
  byDigits(type: string, email: string, digits: string, device: Buffer | null): Promise<MailToken> {
    return this.find(email, kindsOf(type), digits, device);
  }

  /** @throws AuthError 403 `otp_expired` */
  reauthentication(email: string, digits: string): Promise<MailToken> {
    return this.find(email, ['reauthentication'], digits, null);
  }

  /** @throws AuthError 403 `otp_expired` where somebody was faster */
  async use(query: Query, { id }: MailToken): Promise<void> {
    const [used] = await query(USE, [id]);
    if (!used) throw expiredLink();
  }

  /** The owner's tokens of these kinds lead nowhere from now on; what is not sent yet is not sent. */
  async clear(query: Query, ownerId: string, kinds: readonly MailTokenKind[]): Promise<void> {
    await query(CLEAR, [ownerId, kinds]);
  }

  private async find(
    email: string,
    kinds: readonly MailTokenKind[],
    digits: string,
    device: Buffer | null,
  ): Promise<MailToken> {
    const tried = await this.database.query<MailToken>(BY_DIGITS, [email, kinds, device]);
    const token = tried.find(({ id }) => this.tickets.isDigitsOf(id, digits));
    if (!token) throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
    return token;
  }
}

/** Phones and invites have none of these tokens. */
function kindsOf(type: string): readonly MailTokenKind[] {
  return KINDS_OF_TYPE[type] ?? [];
}

function expiredLink(): AuthError {
  return new AuthError(403, 'otp_expired', 'Email link is invalid or has expired');
}
