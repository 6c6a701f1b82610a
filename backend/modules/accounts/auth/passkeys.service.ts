import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AuthenticatorTransport } from '@simplewebauthn/server';
import { Config } from '../../../platform/config/env.js';
import { Database, type Query } from '../../../platform/database/database.js';
import { addressKey } from '../../../platform/http/address.js';
import { HintBus } from '../../../platform/realtime/hint-bus.js';
import type { VerifiedSession } from '../../../platform/realtime/session-verifier.js';
import { deviceName } from '../device.js';
import { Secrets } from '../secrets/secrets.service.js';
import { Tickets } from '../secrets/tickets.service.js';
import { SecurityEvents } from '../security/security-events.service.js';
import { Devices } from '../sessions/devices.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { USER_COLUMNS, type UserRow } from '../users/auth-user.js';
import { Users } from '../users/users.service.js';
import type { Caller } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import type { Assertion, Attestation } from './passkeys.controller.js';
import { hasShownProofJustNow } from './recent-proof.js';

const MAX_PASSKEYS = 10;
/** Seconds. */
const CHALLENGE_LIFETIME = 300;
/** As in `amr`. */
const METHOD = 'passkey';
/** Ed25519, ES256 and RS256, which all devices have one of. */
const ALGORITHMS = [-8, -7, -257];

/** Locks the user's row first, as every change of credentials does, so that they do not deadlock. */
const LOCK = 'select from auth.users where id = $1 for update';
const SIGNED_IN = `update auth.users set last_sign_in_at = now() where id = $1 returning ${USER_COLUMNS}`;
const COLUMNS = 'id, friendly_name, created_at, last_used_at';
const LIST = `select ${COLUMNS} from auth.passkeys where user_id = $1 order by created_at, id`;
const DESCRIPTORS =
  'select credential_id, transports from auth.passkeys where user_id = $1 order by created_at, id';
const COUNT = 'select count(*)::int as count from auth.passkeys where user_id = $1';
const NEW = `insert into auth.passkeys (id, user_id, friendly_name, credential_id, public_key, counter, transports)
  values ($1, $2, $3, $4, $5, $6, $7) returning ${COLUMNS}`;
const FIND =
  'select id, user_id, credential_id, public_key, counter, transports from auth.passkeys where credential_id = $1';
/** Updates nothing where the same signature, or a later one, was counted meanwhile. */
const USE = `update auth.passkeys set counter = $2, last_used_at = now()
  where id = $1 and (counter < $2 or (counter = 0 and $2 = 0)) returning id`;
/** Any text may be sent as the id; one that is not a UUID is not found. */
const RENAME = `update auth.passkeys set friendly_name = $3
  where user_id = $1 and id::text = lower($2) returning ${COLUMNS}`;
const DELETE = 'delete from auth.passkeys where user_id = $1 and id::text = lower($2) returning id';
const NEW_CHALLENGE = 'insert into auth.passkey_challenges (id, address, session_id) values ($1, $2, $3)';
/** Any attempt uses the challenge up, also a failed one. */
const USE_CHALLENGE = `delete from auth.passkey_challenges
  where id::text = lower($1) and address = $2 and session_id is not distinct from $3
  returning created_at < now() - interval '${CHALLENGE_LIFETIME} seconds' as is_expired, id`;

interface PasskeyListed {
  id: string;
  friendly_name: string;
  created_at: Date;
  last_used_at: Date | null;
}

interface PasskeyRow {
  id: string;
  user_id: string;
  credential_id: Buffer;
  public_key: Buffer;
  counter: number;
  transports: AuthenticatorTransport[];
}

interface Answer<Credential> {
  challenge_id: string;
  credential: Credential;
}

/** Passkeys: they sign in alone, or replace the code of a second factor. The device always checks who uses it. */
@Injectable()
export class Passkeys {
  /** The site, as browsers name it in what they let a passkey sign. */
  private readonly origin: string;
  private readonly rpID: string;

  constructor(
    { siteUrl }: Config,
    private readonly database: Database,
    private readonly users: Users,
    private readonly secrets: Secrets,
    private readonly tickets: Tickets,
    private readonly sessionTokens: SessionTokens,
    private readonly hints: HintBus,
    private readonly devices: Devices,
    private readonly events: SecurityEvents,
  ) {
    const { origin, hostname } = new URL(siteUrl);
    this.origin = origin;
    this.rpID = hostname;
  }

  async list({ userId }: VerifiedSession) {
    return (await this.database.query<PasskeyListed>(LIST, [userId])).map(shown);
  }

  /**
   * What a device needs to make a passkey. Requires a recent sign-in or proof, as enrolling an authenticator app does.
   * @throws AuthError 400 `reauthentication_needed`, 422 `too_many_passkeys`
   */
  async registration({ userId, sessionId }: VerifiedSession, caller: Caller) {
    await this.requireProof(this.database.query, sessionId);
    const [{ email, user_metadata }, known] = await Promise.all([
      this.users.byId(userId),
      this.descriptors(userId),
    ]);
    if (known.length >= MAX_PASSKEYS) throw tooMany();
    const { generateRegistrationOptions } = await webAuthn();
    const { challenge, ...begun } = await this.challenge(sessionId, caller);
    const options = await generateRegistrationOptions({
      rpName: 'Rende',
      rpID: this.rpID,
      challenge,
      userID: handleOf(userId),
      userName: email,
      userDisplayName: user_metadata.nome,
      attestationType: 'none',
      excludeCredentials: known,
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      supportedAlgorithmIDs: ALGORITHMS,
    });
    return { ...begun, options };
  }

  /**
   * Adds a passkey, named after the device.
   * @throws AuthError 400, 422 `webauthn_verification_failed`, `webauthn_credential_exists`, `too_many_passkeys`
   */
  async register(
    { userId, sessionId }: VerifiedSession,
    { challenge_id, credential }: Answer<Attestation>,
    caller: Caller,
  ) {
    const expectedChallenge = await this.useChallenge(challenge_id, sessionId, caller);
    const { verifyRegistrationResponse } = await webAuthn();
    const { registrationInfo: info } = await verifyRegistrationResponse({
      response: credential,
      expectedChallenge,
      expectedOrigin: this.origin,
      expectedRPID: this.rpID,
      supportedAlgorithmIDs: ALGORITHMS,
    }).catch(refused);
    if (!info) throw notVerified();
    const device = this.devices.of(caller);
    const name = deviceName(device.userAgent) ?? 'Chave de acesso';
    const { id, publicKey, counter, transports = [] } = info.credential;
    try {
      const { added, tell } = await this.database.transact(async (query) => {
        await query(LOCK, [userId]);
        await this.requireProof(query, sessionId);
        const [passkeys] = await query<{ count: number }>(COUNT, [userId]);
        if (passkeys!.count >= MAX_PASSKEYS) throw tooMany();
        const [row] = await query<PasskeyListed>(NEW, [
          randomUUID(),
          userId,
          name,
          Buffer.from(id, 'base64url'),
          Buffer.from(publicKey),
          counter,
          transports,
        ]);
        return {
          added: row!,
          tell: await this.events.note(query, 'passkey_added', { userId, sessionId }, device),
        };
      });
      tell();
      this.hints.personChanged(userId);
      return shown(added);
    } catch (error) {
      if ((error as { constraint?: string }).constraint !== 'passkeys_credential_key') throw error;
      throw new AuthError(422, 'webauthn_credential_exists', 'This passkey is already registered');
    }
  }

  /** The same for everybody: the device knows its passkeys of this site, and whose they are. */
  async signInOptions(caller: Caller) {
    return this.request(null, [], caller);
  }

  /** Starts a session at aal2. @throws AuthError 400, 404 `webauthn_credential_not_found`, 422 `webauthn_verification_failed` */
  async signIn({ challenge_id, credential }: Answer<Assertion>, caller: Caller) {
    const passkey = await this.checked(await this.useChallenge(challenge_id, null, caller), credential);
    const device = this.devices.of(caller);
    const tokens = await this.database.transact(async (query) => {
      const [user] = await query<UserRow>(SIGNED_IN, [passkey.user_id]);
      if (!user) throw unknown();
      await this.use(query, passkey);
      const session = await this.sessionTokens.start(query, user.id, METHOD, device, passkey.id);
      return this.sessionTokens.answer(user, session);
    });
    this.hints.personChanged(passkey.user_id);
    return tokens;
  }

  /** For a passkey of the signed-in user. @throws AuthError 404 `webauthn_credential_not_found` for a user without any */
  async proofOptions({ userId, sessionId }: VerifiedSession, caller: Caller) {
    const known = await this.descriptors(userId);
    if (known.length === 0) throw unknown();
    return this.request(sessionId, known, caller);
  }

  /**
   * Raises the session to aal2, as a code of the authenticator app does, and counts as a recent proof.
   * @throws AuthError 400, 404 `webauthn_credential_not_found` also for a passkey of somebody else, 422
   */
  async prove(session: VerifiedSession, { challenge_id, credential }: Answer<Assertion>, caller: Caller) {
    const { userId, sessionId, aal } = session;
    const passkey = await this.checked(
      await this.useChallenge(challenge_id, sessionId, caller),
      credential,
      userId,
    );
    const tokens = await this.database.transact(async (query) => {
      await query(LOCK, [userId]);
      await this.use(query, passkey);
      const raised = await this.sessionTokens.raise(query, sessionId, 'passkey', passkey.id, METHOD);
      return this.sessionTokens.answer(await this.users.byId(userId, query), raised);
    });
    // The session stays, but its sockets were opened with a token that is no longer valid.
    if (aal === 1) this.hints.sessionEnded(sessionId);
    this.hints.personChanged(userId);
    return tokens;
  }

  /** @throws AuthError 404 `webauthn_credential_not_found` */
  async rename({ userId }: VerifiedSession, id: string, name: string) {
    const [renamed] = await this.database.query<PasskeyListed>(RENAME, [userId, id, name]);
    if (!renamed) throw unknown();
    this.hints.personChanged(userId);
    return shown(renamed);
  }

  /**
   * Removes a passkey. A session that has shown it falls to aal1. Everybody has an address, so nobody is locked out.
   * @throws AuthError 400 `reauthentication_needed`, 404 `webauthn_credential_not_found`
   */
  async remove({ userId, sessionId }: VerifiedSession, id: string, caller: Caller) {
    const { removed, tell } = await this.database.transact(async (query) => {
      await query(LOCK, [userId]);
      await this.requireProof(query, sessionId);
      const [row] = await query<{ id: string }>(DELETE, [userId, id]);
      if (!row) throw unknown();
      const doer = { userId, sessionId };
      return {
        removed: row,
        tell: await this.events.note(query, 'passkey_removed', doer, this.devices.of(caller)),
      };
    });
    tell();
    this.hints.personChanged(userId);
    return removed;
  }

  private async request(sessionId: string | null, known: Descriptor[], caller: Caller) {
    const { generateAuthenticationOptions } = await webAuthn();
    const { challenge, ...begun } = await this.challenge(sessionId, caller);
    const options = await generateAuthenticationOptions({
      rpID: this.rpID,
      challenge,
      allowCredentials: known,
      userVerification: 'required',
    });
    return { ...begun, options };
  }

  private async descriptors(userId: string): Promise<Descriptor[]> {
    const rows = await this.database.query<Pick<PasskeyRow, 'credential_id' | 'transports'>>(DESCRIPTORS, [
      userId,
    ]);
    return rows.map(({ credential_id, transports }) => ({
      id: credential_id.toString('base64url'),
      transports,
    }));
  }

  private async challenge(sessionId: string | null, { request }: Caller) {
    const id = randomUUID();
    await this.database.query(NEW_CHALLENGE, [id, this.addressOf(request.ip), sessionId]);
    return {
      challenge_id: id,
      expires_at: Math.floor(Date.now() / 1000) + CHALLENGE_LIFETIME,
      challenge: Buffer.from(this.tickets.secret('challenge', id), 'base64url'),
    };
  }

  /** Returns the challenge. @throws AuthError 400 `webauthn_challenge_not_found`, `webauthn_challenge_expired` */
  private async useChallenge(id: string, sessionId: string | null, { request }: Caller): Promise<string> {
    const [challenge] = await this.database.query<{ id: string; is_expired: boolean }>(USE_CHALLENGE, [
      id,
      this.addressOf(request.ip),
      sessionId,
    ]);
    if (!challenge) throw new AuthError(400, 'webauthn_challenge_not_found', 'Challenge not found');
    if (challenge.is_expired) {
      throw new AuthError(400, 'webauthn_challenge_expired', 'Challenge has expired');
    }
    return this.tickets.secret('challenge', challenge.id);
  }

  /** The passkey, with the counter of this signature. `ownerId`: the only user whose passkeys are accepted. */
  private async checked(expectedChallenge: string, credential: Assertion, ownerId?: string) {
    const [passkey] = await this.database.query<PasskeyRow>(FIND, [Buffer.from(credential.id, 'base64url')]);
    if (!passkey || (ownerId !== undefined && passkey.user_id !== ownerId)) throw unknown();
    const { verifyAuthenticationResponse } = await webAuthn();
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: credential,
      expectedChallenge,
      expectedOrigin: this.origin,
      expectedRPID: this.rpID,
      credential: {
        id: passkey.credential_id.toString('base64url'),
        publicKey: new Uint8Array(passkey.public_key),
        counter: passkey.counter,
        transports: passkey.transports,
      },
    }).catch((error: unknown) => refused(error, passkey.user_id));
    const { userHandle } = credential.response;
    const isOwners =
      userHandle === undefined || Buffer.from(userHandle, 'base64url').equals(handleOf(passkey.user_id));
    if (!verified || !isOwners) throw notVerified(passkey.user_id);
    return { ...passkey, counter: authenticationInfo.newCounter };
  }

  private async use(query: Query, { id, counter, user_id }: PasskeyRow): Promise<void> {
    const [used] = await query(USE, [id, counter]);
    if (!used) throw notVerified(user_id);
  }

  private async requireProof(query: Query, sessionId: string): Promise<void> {
    if (await hasShownProofJustNow(query, sessionId)) return;
    throw new AuthError(400, 'reauthentication_needed', 'Changing passkeys requires reauthentication');
  }

  private addressOf(ip: string): Buffer {
    return this.secrets.fingerprint(addressKey(ip));
  }
}

interface Descriptor {
  id: string;
  transports: AuthenticatorTransport[];
}

/** Loaded on first use: it parses certificates, which our passkeys have none of. */
const webAuthn = () => import('@simplewebauthn/server');

/** What a passkey knows of its user: the bytes of the account's id. */
function handleOf(userId: string): Buffer<ArrayBuffer> {
  return Buffer.from(userId.replaceAll('-', ''), 'hex');
}

function shown({ id, friendly_name, created_at, last_used_at }: PasskeyListed) {
  return { id, friendly_name, created_at, ...(last_used_at && { last_used_at }) };
}

function tooMany(): AuthError {
  return new AuthError(
    422,
    'too_many_passkeys',
    'Maximum number of passkeys reached, delete one to continue',
  );
}

function unknown(): AuthError {
  return new AuthError(404, 'webauthn_credential_not_found', 'Passkey not found');
}

/** What the library throws are descriptions of a wrong response. */
function refused(cause: unknown, userId?: string): never {
  throw notVerified(userId, cause);
}

function notVerified(userId?: string, cause?: unknown): AuthError {
  return new AuthError(422, 'webauthn_verification_failed', 'Passkey could not be verified', {
    userId,
    cause,
  });
}
