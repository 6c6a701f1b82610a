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
const { accessToken, authState, renewToken } = await import('./auth.js');

it('a token that the service cannot renew now is an outage, and one that it refuses is the end of the session', async () => {
  error = new AuthRetryableFetchError('Service Unavailable', 503);
  for (const ask of [accessToken, renewToken])
    await expect(ask()).rejects.toMatchObject({ name: 'NetworkError' });
  // The client keeps the session whose access token has not expired.
  error = new AuthApiError('Invalid Refresh Token', 400, 'refresh_token_not_found');
  for (const ask of [accessToken, renewToken]) expect(await ask()).toBeNull();
});

it('a session that ends elsewhere ends here too, and is known not to have been ended here', () => {
  expect(authState().status).toBe('signed-in');
  window.dispatchEvent(new StorageEvent('storage', { key: STORAGE_KEY, newValue: null }));
  expect(authState()).toMatchObject({ status: 'signed-out', byChoice: false, ended: true });
});
