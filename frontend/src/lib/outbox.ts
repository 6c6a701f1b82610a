import type { Owner } from './owner.js';
import { isSamePlace } from './tenant.js';
import { DeviceError, isTransient, ProblemError } from './problem.js';

/*
 * Offline the application opens from the device (`frontend/worker`) with the week's agenda, the dashboard, open tasks and
 * students as last read (`frontend/src/lib/offline-cache.ts`): names, times and balances, but no phone numbers, addresses or
 * notes. All of it is deleted at sign-out. Writes made offline (bookings, changes of sessions and tasks, renewals, entries, and
 * edits of sessions, students, plans, locations and policies: `edits.ts`) wait in the outbox (`outbox.ts`) with their
 * Idempotency-Key, are shown as pending, and are sent once, in order, by one window. A new booking has a temporary id until the
 * server answers. The outbox is cleared at sign-out. A refused write stays until the user sends it again, opens its form with
 * the typed values, or discards it; so does one that may have been sent longer ago than the server stores keys.
 */

/** A write that may wait for a network. */
export interface Write {
  /** Its `Idempotency-Key`: however often it is sent, it takes effect once. */
  readonly key: string;
  readonly method: 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Id of the item that it changes; for an item that it creates, a local id until the server assigns one. */
  readonly subject: string;
  readonly makes?: boolean;
  /** The kind of change, such as `complete`. */
  readonly effect: string;
  /**
   * The server's error code if the change was already made. Such a refusal counts as sent: the write was applied so
   * long ago that the server has forgotten the key, or the change was made on another device.
   */
  readonly alreadySo?: string;
  /** The item in words: "A sessão de Ana Souza, 26/11/2026, 7:00". */
  readonly title: string;
  /** Data that pages show besides the body, such as the names for ids in the body. */
  readonly shows?: Readonly<Record<string, string | null>>;
}

export interface Waiting extends Write, Owner {
  /** Creation time in milliseconds, unique: writes are sent in this order. */
  readonly at: number;
  /** When it was first sent without an answer: the server may have applied it. */
  readonly triedAt?: number;
  /** Not sent until the user has decided about it. */
  readonly held?: Held;
  /** Being sent for the first time; shown as done meanwhile. */
  readonly sending?: boolean;
}

export type Held =
  | { readonly why: 'refused'; readonly message: string; readonly code: string }
  /** It may have been applied, and the server has forgotten its key by now. */
  | { readonly why: 'doubt' };

interface Tools {
  store: {
    all: () => Promise<Waiting[]>;
    put: (write: Waiting) => Promise<void>;
    remove: (key: string) => Promise<void>;
  };
  /** Runs one task at a time across all windows. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  send: (write: Waiting) => Promise<unknown>;
  now: () => number;
  /** Called after each change of the queue. */
  changed: () => void;
  /** Called when the server has assigned an id to an item created offline. */
  named: (local: string, id: string) => void;
}

/** The maximum number of queued writes. */
const MOST = 200;
/** The time for which the server stores a key, less an hour. */
const KEY_KNOWN_MS = 47 * 60 * 60_000;

const LOCAL = 'local-';

/** The local id of the item that a write creates. */
export const localName = (key: string): string => LOCAL + key;

/** Whether this is a local id, of an item that is not on the server yet. */
export const isLocal = (id: string): boolean => id.startsWith(LOCAL);

/**
 * Whether a write only changes fields: then it is undone by restoring their former values, not by removing it from the
 * queue.
 */
const isEdit = ({ effect }: Write): boolean => effect.startsWith('edit-');

/** Whether a write is of this user and place; one that an earlier release has stored names no student. */
export const isOf = (write: Owner, owner: Owner): boolean =>
  write.userId === owner.userId &&
  isSamePlace({ tenantId: write.tenantId, studentId: write.studentId ?? owner.studentId ?? null }, owner);

/** Replaces local ids in a write with the server's. */
export function withIds<Written extends Write>(write: Written, ids: ReadonlyMap<string, string>): Written {
  let text = JSON.stringify(write);
  for (const [local, id] of ids) text = text.replaceAll(local, id);
  return JSON.parse(text) as Written;
}

/**
 * Queue of writes made offline: sent in order, each once, by one window. A refused write is held until the user
 * decides.
 */
export class Outbox {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async of(owner: Owner): Promise<Waiting[]> {
    const all = await this.#tools.store.all();
    return all.filter((write) => isOf(write, owner)).sort((one, other) => one.at - other.at);
  }

  /** @throws DeviceError if the queue or the device's storage is full */
  async add(write: Write & Owner & { triedAt?: number }): Promise<void> {
    const { store, now, changed } = this.#tools;
    const waiting = await this.of(write);
    if (waiting.length >= MOST)
      throw new DeviceError(
        `Este aparelho já guarda ${MOST} alterações ainda não enviadas. Conecte-se à internet para continuar.`,
      );
    const at = Math.max(now(), (waiting.at(-1)?.at ?? 0) + 1);
    try {
      await store.put({ ...write, at });
    } catch (error) {
      throw new DeviceError(
        'Sem internet e sem espaço neste aparelho: a alteração não foi guardada. Libere espaço e tente de novo.',
        error,
      );
    }
    changed();
  }

  /**
   * Sends the queued writes until the network or the server fails, because later writes may depend on earlier ones. A
   * held write delays only later writes to the same item. Returns the writes that were sent.
   */
  flush(owner: Owner): Promise<Waiting[]> {
    const { store, alone, send, now, changed } = this.#tools;
    return alone(async () => {
      const sent: Waiting[] = [];
      const heldUp = new Set<string>();
      let last = 0;
      for (;;) {
        const write = (await this.of(owner)).find(({ at }) => at > last);
        if (!write) return sent;
        last = write.at;
        const { triedAt = now(), ...untried } = write;
        if (write.held) heldUp.add(write.subject);
        if (heldUp.has(write.subject)) continue;
        if (now() - triedAt > KEY_KNOWN_MS) {
          heldUp.add(write.subject);
          await store.put({ ...write, held: { why: 'doubt' } });
          changed();
          continue;
        }
        // Sent even if the storage is full: that frees space.
        await store.put({ ...write, triedAt }).catch(() => undefined);
        try {
          const answer = await send(write);
          if (write.makes) await this.#name(write, (answer as { id: string }).id);
        } catch (error) {
          if (!(error instanceof ProblemError) || isTransient(error) || error.status === 401) return sent;
          const { message, code } = error;
          if (code !== write.alreadySo) {
            heldUp.add(write.subject);
            await store.put({ ...untried, held: { why: 'refused', message, code } });
            changed();
            continue;
          }
        }
        await store.remove(write.key);
        sent.push(write);
        changed();
      }
    });
  }

  /** Removes the latest write to an item. False if none is queued, if it is an edit, or if it may have been applied already. */
  withdraw(owner: Owner, subject: string): Promise<boolean> {
    return this.#tools.alone(async () => {
      const last = (await this.of(owner)).findLast((write) => write.subject === subject);
      if (!last || isEdit(last) || (last.triedAt !== undefined && !last.held)) return false;
      await this.#remove([last]);
      return true;
    });
  }

  /** Removes the creation of an item and all later writes to it. Removes nothing if the creation may have been applied already. */
  unmake(owner: Owner, subject: string): Promise<Waiting[]> {
    return this.#tools.alone(async () => {
      const writes = (await this.of(owner)).filter((write) => write.subject === subject);
      const maker = writes.find(({ makes }) => makes);
      if (!maker || (maker.triedAt !== undefined && !maker.held)) return [];
      await this.#remove(writes);
      return writes;
    });
  }

  /** Drops a write; for a creation also all later writes to the item. */
  discard(write: Waiting): Promise<void> {
    return this.#tools.alone(async () => {
      const lost = await this.of(write);
      await this.#remove(
        lost.filter(({ key, subject }) => key === write.key || (write.makes && subject === write.subject)),
      );
    });
  }

  /** Sends a held write again, with another body if one is given. */
  async retry({ held: _, triedAt: _tried, ...write }: Waiting, body = write.body): Promise<Waiting[]> {
    await this.#tools.store.put({ ...write, ...(body && { body }) });
    this.#tools.changed();
    return this.flush(write);
  }

  /** Clears a user's queue. */
  clear(owner: Owner): Promise<void> {
    return this.#tools.alone(async () => this.#remove(await this.of(owner)));
  }

  /** Replaces the local id in the later writes to an item that the server has created. */
  async #name(maker: Waiting, id: string): Promise<void> {
    const ids = new Map([[maker.subject, id]]);
    for (const write of await this.of(maker)) {
      if (write.key !== maker.key && write.subject === maker.subject)
        await this.#tools.store.put(withIds(write, ids));
    }
    this.#tools.named(maker.subject, id);
  }

  async #remove(writes: readonly Waiting[]): Promise<void> {
    for (const { key } of writes) await this.#tools.store.remove(key);
    this.#tools.changed();
  }
}
