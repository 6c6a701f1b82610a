import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { Outbox } from '../../../platform/mail/outbox.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import type { VerifiedSession } from '../../../platform/realtime/session-verifier.js';
import { Passwords } from '../secrets/passwords.service.js';
import { SecurityEvents } from '../security/security-events.service.js';
import { type Device, Devices } from '../sessions/devices.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import type { UserRow } from '../users/auth-user.js';
import { Users } from '../users/users.service.js';
import { AuthError } from './auth-error.js';
import { AuthLimits } from './auth-limits.service.js';
import type { Caller } from './auth-controller.js';
import { MOST_USER_DATA, USER_DATA_TOO_LONG, type UserBody } from './auth.schemas.js';
import { askerOf, type Link, MailRequests } from './mail-requests.service.js';
import { MAIL_TOKEN_KINDS, type MailToken, MailTokens } from './mail-tokens.service.js';
import { MailedCodes } from './mailed-codes.service.js';
import { noteProof } from './recent-proof.js';

const PERSON = `select u.email, u.user_metadata ->> 'nome' as nome, u.password_hash, coalesce(s.recovery_until > now(), false) as is_recovery
  from auth.users u join auth.sessions s on s.user_id = u.id where s.id = $1`;
/** Locks the user's row first, as every sign-in does, so that they do not deadlock. */
const LOCK = 'select from auth.users where id = $1 for update';
/** Updates nothing where the password was changed since it was compared. Discards a pending change of the address. */
const SET_PASSWORD = `update auth.users
  set password_hash = $2, new_email = null, email_change_sent_at = null, updated_at = now()
  where id = $1 and password_hash is not distinct from $3 returning id`;
const CLEAR_CODES = 'delete from auth.flow_states where user_id = $1';
/** Known browsers of the account become unknown, except the one that changes the password. */
const FORGET_DEVICES = 'delete from auth.known_devices where user_id = $1 and device is distinct from $2';
const RECOVERED = 'update auth.sessions set recovery_until = null where id = $1';
/** The metadata is part of every token, so its total size is limited as that of one change is. */
const SET_DATA = `update auth.users u set user_metadata = changed.data, updated_at = now()
  from (select jsonb_strip_nulls(user_metadata || $2) as data from auth.users where id = $1) changed
  where u.id = $1 and length(changed.data::text) <= ${MOST_USER_DATA} returning u.id`;
const ASK_EMAIL = `update auth.users
  set new_email = $2, email_change_sent_at = now(), updated_at = now() where id = $1`;
const GIVE_UP_EMAIL = `update auth.users set new_email = null, email_change_sent_at = null, updated_at = now()
  where id = $1 and new_email is not null returning id`;

const EMAIL_CHANGE = ['email_change_current', 'email_change_new'] as const;

interface Person {
  email: string;
  nome: string;
  password_hash: string | null;
  /** The session began with a recovery mail: it may set a password without the old one, once. */
  is_recovery: boolean;
}

/** Changes of the own user: password, address and metadata. */
@Injectable()
export class UserChanges {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly passwords: Passwords,
    private readonly sessions: Sessions,
    private readonly limits: AuthLimits,
    private readonly tokens: MailTokens,
    private readonly codes: MailedCodes,
    private readonly mails: MailRequests,
    private readonly outbox: Outbox,
    private readonly hints: HintBus,
    private readonly devices: Devices,
    private readonly events: SecurityEvents,
  ) {}

  /**
   * Applies all changes in one transaction. A proof without a change is recorded, for requests that need a recent one. A new
   * password ends the other sessions and invalidates mailed links and codes. A new address takes effect when both mails are
   * confirmed; requesting the current one discards the change. For an address that is taken the answer is the same, and a mail
   * tells its owner: the contract's table has `email_exists` here, but by its rule on enumeration only sign-up may distinguish
   * known from unknown addresses (auth-contract.md, 1.5).
   * @throws AuthError 422 for a password that is weak or the same; 400 or 422 without proof
   */
  async change(
    { userId, sessionId }: VerifiedSession,
    { email, password, data, ...proof }: UserBody,
    link: Link,
    caller: Caller,
  ): Promise<UserRow> {
    const [person] = await this.database.query<Person>(PERSON, [sessionId]);
    const newEmail = email === person!.email ? undefined : email;
    if (password !== undefined) this.passwords.refuseWeak(password, person!);
    const nonce = await this.prove(person!, proof, password !== undefined, caller);
    const hash = password === undefined ? undefined : await this.newHash(person!, password);
    if (newEmail !== undefined) {
      await this.limits.countMail('email-change', person!.email, caller);
      await this.limits.countMailToNewAddress(newEmail, caller);
    }

    const device = this.devices.of(caller);
    let ended: string[] = [];
    let tell: (() => void) | undefined;
    const mailIds = await this.database.transact(async (query) => {
      await query(LOCK, [userId]);
      if (nonce) await this.tokens.use(query, nonce);
      if (nonce || proof.current_password) await noteProof(query, sessionId, nonce ? 'otp' : 'password');
      if (data) await this.setData(query, userId, data);
      if (hash !== undefined) {
        ended = await this.setPassword(query, { userId, sessionId }, person!, hash, device);
        tell = await this.events.note(query, 'password_changed', { userId, sessionId }, device);
      }
      if (email !== undefined && newEmail === undefined) await this.giveUpEmail(query, userId);
      if (newEmail === undefined) return [];
      await query(ASK_EMAIL, [userId, newEmail]);
      await this.tokens.clear(query, userId, EMAIL_CHANGE);
      return this.mails.putEmailChange(query, userId, newEmail, link, askerOf(person!.email, device));
    });
    tell?.();
    this.sessions.dropSockets(ended, userId, 'password_changed', device);
    for (const id of mailIds) this.outbox.wake(id);
    this.hints.personChanged(userId);
    return this.users.byId(userId);
  }

  private async setData(query: Query, userId: string, data: object): Promise<void> {
    const [changed] = await query(SET_DATA, [userId, data]);
    if (!changed) throw new AuthError(400, 'validation_failed', USER_DATA_TOO_LONG);
  }

  /** Ids of the sessions that ended. */
  private async setPassword(
    query: Query,
    caller: { userId: string; sessionId: string },
    person: Person,
    hash: string,
    device: Device,
  ): Promise<string[]> {
    const [changed] = await query(SET_PASSWORD, [caller.userId, hash, person.password_hash]);
    if (!changed) throw wrongPassword();
    await this.tokens.clear(query, caller.userId, MAIL_TOKEN_KINDS);
    await query(CLEAR_CODES, [caller.userId]);
    await query(FORGET_DEVICES, [caller.userId, device.key]);
    await query(RECOVERED, [caller.sessionId]);
    return this.sessions.markEnded(query, caller, 'others');
  }

  private async giveUpEmail(query: Query, userId: string): Promise<void> {
    const [waited] = await query(GIVE_UP_EMAIL, [userId]);
    if (waited) await this.tokens.clear(query, userId, EMAIL_CHANGE);
  }

  /** Requires a recent proof, since an unlocked screen alone is none. Returns the token of the mailed nonce, to be used up with the change. */
  private async prove(
    { email, password_hash, is_recovery }: Person,
    { nonce, current_password }: Pick<UserBody, 'nonce' | 'current_password'>,
    isNeeded: boolean,
    caller: Caller,
  ): Promise<MailToken | undefined> {
    if (nonce) {
      return this.codes.find(['reauthentication'], email, nonce, caller).catch((error: unknown) => {
        if (!(error instanceof AuthError)) throw error;
        throw new AuthError(422, 'reauthentication_not_valid', 'Nonce has expired or is invalid');
      });
    }
    if (current_password) {
      await this.limits.tryPassword(email, caller, async () => {
        if (!(await this.passwords.matches(password_hash, current_password))) throw wrongPassword();
      });
    } else if (isNeeded && !is_recovery) {
      throw password_hash === null
        ? new AuthError(400, 'reauthentication_needed', 'Password update requires reauthentication')
        : new AuthError(
            400,
            'current_password_required',
            'Current password required when setting new password.',
          );
    }
    return undefined;
  }

  private async newHash({ password_hash }: Person, password: string): Promise<string> {
    if (await this.passwords.matches(password_hash, password)) {
      throw new AuthError(422, 'same_password', 'New password should be different from the old password.');
    }
    return this.passwords.hash(password);
  }
}

function wrongPassword(): AuthError {
  return new AuthError(400, 'current_password_invalid', 'Current password is incorrect');
}
