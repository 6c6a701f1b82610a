import type { SignUpData } from '../../../../backend/modules/accounts/accounts.api.js';
import type { InvitedData } from '../../../../backend/modules/accounts/invites.api.js';
import { auth } from '../../lib/auth.js';
import { answered } from '../../lib/auth-refusals.js';

/** Address in a confirmation mail: in the browser that signed up it opens the account, in others it shows the confirmation. */
export const confirmationLink = (): string => `${location.origin}/auth?conta=confirmada`;

type Registration = (SignUpData | InvitedData) & { email: string; password: string };

/**
 * Creates an account with a password. Returns false if a mail must be confirmed first.
 * @throws ProblemError, NetworkError
 */
export async function signUp({ email, password, ...data }: Registration): Promise<boolean> {
  const client = await auth();
  const { session } = await answered(
    client.signUp({ email, password, options: { data, emailRedirectTo: confirmationLink() } }),
  );
  return session !== null;
}
