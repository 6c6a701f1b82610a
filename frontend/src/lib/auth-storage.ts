import type { Session } from '@supabase/auth-js';

/** Where the auth client keeps its session. */
export const STORAGE_KEY = 'rende.auth';

export type StoredSession = Pick<Session, 'access_token' | 'expires_at' | 'user'>;

/** The session that the auth client stored at the last sign-in; the server may have ended it since. */
export function storedSession(): StoredSession | null {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? 'null') as Partial<StoredSession> | null;
    return stored?.user?.id && stored.access_token?.split('.').length === 3
      ? (stored as StoredSession)
      : null;
  } catch {
    return null;
  }
}

/** The auth client refreshes a token that expires within this time instead of returning it. */
const FRESH_MS = 2 * 60_000;

/**
 * The stored access token, unless it has to be refreshed: so the first requests do not wait for the auth client's code.
 */
export function freshToken(): string | null {
  const session = storedSession();
  return session && (session.expires_at ?? 0) * 1000 - Date.now() > FRESH_MS ? session.access_token : null;
}

export const forgetSession = (): void => localStorage.removeItem(STORAGE_KEY);

/** The stored PKCE verifier of the auth client: it proves that this browser began the sign-in with a provider. */
export function codeVerifier(): string | null {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(`${STORAGE_KEY}-code-verifier`) ?? 'null');
    return typeof stored === 'string' ? stored : null;
  } catch {
    return null;
  }
}

/** Whether a provider or a mail has led to this address. */
export const isReturning = (): boolean => new URLSearchParams(location.search).has('code');
