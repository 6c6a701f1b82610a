import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import QRCode from 'qrcode';
import { Database, type Query } from '../../../platform/database/database.js';
import { addressKey } from '../../../platform/http/address.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import type { VerifiedSession } from '../../../platform/realtime/session-verifier.js';
import { Secrets } from '../secrets/secrets.service.js';
import { enrolment, newSecret, stepOf } from '../secrets/totp.js';
import { SecurityEvents } from '../security/security-events.service.js';
import { Devices } from '../sessions/devices.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import { Users } from '../users/users.service.js';
import { AuthError, secondFactorDue } from './auth-error.js';
import { AuthLimits } from './auth-limits.service.js';
import type { Caller } from './auth-controller.js';
import { hasShownFactorJustNow, hasShownProofJustNow } from './recent-proof.js';
import { isRecoveryCode, RecoveryCodes } from './recovery-codes.service.js';

const MAX_FACTORS = 10;
/** Seconds. */
const CHALLENGE_LIFETIME = 300;

interface FactorRow {
  id: string;
  secret: Buffer;
  verified_at: Date | null;
}

interface ChallengeRow {
  id: string;
  address: Buffer;
  is_expired: boolean;
}

/** Locks the user's row first, as every change of credentials does, so that they do not deadlock. */
const LOCK = 'select from auth.users where id = $1 for update';
const COUNT = 'select count(*)::int as count from auth.factors where user_id = $1';
const NEW = 'insert into auth.factors (id, user_id, friendly_name, secret) values ($1, $2, $3, $4)';
/** Any text may be sent as the id; one that is not a UUID is not found. */
const FIND = `select id, secret, verified_at from auth.factors where user_id = $1 and id::text = lower($2)`;
const VERIFIED =
  'select id, secret, verified_at from auth.factors where user_id = $1 and verified_at is not null';
const CHALLENGED = 'update auth.factors set last_challenged_at = now() where id = $1';
const NEW_CHALLENGE = `insert into auth.factor_challenges (id, factor_id, address) values ($1, $2, $3)`;
const CHALLENGE = `select id, address,
    created_at < now() - interval '${CHALLENGE_LIFETIME} seconds' as is_expired
  from auth.factor_challenges where factor_id = $1 and id::text = lower($2)`;
const USE_CHALLENGE =
  'update auth.factor_challenges set used_at = now() where id = $1 and used_at is null returning id';
const USE_STEP = `update auth.factors
  set last_used_step = $2, verified_at = coalesce(verified_at, now()), updated_at = now()
  where id = $1 and last_used_step < $2 returning verified_at = now() as is_added`;
const END_BELOW = `update auth.sessions set ended_at = now()
  where user_id = $1 and ended_at is null and factor_id is null and passkey_id is null returning id`;
const CLEAR_UNVERIFIED = 'delete from auth.factors where user_id = $1 and verified_at is null';
const DELETE = 'delete from auth.factors where id = $1 returning id';

/** Authenticator apps as a second factor. */
@Injectable()
export class Factors {
  constructor(
    private readonly database: Database,
    private readonly users: Users,
    private readonly secrets: Secrets,
    private readonly sessions: Sessions,
    private readonly sessionTokens: SessionTokens,
    private readonly limits: AuthLimits,
    private readonly recoveryCodes: RecoveryCodes,
    private readonly hints: HintBus,
    private readonly devices: Devices,
    private readonly events: SecurityEvents,
  ) {}

  /**
   * Requires a recent sign-in or proof (ASVS 7.5.1): otherwise somebody at an unattended screen could enrol a factor and lock
   * the owner out.
   * @throws AuthError 400 `reauthentication_needed`, 422 `too_many_enrolled_mfa_factors`, `mfa_factor_name_conflict`
   */
  async enrol({ userId, sessionId }: VerifiedSession, friendly_name: string | null, issuer: string) {
    if (!(await hasShownProofJustNow(this.database.query, sessionId))) {
      throw new AuthError(400, 'reauthentication_needed', 'Enrolling a factor requires reauthentication');
    }
    const { email } = await this.users.byId(userId);
    const id = randomUUID();
    const secret = newSecret();
    try {
      await this.database.transact(async (query) => {
        await query(LOCK, [userId]);
        const [factors] = await query<{ count: number }>(COUNT, [userId]);
        if (factors!.count >= MAX_FACTORS) {
          throw new AuthError(
            422,
            'too_many_enrolled_mfa_factors',
            'Maximum number of verified factors reached, unenroll to continue',
          );
        }
        await query(NEW, [id, userId, friendly_name, this.secrets.seal(secret, id)]);
      });
    } catch (error) {
      if ((error as { constraint?: string }).constraint !== 'factors_name_key') throw error;
      throw new AuthError(
        422,
        'mfa_factor_name_conflict',
        `A factor with the friendly name "${friendly_name}" for this user already exists`,
      );
    }
    const totp = enrolment(secret, issuer, email);
    return { id, type: 'totp', friendly_name, totp: { ...totp, qr_code: await qrCode(totp.uri) } };
  }

  /** @throws AuthError 404 `mfa_factor_not_found` */
  async challenge({ userId }: VerifiedSession, factorId: string, { request }: Caller) {
    const factor = await this.find(userId, factorId);
    const id = randomUUID();
    await this.database.query(NEW_CHALLENGE, [id, factor.id, this.addressOf(request.ip)]);
    await this.database.query(CHALLENGED, [factor.id]);
    return { id, type: 'totp', expires_at: Math.floor(Date.now() / 1000) + CHALLENGE_LIFETIME };
  }

  /**
   * Raises the session to aal2, which makes its earlier access tokens invalid, and ends the user's other sessions that have not
   * proved a factor. A recovery code may replace the
   * app's code; wrong recovery codes have a separate limit, so that somebody who knows the password cannot block the owner. A
   * user with a verified factor must prove that one first; only then can another factor be verified.
   * @throws AuthError 403 `insufficient_aal`, 404, 422
   */
  async verify(
    session: VerifiedSession,
    factorId: string,
    { challenge_id, code }: { challenge_id: string; code: string },
    caller: Caller,
  ) {
    const factor = await this.find(session.userId, factorId);
    if (session.aal < session.nextAal && !factor.verified_at) throw secondFactorDue(403);
    const challenge = await this.openChallenge(factor, challenge_id, caller);
    const proof = isRecoveryCode(code) && factor.verified_at ? 'recovery_code' : 'totp';
    const device = this.devices.of(caller);
    const { tokens, ended, tell } = await this.limits.tryFactor(proof, session.userId, caller, () =>
      this.database.transact(async (query) => {
        await query(LOCK, [session.userId]);
        const [unused] = await query(USE_CHALLENGE, [challenge.id]);
        if (!unused) throw otherAddress();
        let isAdded = false;
        if (proof === 'totp') isAdded = await this.useStep(query, factor, code);
        else if (!(await this.recoveryCodes.use(query, session.userId, code))) throw wrongCode();
        const raised = await this.raise(query, session, factor.id, proof);
        return {
          ...raised,
          tell: isAdded && (await this.events.note(query, 'factor_added', session, device)),
        };
      }),
    );
    if (tell) tell();
    this.sessions.dropSockets(ended, session.userId, 'factor_shown', device);
    // The session stays, but its sockets were opened with a token that is no longer valid.
    if (session.aal === 1) this.hints.sessionEnded(session.sessionId);
    this.hints.personChanged(session.userId);
    return tokens;
  }

  /**
   * Removes a factor; a verified one only if the session has proved a factor recently.
   * @throws AuthError 404 `mfa_factor_not_found`, 422 `insufficient_aal`
   */
  async unenrol({ userId, sessionId }: VerifiedSession, factorId: string, caller: Caller) {
    const device = this.devices.of(caller);
    let tell: (() => void) | undefined;
    const id = await this.database.transact(async (query) => {
      await query(LOCK, [userId]);
      const factor = await this.find(userId, factorId, query);
      if (factor.verified_at && !(await hasShownFactorJustNow(query, sessionId))) {
        throw new AuthError(422, 'insufficient_aal', 'AAL2 required to unenroll verified factor');
      }
      await query(DELETE, [factor.id]);
      await this.recoveryCodes.clearWithoutFactor(query, userId);
      if (factor.verified_at) {
        tell = await this.events.note(query, 'factor_removed', { userId, sessionId }, device);
      }
      return factor.id;
    });
    tell?.();
    this.hints.personChanged(userId);
    return { id };
  }

  /** Checks a code of one of the user's apps, or a recovery code. @throws AuthError 422 `mfa_verification_failed` */
  async prove(query: Query, userId: string, code: string): Promise<void> {
    if (isRecoveryCode(code)) {
      if (!(await this.recoveryCodes.use(query, userId, code))) throw wrongCode();
      return;
    }
    for (const { id, secret } of await query<FactorRow>(VERIFIED, [userId])) {
      const step = stepOf(this.secrets.open(secret, id), code);
      if (step !== null && (await query(USE_STEP, [id, step])).length > 0) return;
    }
    throw wrongCode();
  }

  /** Uses up a code of the app. Returns whether this verified the factor for the first time. */
  private async useStep(query: Query, { id, secret }: FactorRow, code: string): Promise<boolean> {
    const step = stepOf(this.secrets.open(secret, id), code);
    const [used] = step === null ? [] : await query<{ is_added: boolean }>(USE_STEP, [id, step]);
    if (!used) throw wrongCode();
    return used.is_added;
  }

  private async raise(
    query: Query,
    { userId, sessionId }: VerifiedSession,
    factorId: string,
    method: string,
  ) {
    const raised = await this.sessionTokens.raise(query, sessionId, 'factor', factorId, method);
    await query(CLEAR_UNVERIFIED, [userId]);
    const ended = await query<{ id: string }>(END_BELOW, [userId]);
    const tokens = await this.sessionTokens.answer(await this.users.byId(userId, query), raised);
    return { tokens, ended: ended.map(({ id }) => id) };
  }

  private async openChallenge(
    { id }: FactorRow,
    challengeId: string,
    { request }: Caller,
  ): Promise<ChallengeRow> {
    const [challenge] = await this.database.query<ChallengeRow>(CHALLENGE, [id, challengeId]);
    if (!challenge) {
      throw new AuthError(422, 'mfa_factor_not_found', 'MFA factor with the provided challenge ID not found');
    }
    if (!challenge.address.equals(this.addressOf(request.ip))) throw otherAddress();
    if (challenge.is_expired) {
      throw new AuthError(
        422,
        'mfa_challenge_expired',
        'MFA challenge has expired, verify against another challenge or create a new challenge.',
      );
    }
    return challenge;
  }

  private async find(userId: string, factorId: string, query = this.database.query): Promise<FactorRow> {
    const [factor] = await query<FactorRow>(FIND, [userId, factorId]);
    if (!factor) throw new AuthError(404, 'mfa_factor_not_found', 'Factor not found');
    return factor;
  }

  private addressOf(ip: string): Buffer {
    return this.secrets.fingerprint(addressKey(ip));
  }
}

/** An SVG without `#`, which would end the data address that auth-js puts it into. */
async function qrCode(text: string): Promise<string> {
  const svg = await QRCode.toString(text, { type: 'svg', errorCorrectionLevel: 'M' });
  return svg.trim().replaceAll('#ffffff', 'white').replaceAll('#000000', 'black');
}

function wrongCode(): AuthError {
  return new AuthError(422, 'mfa_verification_failed', 'Invalid TOTP code entered');
}

function otherAddress(): AuthError {
  return new AuthError(422, 'mfa_ip_address_mismatch', 'Challenge and verify IP addresses mismatch');
}
