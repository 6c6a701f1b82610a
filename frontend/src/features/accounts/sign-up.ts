import type { SignUpData } from '../../../../backend/modules/accounts/accounts.api.js';
import type { InvitedData } from '../../../../backend/modules/accounts/invites.api.js';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';

/** Where the link of a confirmation leads: it opens the account in the browser that signed up, and elsewhere says so. */
export const confirmationLink = (): string => `${location.origin}/auth?conta=confirmada`;

type Registration = (SignUpData | InvitedData) & { email: string; password: string };

/**
 * Makes an account with a password. False where a mail is to be confirmed before it can be used.
 * @throws ProblemError, NetworkError
 */
export async function signUp({ email, password, ...data }: Registration): Promise<boolean> {
  const client = await auth();
  const { session } = await answered(
    client.signUp({ email, password, options: { data, emailRedirectTo: confirmationLink() } }),
  );
  return session !== null;
}
