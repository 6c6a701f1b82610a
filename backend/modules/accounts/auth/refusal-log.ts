import type { FastifyRequest } from 'fastify';
import {
  logSecurity,
  type Origin,
  originOf,
  type SecurityEvent,
} from '../../../platform/ops/security-log.js';
import type { AuthError } from './auth-error.js';

/** Error codes that may indicate an attack on an account. */
const EVENTS: Record<string, SecurityEvent> = {
  invalid_credentials: 'sign_in_failed',
  email_not_confirmed: 'sign_in_failed',
  otp_expired: 'sign_in_failed',
  bad_code_verifier: 'sign_in_failed',
  flow_state_not_found: 'sign_in_failed',
  // The callback of a provider, or an ID token.
  bad_oauth_callback: 'sign_in_failed',
  bad_oauth_state: 'sign_in_failed',
  flow_state_already_used: 'sign_in_failed',
  provider_email_needs_verification: 'sign_in_failed',
  'invalid nonce': 'sign_in_failed',
  'invalid request': 'sign_in_failed',
  webauthn_verification_failed: 'sign_in_failed',
  refresh_token_already_used: 'refresh_token_replayed',
  mfa_verification_failed: 'second_factor_failed',
  current_password_invalid: 'proof_failed',
  reauthentication_not_valid: 'proof_failed',
};

/** Writes such a refusal into the security log, independent of the response format. */
export function logRefusal(error: AuthError, request: FastifyRequest): void {
  logRefusalFrom(originOf(request), error, request.caller?.userId);
}

/** The same where only the origin of the request is known. */
export function logRefusalFrom(origin: Origin, { code, userId }: AuthError, callerId?: string): void {
  const event = EVENTS[code];
  if (!event) return;
  logSecurity(event, { userId: userId ?? callerId, reason: code.replaceAll(' ', '_') }, origin);
}
