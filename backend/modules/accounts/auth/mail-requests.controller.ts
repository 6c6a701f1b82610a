import { Body, Get, Post, Query } from '@nestjs/common';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { Devices } from '../sessions/devices.service.js';
import { Users } from '../users/users.service.js';
import { AuthController, type Caller, From, refuseHead } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import { AuthLimits } from './auth-limits.service.js';
import {
  nothing,
  otpBody,
  type OtpBody,
  recoverBody,
  type RecoverBody,
  redirectQuery,
  type RedirectQuery,
  resendBody,
  type ResendBody,
} from './auth.schemas.js';
import { askerOf, MailRequests } from './mail-requests.service.js';
import { Redirects } from './redirects.js';

const BY_ADDRESS = { name: 'mail-by-address', points: 100, seconds: 600 };

/** Requests for mails. The response is the same whether or not the address has an account. */
@AuthController()
export class MailRequestsController {
  constructor(
    private readonly mails: MailRequests,
    private readonly users: Users,
    private readonly limits: AuthLimits,
    private readonly redirects: Redirects,
    private readonly devices: Devices,
  ) {}

  @Post('otp')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Envia um link e um código para entrar sem senha',
    public: true,
    query: redirectQuery,
    body: otpBody,
    answer: nothing,
  })
  async otp(
    @Body() { email, phone, code_challenge }: OtpBody,
    @Query() { redirect_to }: RedirectQuery,
    @From() caller: Caller,
  ) {
    if (email === undefined) {
      throw phone === undefined
        ? new AuthError(400, 'validation_failed', 'One of email or phone must be set')
        : new AuthError(400, 'phone_provider_disabled', 'Unsupported phone provider');
    }
    await this.limits.countMail('otp', email, caller);
    await this.mails.magicLink(
      email,
      this.redirects.link(code_challenge, redirect_to),
      this.devices.of(caller),
    );
    return {};
  }

  @Post('recover')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Envia um link e um código para criar uma nova senha',
    public: true,
    query: redirectQuery,
    body: recoverBody,
    answer: nothing,
  })
  async recover(
    @Body() { email, code_challenge }: RecoverBody,
    @Query() { redirect_to }: RedirectQuery,
    @From() caller: Caller,
  ) {
    await this.limits.countMail('recover', email, caller);
    const link = this.redirects.link(code_challenge, redirect_to);
    await this.mails.recovery(email, link, this.devices.of(caller));
    return {};
  }

  @Post('resend')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Envia de novo a confirmação da conta ou da troca de e-mail',
    public: true,
    query: redirectQuery,
    body: resendBody,
    answer: nothing,
  })
  async resend(
    @Body() { type, email, phone, code_challenge }: ResendBody,
    @Query() { redirect_to }: RedirectQuery,
    @From() caller: Caller,
  ) {
    if (email !== undefined && phone !== undefined) {
      throw new AuthError(
        400,
        'validation_failed',
        'Only an email address or phone number should be provided.',
      );
    }
    if (phone !== undefined) throw new AuthError(400, 'phone_provider_disabled', 'Phone logins are disabled');
    if (email === undefined) {
      throw new AuthError(400, 'validation_failed', 'Type provided requires an email address');
    }
    if (type !== 'signup' && type !== 'email_change') {
      throw new AuthError(400, 'validation_failed', 'Type provided requires a phone number');
    }
    await this.limits.countMail('resend', email, caller);
    const device = this.devices.of(caller);
    const link = this.redirects.link(code_challenge, redirect_to);
    await (type === 'signup'
      ? this.mails.resendSignUp(email, link, device)
      : this.mails.resendEmailChange(email, link, device));
    return {};
  }

  @Get('reauthenticate')
  @RateLimit(BY_ADDRESS)
  @Route({ summary: 'Envia um código que confirma quem está usando', signedIn: true, answer: nothing })
  async reauthenticate(@From() caller: Caller) {
    const { request } = caller;
    refuseHead(request);
    const { id, email } = await this.users.byId(request.caller!.userId);
    await this.limits.countMail('reauthenticate', email, caller);
    await this.mails.reauthentication(id, askerOf(email, this.devices.of(caller)));
    return {};
  }
}
