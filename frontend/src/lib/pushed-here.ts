/**
 * The user whose notifications this browser shows: another user who signs in here gets none without asking for them.
 */
const MINE = 'rende.push';

export const isPushSupported = () =>
  'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window;

export const isPushedTo = (userId: string) => localStorage.getItem(MINE) === userId;
export const notePushedTo = (userId: string) => localStorage.setItem(MINE, userId);

export async function pushSubscription(): Promise<PushSubscription | null> {
  if (!isPushSupported()) return null;
  const registration = await navigator.serviceWorker.getRegistration();
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** The server is not told, because it knows when the session ends. */
export async function forgetPush(): Promise<void> {
  localStorage.removeItem(MINE);
  await (await pushSubscription())?.unsubscribe();
}
