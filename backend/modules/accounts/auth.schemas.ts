import { cpf as rules } from 'cpf-cnpj-validator';
import * as z from 'zod/mini';
import { id } from '../../platform/http/common.api.js';
import { cpf, signUpData } from './accounts.api.js';

/** Lower case, without blanks around it. */
const email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, 'Unable to validate email address: invalid format'),
    z.email('Unable to validate email address: invalid format'),
  );

/** What auth-js sends along on every call of this kind. */
const envelope = {
  gotrue_meta_security: z.optional(z.strictObject({ captcha_token: z.optional(z.string()) })),
  code_challenge: z.nullish(z.string()),
  code_challenge_method: z.nullish(z.string()),
};

const password = z.string('A valid password is required');

/** The library's own `isValid` also refuses 123.456.789-09, which is somebody's. */
function hasCheckDigits(digits: string): boolean {
  const first = rules.verifierDigit(digits.slice(0, 9));
  const second = rules.verifierDigit(`${digits.slice(0, 9)}${first}`);
  return digits.endsWith(`${first}${second}`) && !/^(\d)\1*$/.test(digits);
}

export const signUpBody = z.strictObject({
  ...envelope,
  email: z.optional(email),
  phone: z.optional(z.string()),
  channel: z.optional(z.string()),
  password: z
    .string('Signup requires a valid password')
    .check(z.minLength(1, 'Signup requires a valid password')),
  data: z.extend(signUpData, { cpf: cpf.check(z.refine(hasCheckDigits, 'CPF inválido')) }),
});
export type SignUpBody = z.infer<typeof signUpBody>;

export const tokenQuery = z.strictObject({ grant_type: z.string() });

/** The fields of every grant; which of them count is the grant's business. */
export const tokenBody = z.strictObject({
  ...envelope,
  email: z.optional(email),
  phone: z.optional(z.string()),
  password: z.optional(password),
  refresh_token: z.optional(z.string()),
  auth_code: z.optional(z.string()),
  code_verifier: z.optional(z.string()),
  provider: z.optional(z.string()),
  id_token: z.optional(z.string()),
  access_token: z.optional(z.string()),
  nonce: z.optional(z.string()),
  link_identity: z.optional(z.boolean()),
  chain: z.optional(z.string()),
  message: z.optional(z.string()),
  signature: z.optional(z.string()),
});
export type TokenBody = z.infer<typeof tokenBody>;

export const redirectQuery = z.strictObject({ redirect_to: z.optional(z.string()) });

export const logoutQuery = z.strictObject({
  scope: z._default(z.enum(['global', 'local', 'others'], 'Unsupported logout scope'), 'global'),
});

export const authUser = z.looseObject({
  id,
  aud: z.literal('authenticated'),
  role: z.literal('authenticated'),
  email: z.string(),
  user_metadata: z.object({ nome: z.string() }),
});

export const tokenResponse = z.object({
  access_token: z.string(),
  token_type: z.literal('bearer'),
  /** Seconds. */
  expires_in: z.int(),
  /** Seconds since 1970. */
  expires_at: z.int(),
  refresh_token: z.string(),
  user: authUser,
});

export const jwks = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string(), use: z.string() })),
});

export const authSettings = z.looseObject({
  external: z.record(z.string(), z.boolean()),
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.boolean(),
});

export const authHealth = z.object({ version: z.string(), name: z.string(), description: z.string() });
