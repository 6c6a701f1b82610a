/** Whose notifications this browser shows: nobody else who signs in here gets theirs without having asked. */
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

/** Without telling the server, which knows when the session ends. */
export async function forgetPush(): Promise<void> {
  localStorage.removeItem(MINE);
  await (await pushSubscription())?.unsubscribe();
}
