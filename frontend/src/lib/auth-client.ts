import { AuthClient } from '@supabase/auth-js';
import { STORAGE_KEY } from './auth-storage.js';

interface AuthClientOptions {
  storageKey: string;
  /** Whether the client manages this browser's session: stores it, refreshes it and reads it from the address. */
  persistSession: boolean;
}

/** Request timeout: on bad networks, requests may never be answered. */
const PATIENCE_MS = 20_000;

/** 409: another request held the session's lock for longer than the service waits. */
const HELD = 409;

/**
 * A refresh that is refused because the session is locked is retried like a network error, since the session still
 * exists: the auth client would treat any other refusal as the end of the session, and sign out.
 */
async function ask(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { signal: AbortSignal.timeout(PATIENCE_MS), ...init });
  return response.status === HELD ? new Response(null, { status: 503 }) : response;
}

export const newAuthClient = ({
  storageKey,
  persistSession,
}: AuthClientOptions): InstanceType<typeof AuthClient> =>
  new AuthClient({
    url: `${location.origin}/auth/v1`,
    storageKey,
    flowType: 'pkce',
    autoRefreshToken: persistSession,
    persistSession,
    detectSessionInUrl: persistSession,
    fetch: ask,
    experimental: { passkey: true },
  });

export const authClient = newAuthClient({ storageKey: STORAGE_KEY, persistSession: true });
