import { expect, it, jest } from '@jest/globals';
import { AuthApiError, AuthRetryableFetchError, type AuthError } from '@supabase/auth-js';

let error: AuthError;
const answer = () => Promise.resolve({ data: { session: null, user: null }, error });
jest.unstable_mockModule('./auth-client.js', () => ({
  authClient: { onAuthStateChange: () => undefined, getSession: answer, refreshSession: answer },
}));
const { STORAGE_KEY } = await import('./auth-storage.js');
localStorage.setItem(
  STORAGE_KEY,
  JSON.stringify({ access_token: 'a.b.c', expires_at: 1, user: { id: 'ana' } }),
);
const { accessToken, authState, renewToken, replacingTokens } = await import('./auth.js');

it('a token that the service cannot renew now is an outage, and one that it refuses is the end of the session', async () => {
  error = new AuthRetryableFetchError('Service Unavailable', 503);
  for (const ask of [accessToken, () => renewToken('a.b.c')])
    await expect(ask()).rejects.toMatchObject({ name: 'NetworkError' });
  // The client keeps the session whose access token has not expired.
  error = new AuthApiError('Invalid Refresh Token', 400, 'refresh_token_not_found');
  for (const ask of [accessToken, () => renewToken('a.b.c')]) expect(await ask()).toBeNull();
});

it('a token that was refused while the session got another one is replaced by that one, without a refresh', async () => {
  const before = localStorage.getItem(STORAGE_KEY)!;
  let answered: () => void = () => undefined;
  const answer = new Promise<void>((resolve) => (answered = resolve));
  const replaced = replacingTokens(() => answer);
  const renewed = renewToken('a.b.c');
  localStorage.setItem(
    STORAGE_KEY,
    JSON.stringify({ access_token: 'd.e.f', expires_at: 4_000_000_000, user: { id: 'ana' } }),
  );
  answered();
  await replaced;
  expect(await renewed).toBe('d.e.f');
  localStorage.setItem(STORAGE_KEY, before);
});

it('a session that ends elsewhere ends here too, and is known not to have been ended here', () => {
  expect(authState().status).toBe('signed-in');
  window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY, newValue: null }));
  expect(authState()).toMatchObject({ status: 'signed-out', byChoice: false, ended: true });
});
