import type { SignUpData } from '../../../../backend/modules/accounts/accounts.api.js';
import type { NewcomerAnswer } from '../../../../backend/modules/accounts/auth/newcomers.api.js';
import type { InvitedData } from '../../../../backend/modules/accounts/invites.api.js';
import { auth } from '../../lib/auth.js';
import { codeVerifier } from '../../lib/auth-storage.js';
import { askAuth } from '../../lib/auth-http.js';
import { answered } from '../../lib/auth-refusals.js';

const proof = (ticket: string) => ({ ticket, code_verifier: codeVerifier() ?? '' });

/** A person whom a provider has identified. The ticket is valid only in the browser that began the sign-in. */
export const findNewcomer = (ticket: string) =>
  askAuth<NewcomerAnswer>('POST', 'signup/provider/person', proof(ticket));

/** Creates the person's account, and signs in. */
export async function signUpNewcomer(ticket: string, data: SignUpData | InvitedData): Promise<void> {
  const body = { ...proof(ticket), data };
  const tokens = await askAuth<{ access_token: string; refresh_token: string }>(
    'POST',
    'signup/provider',
    body,
  );
  await answered((await auth()).setSession(tokens));
}
