/** Where the auth client keeps its session. */
export const STORAGE_KEY = 'rende.auth';

/** Whether the auth client may find somebody: a stored session, or an address that a provider sent the person back to. */
export function maySignIn(): boolean {
  if (new URLSearchParams(location.search).has('code')) return true;
  try {
    return localStorage.getItem(STORAGE_KEY) !== null;
  } catch {
    return false;
  }
}
