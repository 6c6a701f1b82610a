import { Body, Delete, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { Devices } from '../sessions/devices.service.js';
import { AuthController, type Caller, From, refuseHead } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import { nothing } from './auth.schemas.js';
import { Identities } from './identities.service.js';
import { ProviderFlows } from './provider-flows.service.js';
import { Providers } from './providers.service.js';
import { Redirects } from './redirects.js';
import { pkceFields, pkceRule } from './pkce.js';

/** Clients may add parameters for the provider; these two are passed on. */
const authorizeQuery = z
  .looseObject({
    ...pkceFields,
    provider: z.string('Unsupported provider: Provider  could not be found'),
    redirect_to: z.optional(z.string()),
    prompt: z.optional(z.string()),
    login_hint: z.optional(z.string()),
  })
  .check(pkceRule);
type AuthorizeQuery = z.infer<typeof authorizeQuery>;

/** The parameters of the callback, which differ by provider. */
const callbackFields = z.record(z.string(), z.string());

const providerAddress = z.object({ url: z.string() });

/** Any text; one that is not an id gives 404. */
const identityParams = z.strictObject({ id: z.string() });
type IdentityParams = z.infer<typeof identityParams>;

const BY_ADDRESS = { name: 'providers', points: 300, seconds: 600 };

/** Sign-in with Google and Apple, and the identities of a user. */
@AuthController()
export class ProvidersController {
  constructor(
    private readonly providers: Providers,
    private readonly flows: ProviderFlows,
    private readonly identities: Identities,
    private readonly redirects: Redirects,
    private readonly devices: Devices,
  ) {}

  @Get('authorize')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Redireciona para o Google ou a Apple',
    public: true,
    query: authorizeQuery,
    status: 302,
  })
  async authorize(
    @Query() query: AuthorizeQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    refuseHead(request);
    void reply.header('Location', await this.destination(query, request));
  }

  @Get('callback')
  @RateLimit(BY_ADDRESS)
  @Route({ summary: 'Recebe a resposta do Google', public: true, query: callbackFields, status: 302 })
  async callback(@Query() answer: Record<string, string>, @From() caller: Caller): Promise<void> {
    refuseHead(caller.request);
    void caller.reply.header('Location', await this.flows.finish(answer, this.devices.of(caller)));
  }

  @Post('callback')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Recebe a resposta da Apple',
    public: true,
    takes: ['application/x-www-form-urlencoded'],
    body: callbackFields,
    status: 302,
  })
  async callbackForm(@Body() answer: Record<string, string>, @From() caller: Caller): Promise<void> {
    void caller.reply.header('Location', await this.flows.finish(answer, this.devices.of(caller)));
  }

  @Get('user/identities/authorize')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Mostra o endereço para conectar uma conta do Google ou da Apple',
    signedIn: true,
    beforeSecondFactor: 401,
    query: authorizeQuery,
    answer: providerAddress,
  })
  async authorizeLink(@Query() query: AuthorizeQuery, @Req() request: FastifyRequest) {
    refuseHead(request);
    if (!query.code_challenge) {
      throw new AuthError(
        400,
        'validation_failed',
        'PKCE flow requires code_challenge_method and code_challenge',
      );
    }
    return { url: await this.begin(query, request.caller!.sessionId) };
  }

  @Delete('user/identities/:id')
  @Route({
    summary: 'Desconecta uma conta do Google ou da Apple',
    signedIn: true,
    beforeSecondFactor: 401,
    params: identityParams,
    answer: nothing,
  })
  async unlink(@Param() { id }: IdentityParams, @Req() { caller }: FastifyRequest) {
    await this.identities.unlink(caller!, id);
    return {};
  }

  /** A request by navigation is redirected to a page with the error; any other gets a JSON error. */
  private async destination(query: AuthorizeQuery, { headers }: FastifyRequest): Promise<string> {
    try {
      return await this.begin(query, null);
    } catch (error) {
      if (!(error instanceof AuthError) || !headers.accept?.includes('text/html')) throw error;
      return this.redirects.withError(this.redirects.allowed(query.redirect_to), error, true);
    }
  }

  private begin(
    { provider, redirect_to, code_challenge = null, prompt, login_hint }: AuthorizeQuery,
    session_id: string | null,
  ): Promise<string> {
    const hints = { ...(prompt && { prompt }), ...(login_hint && { login_hint }) };
    return this.flows.begin(
      {
        provider: this.providers.named(provider),
        redirect_to: this.redirects.allowed(redirect_to),
        code_challenge,
        session_id,
      },
      hints,
    );
  }
}
