import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeProtectedHeader, SignJWT } from 'jose';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { claimsOf, type TokenSession, type UserRow } from '../users/auth-user.js';
import { SigningKeys } from './signing-keys.service.js';

const ALGORITHM = 'ES256';
const ISSUER = 'rende';
const AUDIENCE = 'authenticated';
/** One hour, in seconds. */
const LIFETIME = 3600;
/** Longest accepted lifetime, in seconds, so that a leaked key cannot sign long-lived tokens. */
const LONGEST_LIFETIME = 86_400;
const STRATEGY = 'access-token';
/** Requires the header to be one token only, so that the verified token and the one whose key id is read are the same. */
const BEARER = /^Bearer +(\S+)$/i;
/** Cache of verified tokens: the signature check costs more than all other checks of a request. */
const MAX_REMEMBERED = 20_000;

/** The library's types allow only PEM, but it also accepts a key object, which is not parsed for each token. */
type KeyFound = (error: unknown, key?: Buffer) => void;

type Middleware = (request: object, response: object, next: (error: Error) => void) => void;

/** The claims that the server itself relies on. */
export interface AccessTokenClaims {
  sub: string;
  session_id: string;
  /** The level of the session when the token was issued. */
  aal: 'aal1' | 'aal2';
  /** Seconds since 1970. */
  exp: number;
}

/** Claims of a token with a valid signature. */
export interface VerifiedToken extends AccessTokenClaims {
  /** The key that signed it. */
  kid: string;
}

/**
 * Access tokens: signed with jose, verified by passport-jwt. The strategy is registered with its own Passport instance, because the
 * shared one would mix up the keys of two applications in one process.
 */
@Injectable()
export class AccessTokens extends PassportStrategy(Strategy, STRATEGY) {
  declare private passport: passport.Authenticator;
  private readonly verified = new Map<string, VerifiedToken>();

  constructor(private readonly keys: SigningKeys) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyFound) => {
        keyOf(token, keys)
          .then((key) => done(key ? null : new Error('unknown key'), key as unknown as Buffer))
          .catch((error: unknown) => done(error));
      },
    });
  }

  /** Times are those of the machine, not of the injected clock, because clients compare them with their own. */
  async issue(user: UserRow, session: TokenSession) {
    const { kid, privateKey } = await this.keys.current();
    const issuedAt = Math.floor(Date.now() / 1000);
    const access_token = await new SignJWT(claimsOf(user, session))
      .setProtectedHeader({ alg: ALGORITHM, kid, typ: 'JWT' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject(user.id)
      .setIssuedAt(issuedAt)
      .setExpirationTime(issuedAt + LIFETIME)
      .sign(privateKey);
    return { access_token, token_type: 'bearer', expires_in: LIFETIME, expires_at: issuedAt + LIFETIME };
  }

  /** Claims of the token in an `Authorization` header; null for one that is not ours, malformed or not valid now. */
  async verify(authorization: string): Promise<VerifiedToken | null> {
    const text = BEARER.exec(authorization)?.[1];
    if (text === undefined) return null;
    const known = this.verified.get(text);
    if (known && known.exp * 1000 > Date.now()) return known;
    this.verified.delete(text);
    const claims = await this.check(`Bearer ${text}`);
    if (!claims) return null;
    const token = { ...claims, kid: kidOf(text) };
    if (this.verified.size >= MAX_REMEMBERED) this.verified.clear();
    this.verified.set(text, token);
    return token;
  }

  /** Called by the strategy after its checks of signature, times, issuer and audience; these accept a token without `exp`. */
  validate(claims: Partial<AccessTokenClaims>): Partial<AccessTokenClaims> | false {
    const { exp } = claims;
    const ends = typeof exp === 'number' && exp <= Date.now() / 1000 + LONGEST_LIFETIME;
    return ends && claims;
  }

  private check(authorization: string): Promise<AccessTokenClaims | null> {
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, claims: AccessTokenClaims | false) => {
        if (error) reject(error);
        else resolve(claims || null);
      };
      const authenticate = this.passport.authenticate(STRATEGY, { session: false }, answer) as Middleware;
      authenticate({ headers: { authorization } }, {}, reject);
    });
  }

  /** Called by the constructor of the base class. */
  getPassportInstance(): passport.Authenticator {
    this.passport = new passport.Passport();
    return this.passport;
  }
}

function kidOf(token: string): string {
  return decodeProtectedHeader(token).kid ?? '';
}

async function keyOf(token: string, keys: SigningKeys) {
  return keys.find(kidOf(token));
}
