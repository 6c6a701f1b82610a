import * as z from 'zod/mini';
import { id, withoutUnseen } from '../../../platform/http/common.api.js';
import { portugueseMessage } from '../../../platform/http/messages.api.js';
import { type SignUpData, signUpData } from '../accounts.api.js';
import { type InvitedData, invitedData } from '../invites.api.js';
import { pkceFields, pkceRule } from './pkce.js';

/** Lower case, without blanks around it. */
const email = z
  .string()
  .check(
    z.trim(),
    z.toLowerCase(),
    z.maxLength(254, 'Unable to validate email address: invalid format'),
    z.email('Unable to validate email address: invalid format'),
  );

/** Fields that auth-js adds to every call of this kind. */
export const envelope = {
  gotrue_meta_security: z.optional(z.strictObject({ captcha_token: z.optional(z.string()) })),
};

const password = z.string('A valid password is required');

/** With an invite fewer fields are required. Not a union, because its errors would not name the field. */
export const registration = z.pipe(
  z.looseObject({}),
  z.transform((data, payload): SignUpData | InvitedData => {
    const result = z.safeParse('convite' in data ? invitedData : signUpData, data, {
      error: portugueseMessage,
    });
    if (result.success) return result.data;
    for (const issue of result.error.issues) payload.issues.push({ ...issue, input: data } as never);
    return z.NEVER;
  }),
);

/** E-mail address or phone of the account. */
const addressee = {
  ...envelope,
  ...pkceFields,
  email: z.optional(email),
  phone: z.optional(z.string()),
};
const channel = z.optional(z.string());

export const signUpBody = z
  .strictObject({
    ...addressee,
    channel,
    password: z
      .string('Signup requires a valid password')
      .check(z.minLength(1, 'Signup requires a valid password')),
    data: registration,
  })
  .check(pkceRule);
export type SignUpBody = z.infer<typeof signUpBody>;

export const tokenQuery = z.strictObject({ grant_type: z.string() });

/** The fields of all grants; each grant reads its own. */
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

export const otpBody = z
  .strictObject({
    ...addressee,
    channel,
    create_user: z.optional(z.boolean()),
    data: z.optional(z.looseObject({})),
  })
  .check(pkceRule);
export type OtpBody = z.infer<typeof otpBody>;

export const recoverBody = z.strictObject({ ...envelope, ...pkceFields, email }).check(pkceRule);
export type RecoverBody = z.infer<typeof recoverBody>;

export const resendBody = z
  .strictObject({
    ...addressee,
    type: z.enum(
      ['signup', 'email_change', 'sms', 'phone_change'],
      'Missing one of these types: signup, email_change, sms, phone_change',
    ),
  })
  .check(pkceRule);
export type ResendBody = z.infer<typeof resendBody>;

const verificationType = z.enum(
  ['signup', 'invite', 'magiclink', 'recovery', 'email_change', 'email', 'sms', 'phone_change'],
  'Unsupported verification type',
);

/** auth-js sends its own `options` along. */
export const verifyBody = z.strictObject({
  ...envelope,
  type: verificationType,
  email: z.optional(email),
  phone: z.optional(z.string()),
  token: z.optional(z.string()),
  token_hash: z.optional(z.string()),
  options: z.optional(z.looseObject({})),
});
export type VerifyBody = z.infer<typeof verifyBody>;

export const verifyQuery = z.strictObject({
  token: z.optional(z.string()),
  type: z.optional(z.string()),
  redirect_to: z.optional(z.string()),
});
export type VerifyQuery = z.infer<typeof verifyQuery>;

export const redirectQuery = z.strictObject({ redirect_to: z.optional(z.string()) });
export type RedirectQuery = z.infer<typeof redirectQuery>;

/** Characters, as JSON. */
export const MOST_USER_DATA = 1000;
export const USER_DATA_TOO_LONG = `User data cannot be longer than ${MOST_USER_DATA} characters`;

/** Part of every token and of the browser's storage, so it is small and flat, and has no field of the profile. */
const userData = z
  .catchall(
    z.object({
      nome: z.optional(signUpData.shape.nome),
      cpf: z.optional(z.never()),
      data_nascimento: z.optional(z.never()),
      telefone: z.optional(z.never()),
    }),
    z.nullable(
      z.union([z.string().check(z.overwrite(withoutUnseen), z.maxLength(200)), z.number(), z.boolean()]),
    ),
  )
  .check(z.refine((data) => JSON.stringify(data).length <= MOST_USER_DATA, USER_DATA_TOO_LONG));

export const userBody = z
  .strictObject({
    ...pkceFields,
    email: z.optional(email),
    phone: z.optional(z.string()),
    channel,
    password: z.optional(password),
    current_password: z.optional(z.string()),
    nonce: z.optional(z.string()),
    data: z.optional(userData),
    app_metadata: z.optional(z.unknown()),
  })
  .check(pkceRule);
export type UserBody = z.infer<typeof userBody>;

export const logoutQuery = z.strictObject({
  scope: z._default(z.enum(['global', 'local', 'others'], 'Unsupported logout scope'), 'global'),
});

export const authUser = z.looseObject({
  id,
  aud: z.literal('authenticated'),
  role: z.literal('authenticated'),
  email: z.string(),
  user_metadata: z.looseObject({ nome: z.string() }),
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

/** A session, or only the user while the address is not confirmed. */
export const signUpResponse = z.union([tokenResponse, authUser]);

/** A session, or a message that the other mail of a change of address is still to be confirmed. */
export const verifyResponse = z.union([tokenResponse, z.object({ msg: z.string(), code: z.literal('200') })]);

export const nothing = z.object({});

export const jwks = z.object({
  keys: z.array(z.looseObject({ kty: z.string(), kid: z.string(), alg: z.string(), use: z.string() })),
});

export const authSettings = z.looseObject({
  external: z.record(z.string(), z.boolean()),
  disable_signup: z.boolean(),
  mailer_autoconfirm: z.boolean(),
});

export const authHealth = z.object({ version: z.string(), name: z.string(), description: z.string() });
