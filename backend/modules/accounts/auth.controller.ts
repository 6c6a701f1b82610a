import { Body, Controller, Get, Header, Post, Query, Req, Res, UseFilters } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { addressKey, RateLimit, type RateLimitOptions, RateLimits } from '../../platform/http/rate-limit.js';
import { Route } from '../../platform/http/route.js';
import { AuthError } from './auth-error.js';
import { AuthErrorFilter } from './auth-error.filter.js';
import {
  authHealth,
  authSettings,
  authUser,
  jwks,
  logoutQuery,
  redirectQuery,
  type SignUpBody,
  signUpBody,
  type TokenBody,
  tokenBody,
  tokenQuery,
  tokenResponse,
} from './auth.schemas.js';
import { toAuthUser } from './auth-user.js';
import { Grants } from './grants.service.js';
import { Secrets } from './secrets.service.js';
import { type LogoutScope, Sessions } from './sessions.service.js';
import { SignUps } from './sign-up.service.js';
import { SigningKeys } from './signing-keys.service.js';
import { Users } from './users.service.js';

/**
 * Only wrong passwords count: a right one gives its point back. The account's points are those of one address, so
 * that nobody can lock somebody else out.
 */
const WRONG_PASSWORDS = {
  byAddress: { name: 'password-by-address', points: 100, seconds: 600 },
  byAccount: { name: 'password-by-account', points: 20, seconds: 600 },
} satisfies Record<string, RateLimitOptions>;

const SIGN_UPS_BY_ACCOUNT: RateLimitOptions = { name: 'signup-by-account', points: 10, seconds: 600 };

/** The wire format of the reference auth service, as far as auth-js needs it to sign up, in and out. */
@Controller('auth/v1')
@UseFilters(AuthErrorFilter)
export class AuthController {
  constructor(
    private readonly signUps: SignUps,
    private readonly grants: Grants,
    private readonly users: Users,
    private readonly sessions: Sessions,
    private readonly keys: SigningKeys,
    private readonly secrets: Secrets,
    private readonly limits: RateLimits,
  ) {}

  @Post('signup')
  @RateLimit({ name: 'signup', points: 100, seconds: 600 })
  @Route({
    summary: 'Cria a conta de um personal e a sua sessão',
    public: true,
    query: redirectQuery,
    body: signUpBody,
    answer: tokenResponse,
  })
  async signUp(
    @Body() body: SignUpBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    const { email, phone, password, data } = body;
    if (email === undefined) {
      throw phone === undefined
        ? new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
        : new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
    }
    await this.limits.consume(SIGN_UPS_BY_ACCOUNT, this.accountKey(email, request), reply);
    return this.signUps.register({
      email,
      password,
      data,
      userAgent: request.headers['user-agent'],
      requestId: request.id,
    });
  }

  @Post('token')
  @RateLimit({ name: 'token', points: 3000, seconds: 600 })
  @Route({
    summary: 'Troca uma senha ou um refresh token por uma sessão',
    public: true,
    query: tokenQuery,
    body: tokenBody,
    answer: tokenResponse,
  })
  token(
    @Query() { grant_type }: { grant_type: string },
    @Body() body: TokenBody,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ) {
    switch (grant_type) {
      case 'password':
        return this.signIn(body, request, reply);
      case 'refresh_token':
        return this.grants.withRefreshToken(body.refresh_token ?? '');
      case 'pkce':
        if (!body.auth_code || !body.code_verifier) {
          throw new AuthError(
            400,
            'validation_failed',
            'invalid request: both auth code and code verifier should be non-empty',
          );
        }
        throw new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
      case 'id_token':
        throw new AuthError(
          400,
          'provider_disabled',
          `Provider (issuer "${body.provider ?? ''}") is not enabled`,
        );
      case 'web3':
        throw new AuthError(422, 'web3_provider_disabled', 'Web3 provider is disabled');
      default:
        throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type');
    }
  }

  @Get('user')
  @Route({ summary: 'O usuário da sessão', signedIn: true, answer: authUser })
  async user(@Req() request: FastifyRequest) {
    return toAuthUser(await this.users.byId(request.caller!.userId));
  }

  @Post('logout')
  @Route({ summary: 'Encerra sessões na hora', signedIn: true, query: logoutQuery, status: 204 })
  async logout(@Req() request: FastifyRequest, @Query() { scope }: { scope: LogoutScope }) {
    await this.sessions.end(request.caller!, scope);
  }

  @Get('.well-known/jwks.json')
  @Header('Cache-Control', 'public, max-age=600')
  @Route({ summary: 'Chaves públicas dos tokens de acesso', public: true, answer: jwks })
  jwks() {
    return { keys: this.keys.publicJwks };
  }

  @Get('settings')
  @Route({ summary: 'Formas de entrar que estão ligadas', public: true, answer: authSettings })
  settings() {
    return {
      external: { anonymous_users: false, apple: false, email: true, google: false, phone: false },
      disable_signup: false,
      mailer_autoconfirm: true,
      phone_autoconfirm: false,
      sms_provider: '',
      saml_enabled: false,
    };
  }

  @Get('health')
  @Route({ summary: 'O serviço de contas está de pé', public: true, answer: authHealth })
  health() {
    return { version: '1', name: 'Rende', description: 'Contas e sessões' };
  }

  private async signIn(body: TokenBody, request: FastifyRequest, reply: FastifyReply) {
    const { email, phone, password = '' } = body;
    if (email === undefined) {
      throw phone === undefined
        ? new AuthError(400, 'validation_failed', 'missing email or phone')
        : new AuthError(422, 'phone_provider_disabled', 'Phone logins are disabled');
    }
    const points = [
      [WRONG_PASSWORDS.byAddress, addressKey(request.ip)],
      [WRONG_PASSWORDS.byAccount, this.accountKey(email, request)],
    ] as const;
    for (const [limit, key] of points) await this.limits.consume(limit, key, reply);
    const answer = await this.grants.withPassword(email, password, request.headers['user-agent']);
    for (const [limit, key] of points) await this.limits.refund(limit, key);
    return answer;
  }

  private accountKey(email: string, { ip }: FastifyRequest): string {
    return this.secrets.fingerprint(`${email} ${addressKey(ip)}`).toString('base64url');
  }
}
