import type { AuthError, AuthResponse, VerifyOtpParams } from '@supabase/auth-js';
import type { authClient } from './auth-client.js';
import { useSyncExternalStore } from 'react';
import { fetchPart } from './chunks.js';
import { NetworkError } from './problem.js';
import {
  forgetSession,
  freshToken,
  isReturning,
  STORAGE_KEY,
  type StoredSession,
  storedSession,
} from './auth-storage.js';

export type AuthState =
  | { readonly status: 'loading' }
  /**
   * `byChoice`: the user signed out in this window, so the next sign-in does not return to its page. `ended`: a session that this
   * window showed has ended elsewhere.
   */
  | { readonly status: 'signed-out'; readonly byChoice?: boolean; readonly ended?: boolean }
  /** The password was right; the code of the second factor is still required. */
  | { readonly status: 'second-factor' }
  /** A recovery mail led here: a new password has to be set. */
  | { readonly status: 'new-password' }
  | { readonly status: 'signed-in'; readonly userId: string; readonly email: string };

/** True from a recovery mail until a new password is set. */
let isRecovering = false;
let isLeaving = false;

/**
 * Known before the auth client is loaded, and without a network. The client removes a session that the server refuses.
 */
let state: AuthState = { status: 'loading' };
if (!isReturning()) state = stateOf(storedSession());
const listeners = new Set<() => void>();
type AuthClient = typeof authClient;

function become(next: AuthState): void {
  if (
    next.status === state.status &&
    (next.status !== 'signed-in' ||
      state.status !== 'signed-in' ||
      (next.userId === state.userId && next.email === state.email))
  )
    return;
  state = next;
  for (const listener of listeners) listener();
}

/** Another window has signed out: the client hears of it too, but it is loaded only when it is needed. */
window.addEventListener('storage', ({ key, newValue }) => {
  if ((key === STORAGE_KEY || key === null) && !newValue) become(stateOf(null));
});

async function load(): Promise<AuthClient> {
  const { authClient } = await import('./auth-client.js').catch((error: unknown) => {
    // The session is still in the address, so the next attempt finds it.
    become(stateOf(storedSession()));
    throw error;
  });
  authClient.onAuthStateChange((event, session) => {
    if (event === 'PASSWORD_RECOVERY') isRecovering = true;
    else if (event === 'USER_UPDATED' || !session) isRecovering = false;
    // Without a network the session could not be refreshed, but it is still stored.
    become(stateOf(session ?? storedSession()));
  });
  return authClient;
}

function stateOf(session: StoredSession | null): AuthState {
  if (!session)
    return { status: 'signed-out', byChoice: isLeaving, ended: !isLeaving && state.status === 'signed-in' };
  const { user, access_token } = session;
  const hasFactor = user.factors?.some(({ status }) => status === 'verified') ?? false;
  if (hasFactor && levelOf(access_token) !== 'aal2') return { status: 'second-factor' };
  if (isRecovering) return { status: 'new-password' };
  return { status: 'signed-in', userId: user.id, email: user.email ?? '' };
}

/** The token's unverified payload; only the server verifies it. */
function levelOf(accessToken: string): unknown {
  const claims = accessToken.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
  return (JSON.parse(atob(claims)) as { aal?: unknown }).aal;
}

/** The auth client, fetched once, and again after a failure. */
export const auth = (): Promise<AuthClient> => fetchPart(load);

/** Verifies a mailed code for a signed-in person: the current session stays, and the one that verifying creates is ended. */
export async function verifyAside(params: VerifyOtpParams): Promise<AuthResponse> {
  const { newAuthClient } = await import('./auth-client.js');
  const aside = newAuthClient({ storageKey: 'rende.aside', persistSession: false });
  const answer = await aside.verifyOtp(params);
  if (answer.data.session) await aside.signOut({ scope: 'local' });
  return answer;
}

/** The access token, refreshed when it is about to expire; null when nobody is signed in. */
export async function accessToken(): Promise<string | null> {
  // The client would try to refresh it for half a minute.
  if (!navigator.onLine) return storedSession()?.access_token ?? null;
  const fresh = freshToken();
  if (fresh) return fresh;
  return tokenOf(await (await auth()).getSession());
}

/** @throws NetworkError where the service could not answer, which refuses nothing; after a refusal the session may still be stored */
function tokenOf({
  data,
  error,
}: Awaited<ReturnType<AuthClient['getSession']>> | AuthResponse): string | null {
  if (data.session) return data.session.access_token;
  if (error?.name === 'AuthRetryableFetchError') throw new NetworkError(error);
  return null;
}

let last: Promise<unknown> = Promise.resolve();

/**
 * Runs what gives the session other tokens, such as the code of a second factor, one after the other: in all windows, or without
 * Web Locks (they need https) in this one. The server refuses the former tokens before the client has stored the new ones, and a
 * refresh with the former one would end the session.
 */
export function replacingTokens<Result>(work: () => Promise<Result>): Promise<Result> {
  const turn = last.then(() =>
    'locks' in navigator ? navigator.locks.request('rende.tokens', work) : work(),
  );
  last = turn.catch(() => undefined);
  return turn;
}

/**
 * An access token instead of one that the server refused: what was stored meanwhile, or a new one. Where the session is over, the
 * client signs out.
 */
export const renewToken = (refused: string | null): Promise<string | null> =>
  replacingTokens(async () => {
    const stored = freshToken();
    if (stored && stored !== refused) return stored;
    return tokenOf(await (await auth()).refreshSession());
  });

/** Signs out as requested in this window. */
export async function leave(): Promise<AuthError | null> {
  const client = await auth();
  isLeaving = true;
  try {
    return (await client.signOut({ scope: 'local' })).error;
  } finally {
    isLeaving = false;
  }
}

/** Signs out on this device only; the server's session stays. */
export async function endHere(): Promise<void> {
  await auth();
  forgetSession();
  // Without a session the client only emits the event, in this window and the others.
  await leave();
}

export function onAuthChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const authState = (): AuthState => state;

export function useAuth(): AuthState {
  return useSyncExternalStore(onAuthChange, authState);
}
