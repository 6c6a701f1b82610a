import { createStore, del, set, values } from 'idb-keyval';
import { useMemo } from 'react';
import { create } from 'zustand';
import { http } from './http.js';
import { Outbox, withIds, type Waiting, type Write } from './outbox.js';
import { owner, type Owner } from './owner.js';
import { NetworkError } from './problem.js';

/** What the signed-in person did without a network, as far as the server has not taken it. */
export const usePending = create<{ writes: readonly Waiting[] }>(() => ({ writes: [] }));

/** What is being sent for the first time, and what has arrived but was not read again yet. */
const useSending = create<{ writes: readonly Waiting[] }>(() => ({ writes: [] }));

/** What was done here and the pages do not read from the server yet: on its way first, then what waits for a network. */
export function useDoneHere(): readonly Waiting[] {
  const sending = useSending(({ writes }) => writes);
  const waiting = usePending(({ writes }) => writes);
  return useMemo(() => {
    const own = sending.filter(({ key }) => !waiting.some((write) => write.key === key));
    return own.length > 0 ? [...own, ...waiting] : waiting;
  }, [sending, waiting]);
}

/** A tap is answered before the server has: what it makes is shown once that has given it an id. */
function showAsDone(write: Write, mine: Owner): void {
  if (write.makes || useSending.getState().writes.some(({ key }) => key === write.key)) return;
  useSending.setState(({ writes }) => ({
    writes: [...writes, { ...write, ...mine, at: Date.now(), sending: true }],
  }));
}

/** The server has refused a write, or the pages have read what it did: they show what the server says. */
export const showAsRead = (key: string): void =>
  useSending.setState(({ writes }) => ({ writes: writes.filter((write) => write.key !== key) }));

const store = createStore('rende-outbox', 'writes');
/** Between windows: something changed, or `[local, id]` of what has an id now. */
const others = new BroadcastChannel('rende.outbox');
/** Ids of what was made on this device while a window has been open: its pages may still say the name that it had. */
const ids = new Map<string, string>();
/** How long an answer is waited for: the network of a gym swallows requests. */
const PATIENCE_MS = 20_000;

const isHere = ({ userId, tenantId }: Owner) => {
  const mine = owner();
  return mine?.userId === userId && mine.tenantId === tenantId;
};

const outbox = new Outbox({
  store: {
    all: () => values<Waiting>(store),
    put: (write) => set(write.key, write, store),
    remove: (key) => del(key, store),
  },
  // Plain http has no locks: there the key alone keeps what is sent twice from taking effect twice.
  alone: (work) => ('locks' in navigator ? navigator.locks.request('rende.outbox', work) : work()),
  send: (write) => {
    // Somebody may have left while earlier ones were sent.
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

async function readPending(): Promise<void> {
  const mine = owner();
  usePending.setState({ writes: mine ? await outbox.of(mine) : [] });
}

/** Sends what waits. Answers what arrived. */
export async function sendPending(): Promise<Waiting[]> {
  const mine = owner();
  if (!mine) return [];
  await readPending();
  return usePending.getState().writes.length > 0 && navigator.onLine ? outbox.flush(mine) : [];
}

/** A write that waits instead of having an answer. */
export interface Queued {
  readonly queued: true;
}

/**
 * Sends a write; without a network, or behind others that wait, it waits too.
 * @throws DeviceError where it cannot wait either
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

/** Takes back the latest write to a thing where it still waits and cannot have arrived. */
export async function withdraw(subject: string): Promise<boolean> {
  const mine = owner();
  return mine !== null && outbox.withdraw(mine, subject);
}

/** Takes back what was made here and cannot have arrived, with all that was done with it; answers what is gone with it. */
export async function unmake(subject: string): Promise<Waiting[]> {
  const mine = owner();
  return mine ? outbox.unmake(mine, subject) : [];
}

/** Puts what was taken back at the end of what waits. */
export async function putBack(writes: readonly Waiting[]): Promise<void> {
  for (const write of writes) await outbox.add(write);
  void sendPending();
}

export const discard = (write: Waiting): Promise<void> => outbox.discard(write);

/** Sends a write that the person has decided about, with another body where one is given. */
export const sendAgain = (write: Waiting, body?: object): Promise<Waiting[]> => outbox.retry(write, body);

/** Nothing of somebody's waits any more. */
export const discardPending = (whose: Owner): Promise<void> => outbox.clear(whose);

/** Said of what waits. */
export const WILL_BE_SENT = 'Guardado neste aparelho. Será enviado quando a internet voltar.';
