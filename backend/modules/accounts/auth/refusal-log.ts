import type { FastifyRequest } from 'fastify';
import { logSecurity, originOf, type SecurityEvent } from '../../../platform/ops/security-log.js';
import type { AuthError } from './auth-error.js';

/** Refusals that may be somebody's attempt to get in, by their code. */
const EVENTS: Record<string, SecurityEvent> = {
  invalid_credentials: 'sign_in_failed',
  email_not_confirmed: 'sign_in_failed',
  otp_expired: 'sign_in_failed',
  bad_code_verifier: 'sign_in_failed',
  refresh_token_already_used: 'refresh_token_replayed',
  mfa_verification_failed: 'second_factor_failed',
  current_password_invalid: 'proof_failed',
  reauthentication_not_valid: 'proof_failed',
};

/** Writes such a refusal into the log, wherever the person is told of it. */
export function logRefusal({ code, userId }: AuthError, request: FastifyRequest): void {
  const event = EVENTS[code];
  if (!event) return;
  logSecurity(event, { userId: userId ?? request.caller?.userId, reason: code }, originOf(request));
}
