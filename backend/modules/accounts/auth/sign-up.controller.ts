import { Body, Post, Query } from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { Devices } from '../sessions/devices.service.js';
import { AuthController, type Caller, From } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import { AuthLimits } from './auth-limits.service.js';
import {
  redirectQuery,
  type RedirectQuery,
  type SignUpBody,
  signUpBody,
  signUpResponse,
} from './auth.schemas.js';
import { Redirects } from './redirects.js';
import { SignUps } from './sign-up.service.js';

@AuthController()
export class SignUpController {
  constructor(
    private readonly config: Config,
    private readonly signUps: SignUps,
    private readonly limits: AuthLimits,
    private readonly redirects: Redirects,
    private readonly devices: Devices,
  ) {}

  @Post('signup')
  @RateLimit({ name: 'signup', points: 100, seconds: 600 })
  @Route({
    summary: 'Cria a conta de um personal, com a sua sessão ou com um e-mail a confirmar',
    public: true,
    query: redirectQuery,
    body: signUpBody,
    answer: signUpResponse,
  })
  async signUp(@Body() body: SignUpBody, @Query() { redirect_to }: RedirectQuery, @From() caller: Caller) {
    const { email, phone, password, data, code_challenge } = body;
    if (email === undefined) {
      throw phone === undefined
        ? new AuthError(422, 'anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
        : new AuthError(400, 'phone_provider_disabled', 'Phone signups are disabled');
    }
    const { request } = caller;
    await this.limits.countSignUp(email, caller);
    const applicant = { email, password, data, requestId: request.id, device: this.devices.of(caller) };
    if (this.config.mailerAutoconfirm) return this.signUps.register(applicant);
    const link = this.redirects.link(code_challenge, redirect_to);
    return this.signUps.apply(applicant, link, await this.limits.mayMailSignUp(email, caller));
  }
}
