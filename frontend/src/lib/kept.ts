import type { QueryPersister } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, get, set } from 'idb-keyval';
import { authState, onAuthChange } from './auth.js';
import { currentTenant } from './tenant.js';

/** A read that this device has kept. */
interface Kept {
  /** The script of the application that read it: another one may expect another shape. */
  by: string;
  /** Milliseconds. */
  at: number;
  data: unknown;
}

const MOST_AGE_MS = 7 * 24 * 60 * 60_000;
const store = createStore('rende-kept', 'reads');
const APPLICATION = document.querySelector<HTMLScriptElement>('script[type=module]')?.src ?? '';

function owner(): string | null {
  const state = authState();
  return state.status === 'signed-in' ? state.userId : null;
}

const isUsable = ({ by, at }: Kept) => by === APPLICATION && Date.now() - at < MOST_AGE_MS;

async function recall(name: string): Promise<Kept | null> {
  const found = await get<Kept>(name, store).catch(() => undefined);
  return found && isUsable(found) ? found : null;
}

async function keep(name: string, data: unknown, without: readonly string[]): Promise<void> {
  const text = JSON.stringify(data, (key, value: unknown) => (without.includes(key) ? null : value));
  const read: Kept = { by: APPLICATION, at: Date.now(), data: JSON.parse(text) };
  await set(name, read, store).catch(() => undefined);
}

interface KeptOptions {
  /** Names of fields that never stay on the device: they are null in what is kept. */
  without?: readonly string[];
  /** Whether it is the person's and not one of their tenants'. */
  ofPerson?: boolean;
}

/**
 * A query's `persister`: what was read is kept on this device, for who is signed in, until they sign out. The page shows
 * it at once the next time, and what the server says now as soon as it says it.
 */
export function kept<Data>({ without = [], ofPerson = false }: KeptOptions = {}): QueryPersister<
  Data,
  string[]
> {
  return async (read, context, query) => {
    const person = owner();
    if (!person) return read(context);
    const name = [person, ofPerson ? '' : currentTenant(), query.queryHash].join(' ');
    const found = query.state.data === undefined ? await recall(name) : null;
    if (found) {
      setTimeout(() => {
        query.setState({ dataUpdatedAt: found.at });
        void query.fetch().catch(() => undefined);
      });
      return found.data as Data;
    }
    const data = await read(context);
    if (owner() === person) await keep(name, data, without);
    return data;
  };
}

/** Nothing of anybody stays on this device. */
export async function forgetKept(): Promise<void> {
  await clear(store).catch(() => undefined);
}

/** Drops what is out of date or another person's, and everything as soon as nobody is signed in. */
export function watchKept(): void {
  const tidy = async () => {
    const person = owner();
    if (!person) return forgetKept();
    const all = await entries<string, Kept>(store).catch(() => []);
    const useless = all.filter(([name, read]) => !name.startsWith(person) || !isUsable(read));
    await delMany(
      useless.map(([name]) => name),
      store,
    ).catch(() => undefined);
  };
  if (authState().status !== 'loading') void tidy();
  onAuthChange(() => void tidy());
}
