import { read, write } from './calls.js';
import { newKey } from './command.js';
import { forgetPush, isPushedTo, isPushSupported, notePushedTo, pushSubscription } from './pushed-here.js';

/** Time limit for the start of the service worker. */
const PATIENCE_MS = 5000;

export type PushState = 'unsupported' | 'blocked' | 'off' | 'on';

/** Whether this browser shows a user's notifications. */
export async function pushState(userId: string): Promise<PushState> {
  if (!isPushSupported()) return 'unsupported';
  if (Notification.permission === 'denied') return 'blocked';
  return isPushedTo(userId) && (await pushSubscription()) !== null ? 'on' : 'off';
}

async function subscribe(): Promise<PushSubscription> {
  const { chave } = await read('GET /account/push');
  const key = Uint8Array.from(atob(chave.replaceAll('-', '+').replaceAll('_', '/')), (char) =>
    char.charCodeAt(0),
  );
  const late = new Promise<never>((_resolve, reject) => {
    setTimeout(() => reject(new Error('no service worker')), PATIENCE_MS);
  });
  const { pushManager } = await Promise.race([navigator.serviceWorker.ready, late]);
  const before = await pushManager.getSubscription();
  const known = before?.options.applicationServerKey;
  if (before && known && new Uint8Array(known).join() === key.join()) return before;
  await before?.unsubscribe();
  return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

async function tell(subscription: PushSubscription): Promise<void> {
  const { endpoint = '', keys: { p256dh = '', auth = '' } = {} } = subscription.toJSON();
  await write('PUT /account/push', newKey(), { body: { endpoint, p256dh, auth } });
}

/** Asks the user for permission, and subscribes this browser to the notifications. */
export async function startPush(userId: string): Promise<PushState> {
  if ((await Notification.requestPermission()) !== 'granted') return pushState(userId);
  await tell(await subscribe());
  notePushedTo(userId);
  return 'on';
}

export async function stopPush(): Promise<void> {
  const subscription = await pushSubscription();
  if (subscription)
    await write('POST /account/push/remove', newKey(), { body: { endpoint: subscription.endpoint } });
  await forgetPush();
}

/**
 * Sends the subscription again at each start: the server keeps it only as long as the session, and a browser may renew
 * it.
 */
export async function keepPush(userId: string): Promise<void> {
  if (isPushSupported() && Notification.permission === 'granted' && isPushedTo(userId))
    await tell(await subscribe());
}
