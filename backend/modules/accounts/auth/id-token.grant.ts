import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { createRemoteJWKSet, errors, type JWTPayload, jwtVerify } from 'jose';
import { Config } from '../../../platform/config/env.js';
import { Database } from '../../../platform/database/database.js';
import type { VerifiedSession } from '../../../platform/realtime/session-verifier.js';
import type { Device } from '../sessions/devices.service.js';
import { SessionTokens } from '../sessions/session-tokens.service.js';
import { Users } from '../users/users.service.js';
import { AuthError, OAuthError, secondFactorDue } from './auth-error.js';
import { Identities } from './identities.service.js';
import { signUpDisabled } from './newcomers.service.js';
import { identityOf, type Provider, PROVIDERS, Providers } from './providers.service.js';

const SIGNED_IN = 'update auth.users set last_sign_in_at = now() where id = $1';

/** Signs in with an ID token that the page got from the provider directly. */
@Injectable()
export class IdTokenGrant {
  private readonly keys = new Map<Provider, ReturnType<typeof createRemoteJWKSet>>();

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly providers: Providers,
    private readonly identities: Identities,
    private readonly sessionTokens: SessionTokens,
    private readonly users: Users,
  ) {}

  /** @throws AuthError 400 `provider_disabled`, OAuthError 400 for an invalid token or nonce, 422 like other sign-ins */
  async signIn(name: string, idToken: string, nonce: string | undefined, device: Device) {
    const identity = await this.identify(name, idToken, nonce);
    return this.database.transact(async (query) => {
      const userId = await this.identities.userOf(query, identity);
      if (userId === null) throw signUpDisabled();
      await query(SIGNED_IN, [userId]);
      const session = await this.sessionTokens.start(query, userId, 'oauth', device);
      return this.sessionTokens.answer(await this.users.byId(userId, query), session);
    });
  }

  /** Links another identity to the user of the session. */
  async link(caller: VerifiedSession, name: string, idToken: string, nonce: string | undefined) {
    if (caller.aal < caller.nextAal) throw secondFactorDue(401);
    const identity = await this.identify(name, idToken, nonce);
    return this.database.transact(async (query) => {
      await this.identities.link(query, caller.userId, identity);
      return this.sessionTokens.answerAgain(
        query,
        await this.users.byId(caller.userId, query),
        caller.sessionId,
      );
    });
  }

  private async identify(name: string, idToken: string, nonce: string | undefined) {
    const provider = PROVIDERS.find((each) => each === name && this.providers.isConfigured(each));
    if (!provider) {
      throw new AuthError(400, 'provider_disabled', `Provider (issuer "${name}") is not enabled`);
    }
    const claims = await this.verified(provider, idToken);
    if ((claims.nonce === undefined) !== !nonce) {
      throw new OAuthError(
        'invalid request',
        'Passed nonce and nonce in id_token should either both exist or not.',
      );
    }
    if (nonce && createHash('sha256').update(nonce).digest('hex') !== claims.nonce) {
      throw new OAuthError('invalid nonce', 'Nonces mismatch');
    }
    return identityOf(provider, claims);
  }

  private async verified(provider: Provider, idToken: string): Promise<JWTPayload> {
    const { clientId } = this.config[provider]!;
    const server = (await this.providers.configuration(provider)).serverMetadata();
    const keys = this.keys.get(provider) ?? createRemoteJWKSet(new URL(server.jwks_uri!));
    this.keys.set(provider, keys);
    try {
      const { payload } = await jwtVerify(idToken, keys, {
        issuer: server.issuer,
        audience: clientId,
        algorithms: ['RS256', 'ES256'],
        requiredClaims: ['exp', 'sub'],
      });
      // OpenID Connect Core 3.1.3.7: with several audiences, `azp` names the client that the token was issued to.
      if (Array.isArray(payload.aud) && payload.aud.length > 1 && payload.azp !== clientId) throw badToken();
      return payload;
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      const isAudience = error instanceof errors.JWTClaimValidationFailed && error.claim === 'aud';
      throw isAudience ? new OAuthError('invalid request', 'Unacceptable audience in id_token') : badToken();
    }
  }
}

function badToken(): OAuthError {
  return new OAuthError('invalid request', 'Bad ID token');
}
