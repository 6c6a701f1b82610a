import { Injectable } from '@nestjs/common';
import { Database, type Query } from '../../../platform/database/database.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import type { Device } from '../sessions/devices.service.js';
import { SecurityEvents } from '../security/security-events.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { USER_COLUMNS, type UserRow } from '../users/auth-user.js';
import { AuthError } from './auth-error.js';
import { type MailToken, MailTokens } from './mail-tokens.service.js';
import { PkceGrant } from './pkce.grant.js';
import { SignUps } from './sign-up.service.js';

type TokenResponse = Awaited<ReturnType<SessionTokens['answer']>>;

/** The result of a verified link or code. */
export type Verified =
  | { kind: 'session'; tokens: TokenResponse }
  /** To be exchanged by the browser that requested the mail. */
  | { kind: 'code'; code: string }
  /** One of the two mails of a change of address is confirmed, the other is not yet. */
  | { kind: 'half' };

interface Redemption {
  device: Device;
  requestId: string;
  /** An opened link, the only way that uses the token's PKCE challenge; typed digits; or the link's token sent by our page. */
  by: 'link' | 'digits' | 'hash';
}

/** As in `amr`: a session that begins with `recovery` may set the password without the old one. */
const METHODS: Record<Exclude<MailToken['kind'], 'reauthentication' | 'signup'>, string> = {
  magiclink: 'magiclink',
  recovery: 'recovery',
  email_change_current: 'email_change',
  email_change_new: 'email_change',
};

const CONFIRM = `update auth.users set email_confirmed_at = coalesce(email_confirmed_at, now()), email_proven = true,
    last_sign_in_at = case when $2 then last_sign_in_at else now() end
  where id = $1 returning ${USER_COLUMNS}`;
const LOCK = 'select id from auth.users where id = $1 for update';
/** Only of the same change: mails of another change are deleted. */
const OTHER_HALF = 'select from auth.mail_tokens where owner_id = $1 and kind = $2 and used_at is not null';
const CHANGE_EMAIL = `update auth.users set email = new_email, new_email = null, email_change_sent_at = null,
    email_proven = true, updated_at = now()
  where id = $1 and new_email is not null returning id`;

/** Completes the action of a mail's link or code. */
@Injectable()
export class Verifications {
  constructor(
    private readonly database: Database,
    private readonly tokens: MailTokens,
    private readonly sessionTokens: SessionTokens,
    private readonly codes: PkceGrant,
    private readonly signUps: SignUps,
    private readonly hints: HintBus,
    private readonly events: SecurityEvents,
  ) {}

  /** @throws AuthError 403 `otp_expired` if the token was used meanwhile, 422 if address or CPF are meanwhile taken */
  async redeem(token: MailToken, redemption: Redemption): Promise<Verified> {
    if (token.kind === 'reauthentication' || token.owner_id === null) {
      throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
    }
    const { kind, owner_id: ownerId } = token;
    if (kind === 'signup') return this.confirmSignUp(ownerId, token, redemption);
    const { code_challenge: challenge } = token;
    if ((kind === 'magiclink' || kind === 'recovery') && redemption.by === 'link' && challenge !== null) {
      const code = await this.database.transact((query) =>
        this.codes.issue(query, ownerId, kind, challenge, { mailTokenId: token.id }),
      );
      return { kind: 'code', code };
    }
    try {
      let tell: (() => void) | undefined;
      const verified = await this.database.transact(async (query): Promise<Verified> => {
        await query(LOCK, [ownerId]);
        await this.tokens.use(query, token);
        if (kind === 'magiclink' || kind === 'recovery') await this.tokens.clear(query, ownerId, [kind]);
        else if (await this.changeEmail(query, ownerId, token)) {
          const doer = { userId: ownerId, sessionId: null };
          tell = await this.events.note(query, 'email_changed', doer, redemption.device);
        } else return { kind: 'half' };
        return this.enter(query, ownerId, token, redemption);
      });
      tell?.();
      this.hints.personChanged(ownerId);
      return verified;
    } catch (error) {
      if ((error as { constraint?: string }).constraint !== 'users_email_key') throw error;
      throw new AuthError(422, 'email_exists', 'A user with this email address has already been registered');
    }
  }

  /**
   * The mail proves who owns the address; only the browser that signed up proves who chose the password: by its cookie, or by the
   * PKCE verifier of a link that it requested itself, when it exchanges the code. A client without cookies keeps the password if
   * a code is typed and there is no other sign-up for the address. Otherwise the account begins without a password, and its owner
   * sets one.
   */
  private async confirmSignUp(id: string, token: MailToken, redemption: Redemption): Promise<Verified> {
    const { device, requestId, by } = redemption;
    const signUp = await this.signUps.meant(id, device.key);
    const isNamed = signUp.id === id;
    // Mails that others requested for the sign-up of this browser do not change where its link leads.
    const isAskedHere = isNamed && (token.by_applicant || !signUp.is_own);
    const challenge = isAskedHere ? token.code_challenge : signUp.code_challenge;
    if (by === 'link' && challenge !== null) {
      const keepsPassword = signUp.is_own || token.by_applicant;
      return { kind: 'code', code: await this.codes.issueForSignUp(signUp.id, challenge, keepsPassword) };
    }
    const keepsPassword =
      signUp.is_own || (device.key === null && by === 'digits' && token.by_applicant && signUp.is_only);
    return this.signUps.confirm(signUp.id, { requestId, keepsPassword }, async (query) => {
      await this.tokens.use(query, token);
      const session = await this.signUps.enter(query, signUp.id, { device, keepsPassword });
      return { kind: 'session', tokens: session };
    });
  }

  /** False for the first of the two mails. */
  private async changeEmail(query: Query, userId: string, { kind }: MailToken): Promise<boolean> {
    const other = kind === 'email_change_new' ? 'email_change_current' : 'email_change_new';
    const [isComplete] = await query(OTHER_HALF, [userId, other]);
    if (!isComplete) return false;
    await query(CHANGE_EMAIL, [userId]);
    await this.tokens.clear(query, userId, [
      'email_change_current',
      'email_change_new',
      'magiclink',
      'recovery',
    ]);
    return true;
  }

  private async enter(
    query: Query,
    userId: string,
    { kind, code_challenge: challenge }: MailToken,
    { device, by }: Redemption,
  ): Promise<Verified> {
    const method = METHODS[kind as keyof typeof METHODS];
    const byCode = by === 'link' && challenge !== null;
    const [user] = await query<UserRow>(CONFIRM, [userId, byCode]);
    if (byCode) return { kind: 'code', code: await this.codes.issue(query, userId, method, challenge) };
    const session = await this.sessionTokens.start(query, userId, method, device);
    return { kind: 'session', tokens: await this.sessionTokens.answer(user!, session) };
  }
}
