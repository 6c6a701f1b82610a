import { Body, Post } from '@nestjs/common';
import * as z from 'zod/mini';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { Devices } from '../sessions/devices.service.js';
import { AuthController, type Caller, From } from './auth-controller.js';
import { AuthLimits } from './auth-limits.service.js';
import { tokenResponse, registration } from './auth.schemas.js';
import { newcomer, type NewcomerAnswer } from './newcomers.api.js';
import { Newcomers } from './newcomers.service.js';
import { SignUps } from './sign-up.service.js';

/** The ticket from the page's address, and the PKCE verifier that the browser has kept. */
const ticket = { ticket: z.string(), code_verifier: z.string() };

const newcomerBody = z.strictObject(ticket);
type NewcomerBody = z.infer<typeof newcomerBody>;

const newcomerSignUpBody = z.strictObject({ ...ticket, data: registration });
type NewcomerSignUpBody = z.infer<typeof newcomerSignUpBody>;

/** Sign-up through Google or Apple: our own routes, since auth-js has none for it. */
@AuthController()
export class NewcomersController {
  constructor(
    private readonly newcomers: Newcomers,
    private readonly signUps: SignUps,
    private readonly limits: AuthLimits,
    private readonly devices: Devices,
  ) {}

  @Post('signup/provider/person')
  @RateLimit({ name: 'newcomers', points: 300, seconds: 600 })
  @Route({
    summary: 'Mostra quem veio do Google ou da Apple e ainda não tem conta',
    public: true,
    body: newcomerBody,
    answer: newcomer,
  })
  async person(@Body() { ticket, code_verifier }: NewcomerBody): Promise<NewcomerAnswer> {
    const { provider, email, nome = '' } = (await this.newcomers.find(ticket, code_verifier)).identity;
    return { provider, email, nome };
  }

  @Post('signup/provider')
  @RateLimit({ name: 'signup', points: 100, seconds: 600 })
  @Route({
    summary: 'Cria a conta de quem veio do Google ou da Apple, com a sua sessão',
    public: true,
    body: newcomerSignUpBody,
    answer: tokenResponse,
  })
  async signUp(@Body() { ticket, code_verifier, data }: NewcomerSignUpBody, @From() caller: Caller) {
    const found = await this.newcomers.find(ticket, code_verifier);
    await this.limits.countSignUp(found.identity.email, caller);
    const { request } = caller;
    return this.signUps.registerNewcomer(found, {
      data,
      requestId: request.id,
      device: this.devices.of(caller),
    });
  }
}
