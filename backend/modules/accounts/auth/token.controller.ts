import { Body, Post, Query } from '@nestjs/common';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { Devices } from '../sessions/devices.service.js';
import { Sessions } from '../sessions/sessions.service.js';
import { AuthController, type Caller, From } from './auth-controller.js';
import { AuthError, OAuthError } from './auth-error.js';
import { AuthLimits } from './auth-limits.service.js';
import { type TokenBody, tokenBody, tokenQuery, tokenResponse } from './auth.schemas.js';
import { IdTokenGrant } from './id-token.grant.js';
import { PasswordGrant } from './password.grant.js';
import { PkceGrant } from './pkce.grant.js';
import { RefreshGrant } from './refresh.grant.js';

/** The token endpoint: exchanges a grant for a session with its tokens. */
@AuthController()
export class TokenController {
  constructor(
    private readonly passwordGrant: PasswordGrant,
    private readonly refreshGrant: RefreshGrant,
    private readonly pkceGrant: PkceGrant,
    private readonly idTokenGrant: IdTokenGrant,
    private readonly sessions: Sessions,
    private readonly limits: AuthLimits,
    private readonly devices: Devices,
  ) {}

  @Post('token')
  @RateLimit({ name: 'token', points: 3000, seconds: 600 })
  @Route({
    summary: 'Troca uma senha, um código ou um refresh token por uma sessão',
    public: true,
    query: tokenQuery,
    body: tokenBody,
    answer: tokenResponse,
  })
  token(@Query() { grant_type }: { grant_type: string }, @Body() body: TokenBody, @From() caller: Caller) {
    switch (grant_type) {
      case 'password':
        return this.password(body, caller);
      case 'refresh_token':
        return this.refreshGrant.exchange(body.refresh_token ?? '');
      case 'pkce':
        return this.pkce(body, caller);
      case 'id_token':
        return this.idToken(body, caller);
      case 'web3':
        throw new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled');
      default:
        throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
    }
  }

  private password({ email, phone, password = '' }: TokenBody, caller: Caller) {
    if (email === undefined) {
      throw phone === undefined
        ? new AuthError(400, 'validation_failed', 'missing email or phone')
        : new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
    }
    return this.limits.tryPassword(email, caller, () =>
      this.passwordGrant.exchange(email, password, this.devices.of(caller)),
    );
  }

  private async idToken({ provider = '', id_token, nonce, link_identity }: TokenBody, from: Caller) {
    if (!id_token) throw new OAuthError('invalid request', 'id_token required');
    if (!link_identity) return this.idTokenGrant.signIn(provider, id_token, nonce, this.devices.of(from));
    const caller = await this.sessions.identify(from.request.headers.authorization);
    return this.idTokenGrant.link(caller, provider, id_token, nonce);
  }

  private pkce({ auth_code: code, code_verifier: verifier }: TokenBody, caller: Caller) {
    if (!code || !verifier) {
      throw new AuthError(
        400,
        'validation_failed',
        'invalid request: both auth code and code verifier should be non-empty',
      );
    }
    return this.pkceGrant.exchange(code, verifier, {
      device: this.devices.of(caller),
      requestId: caller.request.id,
    });
  }
}
