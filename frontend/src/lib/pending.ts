import { createStore, del, set, values } from 'idb-keyval';
import { useMemo } from 'react';
import { create } from 'zustand';
import { http } from './http.js';
import { isOf, Outbox, withIds, type Waiting, type Write } from './outbox.js';
import { owner, type Owner } from './owner.js';
import { NetworkError } from './problem.js';

/** The current user's queued writes. */
export const usePending = create<{ writes: readonly Waiting[] }>(() => ({ writes: [] }));

/** Writes that are being sent for the first time, and those that were answered but whose result was not read yet. */
const useSending = create<{ writes: readonly Waiting[] }>(() => ({ writes: [] }));

/** All writes that the server's answers do not contain yet: first those being sent, then the queued ones. */
export function useDoneHere(): readonly Waiting[] {
  const sending = useSending(({ writes }) => writes);
  const waiting = usePending(({ writes }) => writes);
  return useMemo(() => {
    const own = sending.filter(({ key }) => !waiting.some((write) => write.key === key));
    return own.length > 0 ? [...own, ...waiting] : waiting;
  }, [sending, waiting]);
}

/** Shows a write as done before the server has answered. A creation is shown once it has its id. */
function showAsDone(write: Write, mine: Owner): void {
  if (write.makes || useSending.getState().writes.some(({ key }) => key === write.key)) return;
  useSending.setState(({ writes }) => ({
    writes: [...writes, { ...write, ...mine, at: Date.now(), sending: true }],
  }));
}

/** Call when a write was refused or its result was read: pages show the server's data again. */
export const showAsRead = (key: string): void =>
  useSending.setState(({ writes }) => ({ writes: writes.filter((write) => write.key !== key) }));

const store = createStore('rende-outbox', 'writes');
/** Messages between windows: null for a changed queue, `[local, id]` for an assigned id. */
const others = new BroadcastChannel('rende.outbox');
/** Assigned ids by local id: open pages may still use the local one. */
const ids = new Map<string, string>();
/** Request timeout: on a gym's network, requests may never be answered. */
const PATIENCE_MS = 20_000;

const isHere = (write: Owner) => {
  const mine = owner();
  return mine !== null && isOf(write, mine);
};

const outbox = new Outbox({
  store: {
    all: () => values<Waiting>(store),
    put: (write) => set(write.key, write, store),
    remove: (key) => del(key, store),
  },
  // Web Locks need https. Without them the idempotency key keeps a write from taking effect twice.
  alone: (work) => ('locks' in navigator ? navigator.locks.request('rende.outbox', work) : work()),
  send: (write) => {
    // The user may have signed out while earlier writes were sent.
    if (!isHere(write)) throw new Error('its person is not here any more');
    return http.send(write, AbortSignal.timeout(PATIENCE_MS));
  },
  now: Date.now,
  changed: () => {
    void readPending();
    others.postMessage(null);
  },
  named: (local, id) => {
    ids.set(local, id);
    others.postMessage([local, id]);
  },
});
others.onmessage = ({ data }: MessageEvent<[string, string] | null>) => {
  if (data) ids.set(...data);
  else void readPending();
};

/** Reads the current user's queue, which other windows and an earlier page may have filled. */
export async function readPending(): Promise<void> {
  const mine = owner();
  usePending.setState({ writes: mine ? await outbox.of(mine) : [] });
}

let tellSent: (writes: readonly Waiting[]) => unknown = () => undefined;

/** Calls the listener when writes that waited were applied, however they were sent. Returns how to stop it. */
export function onSent(listener: typeof tellSent): () => void {
  tellSent = listener;
  return () => {
    if (tellSent === listener) tellSent = () => undefined;
  };
}

/** Sends the queue. */
export async function sendPending(): Promise<void> {
  const mine = owner();
  if (!mine) return;
  await readPending();
  if (usePending.getState().writes.length === 0 || !navigator.onLine) return;
  tell(await outbox.flush(mine));
}

function tell(sent: readonly Waiting[]): void {
  if (sent.length > 0) tellSent(sent);
}

/** Returned instead of an answer when a write was queued. */
export interface Queued {
  readonly queued: true;
}

/**
 * Sends a write, or queues it if there is no network or other writes are queued.
 * @throws DeviceError if it cannot be queued either
 */
export async function sendOrQueue<Answer>(given: Write): Promise<Answer | Queued> {
  const mine = owner();
  const write = withIds(given, ids);
  const behind = usePending.getState().writes.some(({ held }) => !held);
  const isTried = !mine || (navigator.onLine && !behind);
  if (isTried) {
    if (mine) showAsDone(write, mine);
    try {
      return await http.send<Answer>(write);
    } catch (error) {
      if (!mine || !(error instanceof NetworkError)) throw error;
    }
  }
  await outbox.add({ ...write, ...mine, ...(isTried && { triedAt: Date.now() }) });
  if (behind) void sendPending();
  return { queued: true };
}

/** Whether a write waits in the outbox. */
export const isQueued = (answer: unknown): boolean =>
  (answer as Partial<Queued> | undefined)?.queued === true;

/** The addition to a toast for a write in the outbox; nothing for a write that was answered. */
export const queuedNote = (answer: unknown): string | undefined =>
  isQueued(answer) ? WILL_BE_SENT : undefined;

/** Removes the latest write to an item from the queue, if it cannot have been applied. */
export async function withdraw(subject: string): Promise<boolean> {
  const mine = owner();
  return mine !== null && outbox.withdraw(mine, subject);
}

/** Removes the creation of an item, if it cannot have been applied, and all later writes to it. Returns what was removed. */
export async function unmake(subject: string): Promise<Waiting[]> {
  const mine = owner();
  return mine ? outbox.unmake(mine, subject) : [];
}

/** Queues removed writes again, at the end. */
export async function putBack(writes: readonly Waiting[]): Promise<void> {
  for (const write of writes) await outbox.add(write);
  void sendPending();
}

export const discard = (write: Waiting): Promise<void> => outbox.discard(write);

/** Sends a held write again, with another body if one is given, and the writes that it delayed. */
export const sendAgain = async (write: Waiting, body?: object): Promise<void> =>
  tell(await outbox.retry(write, body));

/** Clears this user's outbox. */
export const discardPending = (whose: Owner): Promise<void> => outbox.clear(whose);

/** Toast text for a queued write. */
export const WILL_BE_SENT = 'Guardado neste aparelho. Será enviado quando a internet voltar.';
