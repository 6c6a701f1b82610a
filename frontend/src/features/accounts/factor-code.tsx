import { TextInput, type TextInputProps } from '@mantine/core';
import * as z from 'zod/mini';
import { auth, replacingTokens } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';

export const factorCode = z.object({ code: z.string().check(z.trim(), z.minLength(1, 'Informe o código')) });

/** The code of the authenticator app, or a recovery code instead. */
export const FactorCodeField = (props: TextInputProps) => (
  <TextInput label="Código" autoComplete="one-time-code" {...props} />
);

/**
 * Sends the code of a factor, which raises the session to aal2.
 * @throws ProblemError, NetworkError
 */
export async function showFactor(factorId: string, code: string): Promise<void> {
  const { mfa } = await auth();
  await replacingTokens(() => answered(mfa.challengeAndVerify({ factorId, code })));
}
