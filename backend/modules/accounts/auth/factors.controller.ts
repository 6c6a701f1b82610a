import { Body, Delete, Get, Param, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { AuthController, type Caller, From } from './auth-controller.js';
import { AuthError } from './auth-error.js';
import { tokenResponse } from './auth.schemas.js';
import { Factors } from './factors.service.js';
import { RecoveryCodes } from './recovery-codes.service.js';
import * as z from 'zod/mini';
import { id, text, withoutUnseen } from '../../../platform/http/common.api.js';

/** Any text; one that is not an id gives 404. */
const factorParams = z.strictObject({ id: z.string() });
type FactorParams = z.infer<typeof factorParams>;

const label = z.optional(z.string().check(z.overwrite(withoutUnseen), z.maxLength(60)));

const enrolBody = z.strictObject({
  factor_type: z.enum(['totp', 'phone', 'webauthn'], 'factor_type needs to be totp, phone, or webauthn'),
  friendly_name: label,
  issuer: label,
  phone: z.optional(z.string()),
});
type EnrolBody = z.infer<typeof enrolBody>;

const enrolAnswer = z.object({
  id,
  type: z.literal('totp'),
  friendly_name: z.nullable(z.string()),
  totp: z.object({
    /** An SVG. */
    qr_code: z.string(),
    /** Base32, to be typed if the QR code cannot be scanned. */
    secret: z.string(),
    uri: z.string(),
  }),
});

/** auth-js also sends the factor's id in the body. */
const challengeBody = z.optional(
  z.strictObject({ factorId: z.optional(z.string()), channel: z.optional(z.string()) }),
);

const challengeAnswer = z.object({
  id,
  type: z.literal('totp'),
  /** Seconds since 1970. */
  expires_at: z.int(),
});

const verifyFactorBody = z.strictObject({
  challenge_id: z.string(),
  code: text(1, 64, 'Code needs to be non-empty'),
});
type VerifyFactorBody = z.infer<typeof verifyFactorBody>;

const factorAnswer = z.object({ id });

const recoveryCodes = z.object({ codes: z.array(z.string()) });
const recoveryCodesLeft = z.object({ remaining: z.int() });

const BY_ADDRESS = { name: 'factors', points: 300, seconds: 600 };

@AuthController()
export class FactorsController {
  constructor(
    private readonly factors: Factors,
    private readonly codes: RecoveryCodes,
  ) {}

  @Post('factors')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Começa a ativar um aplicativo autenticador',
    signedIn: true,
    body: enrolBody,
    answer: enrolAnswer,
  })
  enrol(@Body() { factor_type, friendly_name, issuer }: EnrolBody, @Req() { caller }: FastifyRequest) {
    if (factor_type !== 'totp') {
      throw new AuthError(
        422,
        `mfa_${factor_type}_enroll_not_enabled`,
        `MFA enroll is disabled for ${factor_type === 'phone' ? 'Phone' : 'WebAuthn'}`,
      );
    }
    return this.factors.enrol(caller!, friendly_name?.trim() || null, issuer?.trim() || 'Rende');
  }

  @Post('factors/:id/challenge')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Cria um desafio para o aplicativo autenticador',
    signedIn: true,
    beforeSecondFactor: 'answered',
    params: factorParams,
    body: challengeBody,
    answer: challengeAnswer,
  })
  challenge(@Param() { id }: FactorParams, @From() caller: Caller) {
    return this.factors.challenge(caller.request.caller!, id, caller);
  }

  @Post('factors/:id/verify')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Confere o código do aplicativo, ou um código de recuperação no lugar dele',
    signedIn: true,
    beforeSecondFactor: 'answered',
    params: factorParams,
    body: verifyFactorBody,
    answer: tokenResponse,
  })
  verify(@Param() { id }: FactorParams, @Body() body: VerifyFactorBody, @From() caller: Caller) {
    return this.factors.verify(caller.request.caller!, id, body, caller);
  }

  @Delete('factors/:id')
  @Route({
    summary: 'Remove um aplicativo autenticador',
    signedIn: true,
    beforeSecondFactor: 422,
    params: factorParams,
    answer: factorAnswer,
  })
  unenrol(@Param() { id }: FactorParams, @From() caller: Caller) {
    return this.factors.unenrol(caller.request.caller!, id, caller);
  }

  @Post('recovery-codes')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Gera códigos de recuperação no lugar dos anteriores; só esta resposta os mostra',
    signedIn: true,
    answer: recoveryCodes,
  })
  async renewCodes(@Req() { caller }: FastifyRequest) {
    return { codes: await this.codes.renew(caller!) };
  }

  @Get('recovery-codes')
  @Route({
    summary: 'Mostra quantos códigos de recuperação restam',
    signedIn: true,
    answer: recoveryCodesLeft,
  })
  async codesLeft(@Req() { caller }: FastifyRequest) {
    return { remaining: await this.codes.remaining(caller!) };
  }
}
