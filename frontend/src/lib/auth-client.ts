import { AuthClient } from '@supabase/auth-js';
import { STORAGE_KEY } from './auth-storage.js';

interface AuthClientOptions {
  storageKey: string;
  /** Whether its session is this browser's: kept, renewed, and found in an address. */
  persistSession: boolean;
}

/** How long an answer is waited for: the network of a gym swallows requests. */
const PATIENCE_MS = 20_000;

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
    fetch: (input, init) => fetch(input, { signal: AbortSignal.timeout(PATIENCE_MS), ...init }),
  });

export const authClient = newAuthClient({ storageKey: STORAGE_KEY, persistSession: true });
