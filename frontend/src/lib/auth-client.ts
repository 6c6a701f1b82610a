import { AuthClient } from '@supabase/auth-js';
import { STORAGE_KEY } from './auth-storage.js';

export const authClient = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: STORAGE_KEY,
  flowType: 'pkce',
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: true,
});
