import { Body, Delete, Get, Param, Patch, Post, Req } from '@nestjs/common';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { id, text } from '../../../platform/http/common.api.js';
import { RateLimit } from '../../../platform/http/rate-limit.js';
import { Route } from '../../../platform/http/route.js';
import { AuthController, type Caller, From } from './auth-controller.js';
import { envelope, tokenResponse } from './auth.schemas.js';
import { Passkeys } from './passkeys.service.js';

/** Any text; one that is not an id gives 404. */
const passkeyParams = z.strictObject({ id: z.string() });
type PasskeyParams = z.infer<typeof passkeyParams>;

/** A ceremony with a device: its challenge, and what a browser takes as `publicKey`. */
const ceremony = z.object({
  challenge_id: id,
  options: z.looseObject({ challenge: z.string() }),
  /** Seconds since 1970. */
  expires_at: z.int(),
});

const base64Url = z.string().check(z.regex(/^[\w-]+$/, 'Needs to be base64url'));
/** What browsers make; they add fields. */
const publicKeyCredential = {
  id: base64Url,
  rawId: base64Url,
  type: z.literal('public-key'),
  clientExtensionResults: z.looseObject({}),
};

const attestation = z.looseObject({
  ...publicKeyCredential,
  response: z.looseObject({
    clientDataJSON: base64Url,
    attestationObject: base64Url,
    /** Names of ways to the device, of which there will be more. */
    transports: z.optional(z.array(z.string().check(z.maxLength(20))).check(z.maxLength(10))),
  }),
});
export type Attestation = z.infer<typeof attestation> & RegistrationResponseJSON;

const assertion = z.looseObject({
  ...publicKeyCredential,
  response: z.looseObject({
    clientDataJSON: base64Url,
    authenticatorData: base64Url,
    signature: base64Url,
    userHandle: z.optional(base64Url),
  }),
});
export type Assertion = z.infer<typeof assertion> & AuthenticationResponseJSON;

const beginBody = z.optional(z.strictObject(envelope));
const attested = z.strictObject({ challenge_id: z.string(), credential: attestation });
type Attested = { challenge_id: string; credential: Attestation };
const asserted = z.strictObject({ challenge_id: z.string(), credential: assertion });
type Asserted = { challenge_id: string; credential: Assertion };

const renaming = z.strictObject({ friendly_name: text(1, 60, 'Informe o nome') });
type Renaming = z.infer<typeof renaming>;

const passkey = z.object({
  id,
  friendly_name: z.string(),
  created_at: z.string(),
  /** Absent until it is used. */
  last_used_at: z.optional(z.string()),
});

const BY_ADDRESS = { name: 'passkeys', points: 300, seconds: 600 };
/** As many as other sign-ins: the sign-in page begins one for everybody who opens it, and a carrier's customers share an address. */
const SIGN_INS = { name: 'passkey-sign-ins', points: 3000, seconds: 600 };

/** Passkeys, by the addresses that auth-js calls; it has none for a passkey in place of a second factor's code. */
@AuthController()
export class PasskeysController {
  constructor(private readonly passkeys: Passkeys) {}

  @Post('passkeys/registration/options')
  @RateLimit(BY_ADDRESS)
  @Route({ summary: 'Começa a criar uma chave de acesso', signedIn: true, body: beginBody, answer: ceremony })
  beginRegistration(@From() caller: Caller) {
    return this.passkeys.registration(caller.request.caller!, caller);
  }

  @Post('passkeys/registration/verify')
  @RateLimit(BY_ADDRESS)
  @Route({ summary: 'Adiciona uma chave de acesso', signedIn: true, body: attested, answer: passkey })
  register(@Body() body: Attested, @From() caller: Caller) {
    return this.passkeys.register(caller.request.caller!, body, caller);
  }

  @Post('passkeys/authentication/options')
  @RateLimit(SIGN_INS)
  @Route({
    summary: 'Começa a entrar com uma chave de acesso',
    public: true,
    body: beginBody,
    answer: ceremony,
  })
  beginSignIn(@From() caller: Caller) {
    return this.passkeys.signInOptions(caller);
  }

  @Post('passkeys/authentication/verify')
  @RateLimit(SIGN_INS)
  @Route({ summary: 'Entra com uma chave de acesso', public: true, body: asserted, answer: tokenResponse })
  signIn(@Body() body: Asserted, @From() caller: Caller) {
    return this.passkeys.signIn(body, caller);
  }

  @Post('passkeys/proof/options')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Começa a usar uma chave de acesso no lugar do segundo fator',
    signedIn: true,
    beforeSecondFactor: 'answered',
    body: beginBody,
    answer: ceremony,
  })
  beginProof(@From() caller: Caller) {
    return this.passkeys.proofOptions(caller.request.caller!, caller);
  }

  @Post('passkeys/proof/verify')
  @RateLimit(BY_ADDRESS)
  @Route({
    summary: 'Confere uma chave de acesso no lugar do segundo fator',
    signedIn: true,
    beforeSecondFactor: 'answered',
    body: asserted,
    answer: tokenResponse,
  })
  prove(@Body() body: Asserted, @From() caller: Caller) {
    return this.passkeys.prove(caller.request.caller!, body, caller);
  }

  @Get('passkeys')
  @Route({ summary: 'Lista as chaves de acesso', signedIn: true, answer: z.array(passkey) })
  list(@Req() { caller }: FastifyRequest) {
    return this.passkeys.list(caller!);
  }

  @Patch('passkeys/:id')
  @Route({
    summary: 'Muda o nome de uma chave de acesso',
    signedIn: true,
    params: passkeyParams,
    body: renaming,
    answer: passkey,
  })
  rename(
    @Param() { id }: PasskeyParams,
    @Body() { friendly_name }: Renaming,
    @Req() { caller }: FastifyRequest,
  ) {
    return this.passkeys.rename(caller!, id, friendly_name);
  }

  @Delete('passkeys/:id')
  @Route({
    summary: 'Remove uma chave de acesso',
    signedIn: true,
    params: passkeyParams,
    answer: z.object({ id }),
  })
  remove(@Param() { id }: PasskeyParams, @From() caller: Caller) {
    return this.passkeys.remove(caller.request.caller!, id, caller);
  }
}
