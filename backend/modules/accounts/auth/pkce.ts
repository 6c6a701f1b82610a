import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import { AuthError } from './auth-error.js';

/** The PKCE fields that auth-js sends: only the browser that began a flow can complete it. */
export const pkceFields = {
  code_challenge: z.nullish(z.string()),
  code_challenge_method: z.nullish(z.string()),
};

interface PkceFields {
  code_challenge?: string | null | undefined;
  code_challenge_method?: string | null | undefined;
}

/** Requires both or none, and only S256, since a plain challenge does not protect. For `.check(…)` of an object. */
export const pkceRule = z.superRefine<PkceFields>(
  ({ code_challenge: challenge, code_challenge_method: method }, context) => {
    const refuse = (message: string) =>
      context.addIssue({ code: 'custom', message, path: ['code_challenge'], input: challenge });
    if (!challenge !== !method) refuse('PKCE flow requires code_challenge_method and code_challenge');
    else if (method && method.toLowerCase() !== 's256') refuse('invalid code_challenge_method');
    else if (challenge && !/^[\w.~-]{43,128}$/.test(challenge))
      refuse('code challenge has to be between 43 and 128 characters');
  },
);

/**
 * RFC 7636: the challenge is the SHA-256 of the verifier.
 * @throws AuthError 400 `bad_code_verifier`
 */
export function refuseOtherVerifier(challenge: string, verifier: string): void {
  const right = Buffer.from(challenge);
  const given = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  if (right.length === given.length && timingSafeEqual(right, given)) return;
  throw new AuthError(
    400,
    'bad_code_verifier',
    'code challenge does not match previously saved code verifier',
  );
}

/** For a code or ticket that is forged, used or expired. */
export function flowNotFound(): AuthError {
  return new AuthError(404, 'flow_state_not_found', 'invalid flow state, no valid flow state found');
}
