import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { decodeProtectedHeader, SignJWT } from 'jose';
import passport from 'passport';
import { ExtractJwt, Strategy } from 'passport-jwt';
import { claimsOf, type UserRow } from './auth-user.js';
import { SigningKeys } from './signing-keys.service.js';

const ALGORITHM = 'ES256';
const ISSUER = 'rende';
const AUDIENCE = 'authenticated';
/** One hour, in seconds. */
const LIFETIME = 3600;
const STRATEGY = 'access-token';

/** Its types know PEM only; a key object need not be parsed again for each token. */
type KeyFound = (error: unknown, key?: Buffer) => void;

type Middleware = (request: object, response: object, next: (error: Error) => void) => void;

/** The claims that the server itself relies on. */
export interface AccessTokenClaims {
  sub: string;
  session_id: string;
}

/**
 * Access tokens: made with jose, verified by passport-jwt. The strategy is registered with a passport of its own:
 * the package's shared one would mix up the keys of two applications in one process.
 */
@Injectable()
export class AccessTokens extends PassportStrategy(Strategy, STRATEGY) {
  declare private passport: passport.Authenticator;

  constructor(private readonly keys: SigningKeys) {
    super({
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      algorithms: [ALGORITHM],
      issuer: ISSUER,
      audience: AUDIENCE,
      secretOrKeyProvider: (_request: unknown, token: string, done: KeyFound) => {
        try {
          const key = keys.find(decodeProtectedHeader(token).kid ?? '');
          done(key ? null : new Error('unknown key'), key as unknown as Buffer);
        } catch (error) {
          done(error);
        }
      },
    });
  }

  /** Times are the machine's, not the application's clock: clients compare them with theirs. */
  async issue(user: UserRow, session: { id: string; created_at: Date }) {
    const { kid, privateKey } = this.keys.current;
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

  /** Claims of the token in an `Authorization` header; null for any that is not ours, not whole or not valid now. */
  verify(authorization: string): Promise<AccessTokenClaims | null> {
    return new Promise((resolve, reject) => {
      const answer = (error: Error | null, claims: AccessTokenClaims | false) => {
        if (error) reject(error);
        else resolve(claims || null);
      };
      const authenticate = this.passport.authenticate(STRATEGY, { session: false }, answer) as Middleware;
      authenticate({ headers: { authorization } }, {}, reject);
    });
  }

  validate(claims: AccessTokenClaims): AccessTokenClaims {
    return claims;
  }

  /** Asked by the base class while it constructs. */
  getPassportInstance(): passport.Authenticator {
    this.passport = new passport.Passport();
    return this.passport;
  }
}
