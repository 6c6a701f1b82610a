import { createStore, del, set, values } from 'idb-keyval';
import { create } from 'zustand';
import { http } from './http.js';
import { Outbox, type Waiting, type Write } from './outbox.js';
import { owner, type Owner } from './owner.js';
import { NetworkError } from './problem.js';

/** What the signed-in person did without a network, as far as the server has not taken it. */
export const usePending = create<{ writes: readonly Waiting[] }>(() => ({ writes: [] }));

const store = createStore('rende-outbox', 'writes');
const others = new BroadcastChannel('rende.outbox');
/** How long an answer is waited for: the network of a gym swallows requests. */
const PATIENCE_MS = 20_000;

const outbox = new Outbox({
  store: {
    all: () => values<Waiting>(store),
    put: (write) => set(write.key, write, store),
    remove: (key) => del(key, store),
  },
  // Plain http has no locks: there the key alone keeps what is sent twice from taking effect twice.
  alone: (work) => ('locks' in navigator ? navigator.locks.request('rende.outbox', work) : work()),
  send: (write) => http.send(write, AbortSignal.timeout(PATIENCE_MS)),
  changed: () => {
    void readPending();
    others.postMessage(null);
  },
});
others.onmessage = () => void readPending();

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

/** Sends a write; without a network, or behind others that wait, it waits too. */
export async function sendOrQueue<Answer>(write: Write): Promise<Answer | Queued> {
  const mine = owner();
  const behind = usePending.getState().writes.some(({ refused }) => refused === undefined);
  if (!mine || (navigator.onLine && !behind)) {
    try {
      return await http.send<Answer>(write);
    } catch (error) {
      if (!mine || !(error instanceof NetworkError)) throw error;
    }
  }
  await outbox.add({ ...write, ...mine, at: Date.now() });
  if (behind) void sendPending();
  return { queued: true };
}

/** Takes back the latest write to a thing where it still waits. */
export async function withdraw(subject: string): Promise<boolean> {
  const mine = owner();
  return mine !== null && outbox.withdraw(mine, subject);
}

export const sendAgain = (write: Waiting): Promise<Waiting[]> => outbox.retry(write);

/** Nothing of somebody's waits any more. */
export const discardPending = (whose: Owner): Promise<void> => outbox.clear(whose);
