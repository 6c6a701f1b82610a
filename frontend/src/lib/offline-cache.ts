import type { QueryPersister } from '@tanstack/react-query';
import { clear, createStore, delMany, entries, get, set } from 'idb-keyval';
import { placeOf } from '../../../backend/platform/event-store/personal-names.api.js';
import { areaLink } from './area-link.js';
import { authState, onAuthChange } from './auth.js';
import { currentPlace, noteStudent } from './tenant.js';

/** A cached answer. */
interface CachedRead {
  /** The build that stored it, since another one may expect another shape. */
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

const isUsable = ({ by, at }: CachedRead) => by === APPLICATION && Date.now() - at < MOST_AGE_MS;

async function recall(name: string): Promise<CachedRead | null> {
  const found = await get<CachedRead>(name, store).catch(() => undefined);
  return found && isUsable(found) ? found : null;
}

async function keep(name: string, data: unknown, isOwn: boolean): Promise<void> {
  const stays = (key: string, value: unknown) => {
    if (isOwn || placeOf(key) === 'device') return value;
    if (Array.isArray(value)) return value.filter((item: unknown) => typeof item !== 'string') as unknown[];
    return typeof value === 'string' ? null : value;
  };
  const text = JSON.stringify(data, stays);
  const read: CachedRead = { by: APPLICATION, at: Date.now(), data: JSON.parse(text) };
  await set(name, read, store).catch(() => undefined);
}

interface CacheOptions<Data> {
  /** The answer belongs to the user and not to a tenant: personal fields are stored too. */
  ofPerson?: boolean;
  /** The part of an answer that may be stored on the device; by default all of it. */
  kept?: (data: Data) => Data;
}

/**
 * A query's `persister`: stores answers on this device for the signed-in user until the sign-out. The page shows
 * the stored one at once the next time, and then the server's.
 */
export function cachedOffline<Data>({
  ofPerson = false,
  kept = (data) => data,
}: CacheOptions<Data> = {}): QueryPersister<Data, string[]> {
  return async (read, context, query) => {
    const person = owner();
    // Answers for a link belong to no user of this device.
    if (!person || areaLink()) return read(context);
    const place = ofPerson ? null : currentPlace();
    const name = [person, place?.studentId ?? place?.tenantId ?? '', query.queryHash].join(' ');
    const found = query.state.data === undefined ? await recall(name) : null;
    if (found) {
      setTimeout(() => {
        query.setState({ dataUpdatedAt: found.at });
        void query.fetch().catch(() => undefined);
      });
      return found.data as Data;
    }
    const data = await read(context);
    if (owner() === person) await keep(name, kept(data), ofPerson);
    return data;
  };
}

/** Deletes the cache of all users. */
export async function clearOfflineCache(): Promise<void> {
  try {
    await clear(store);
  } catch {
    // A browser without a database has stored nothing.
  }
}

/**
 * Deletes expired entries and those of other users. If nobody is signed in, deletes all of them, and the mark that a
 * student was signed in.
 */
export function tidyOfflineCache(): void {
  const tidy = async () => {
    const person = owner();
    if (!person) {
      noteStudent(null);
      return clearOfflineCache();
    }
    const all = await entries<string, CachedRead>(store).catch(() => []);
    const useless = all.filter(([name, read]) => !name.startsWith(person) || !isUsable(read));
    await delMany(
      useless.map(([name]) => name),
      store,
    ).catch(() => undefined);
  };
  if (authState().status !== 'loading') void tidy();
  onAuthChange(() => void tidy());
}
