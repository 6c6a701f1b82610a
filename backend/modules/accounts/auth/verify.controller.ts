import { Body, Get, Post, Query, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { deviceOf } from '../sessions/device.js';
import { AuthController } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import { type Caller, From } from './caller.js';
import { AuthLimits } from './auth-limits.service.js';
import {
  type VerifyBody,
  verifyBody,
  type VerifyQuery,
  verifyQuery,
  verifyResponse,
} from './auth.schemas.js';
import { refuseHead } from './head.js';
import { isPkceLink, type MailToken, MailTokens } from './mail-tokens.service.js';
import { Redirects } from './redirects.js';
import { Verifications } from './verify.service.js';

const HALF_DONE = 'Confirmation link accepted. Please proceed to confirm link sent to the other email';
const BY_ADDRESS = { name: 'verify', points: 300, seconds: 600 };

/** Where the links and the digits of mails end up. */
@AuthController()
export class VerifyController {
  constructor(
    private readonly tokens: MailTokens,
    private readonly verifications: Verifications,
    private readonly limits: AuthLimits,
    private readonly redirects: Redirects,
  ) {}

  @Post('verify')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Troca o código ou o link de um e-mail por uma sessão',
    public: true,
    query: verifyQuery,
    body: verifyBody,
    answer: verifyResponse,
  })
  async verify(@Body() body: VerifyBody, @From() caller: Caller) {
    const { request } = caller;
    const token = await this.find(body, caller);
    const redemption = { device: deviceOf(request), requestId: request.id, isLink: false };
    const verified = await this.verifications.redeem(token, redemption);
    return verified.kind === 'session' ? verified.tokens : { msg: HALF_DONE, code: '200' };
  }

  @Get('verify')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'O link de um e-mail: leva à página pedida',
    public: true,
    query: verifyQuery,
    status: 303,
  })
  async open(
    @Query() { token = '', type = '', redirect_to }: VerifyQuery,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<void> {
    refuseHead(request);
    void reply.header('Location', await this.destination(token, type, redirect_to, request));
  }

  private async destination(
    token: string,
    type: string,
    redirect_to: string | undefined,
    request: FastifyRequest,
  ): Promise<string> {
    const to = this.redirects.allowed(redirect_to);
    const isPkce = isPkceLink(token);
    try {
      const redemption = { device: deviceOf(request), requestId: request.id, isLink: true };
      const verified = await this.verifications.redeem(await this.tokens.byLink(type, token), redemption);
      if (verified.kind === 'code') return this.redirects.withCode(to, verified.code);
      if (verified.kind === 'half') return this.redirects.withMessage(to, HALF_DONE, isPkce);
      return this.redirects.withTokens(to, type, verified.tokens);
    } catch (error) {
      if (!(error instanceof AuthError)) throw error;
      return this.redirects.withError(to, error, isPkce);
    }
  }

  private find(
    { type, email, phone, token, token_hash: link }: VerifyBody,
    caller: Caller,
  ): Promise<MailToken> {
    if (!token === !link) {
      throw new AuthError(400, 'validation_failed', 'Verify requires either a token or a token hash');
    }
    if (link) {
      if (email !== undefined || phone !== undefined) {
        throw new AuthError(400, 'validation_failed', 'Only the token_hash and type should be provided');
      }
      return this.tokens.byLink(type, link);
    }
    if (phone !== undefined) throw new AuthError(403, 'otp_expired', 'Token has expired or is invalid');
    if (email === undefined) {
      throw new AuthError(
        400,
        'validation_failed',
        'Only an email address or phone number should be provided on verify',
      );
    }
    return this.limits.tryDigits(email, caller, () => this.tokens.byDigits(type, email, token!));
  }
}
