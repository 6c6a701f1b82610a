import { AuthClient } from '@supabase/auth-js';

export const authClient = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: 'rende.auth',
  flowType: 'pkce',
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: true,
});
