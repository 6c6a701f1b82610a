import * as z from 'zod/mini';
import { id, text, withoutUnseen } from '../../../platform/http/common.api.js';

/** Any text; one that is not an id gives 404. */
export const factorParams = z.strictObject({ id: z.string() });
export type FactorParams = z.infer<typeof factorParams>;

const label = z.optional(z.string().check(z.overwrite(withoutUnseen), z.maxLength(60)));

export const enrolBody = z.strictObject({
  factor_type: z.enum(['totp', 'phone', 'webauthn'], 'factor_type needs to be totp, phone, or webauthn'),
  friendly_name: label,
  issuer: label,
  phone: z.optional(z.string()),
});
export type EnrolBody = z.infer<typeof enrolBody>;

export const enrolAnswer = z.object({
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
export const challengeBody = z.optional(
  z.strictObject({ factorId: z.optional(z.string()), channel: z.optional(z.string()) }),
);

export const challengeAnswer = z.object({
  id,
  type: z.literal('totp'),
  /** Seconds since 1970. */
  expires_at: z.int(),
});

export const verifyFactorBody = z.strictObject({
  challenge_id: z.string(),
  code: text(1, 64, 'Code needs to be non-empty'),
});
export type VerifyFactorBody = z.infer<typeof verifyFactorBody>;

export const factorAnswer = z.object({ id });

export const recoveryCodes = z.object({ codes: z.array(z.string()) });
export const recoveryCodesLeft = z.object({ remaining: z.int() });
