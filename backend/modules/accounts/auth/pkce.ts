import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';

/** What auth-js sends along where the browser that begins a flow must also be the one that ends it. */
export const pkceFields = {
  code_challenge: z.nullish(z.string()),
  code_challenge_method: z.nullish(z.string()),
};

interface PkceFields {
  code_challenge?: string | null | undefined;
  code_challenge_method?: string | null | undefined;
}

/** Both or none, and only S256: a plain challenge is as good as none. For `.check(…)` of an object. */
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

/** RFC 7636: the challenge is the SHA-256 of the verifier. */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  const right = Buffer.from(challenge);
  const given = Buffer.from(createHash('sha256').update(verifier).digest('base64url'));
  return right.length === given.length && timingSafeEqual(right, given);
}
