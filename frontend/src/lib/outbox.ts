import type { Owner } from './owner.js';
import { ProblemError, isTransient } from './problem.js';

/** A write that waits for a network. It holds ids and nothing that names a person. */
export interface Write {
  /** Its `Idempotency-Key`: however often it is sent, it takes effect once. */
  readonly key: string;
  readonly method: 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** What it changes, in the words of the server's hints. */
  readonly topics: readonly string[];
  /** The id of the thing that it changes, and what it does with it. */
  readonly subject: string;
  readonly effect: string;
  /**
   * The code with which the server says that it is so already. Then it has arrived: once before, so long ago that the
   * server has forgotten the key, or from another device.
   */
  readonly alreadySo: string;
}

export interface Waiting extends Write, Owner {
  /** When it was made, in milliseconds: they are sent in this order. */
  readonly at: number;
  /** Why the server did not take it; it waits for the person then. */
  readonly refused?: string;
}

interface Tools {
  store: {
    all: () => Promise<Waiting[]>;
    put: (write: Waiting) => Promise<void>;
    remove: (key: string) => Promise<void>;
  };
  /** Runs one piece of work at a time, over all windows. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  send: (write: Waiting) => Promise<unknown>;
  /** Called after each change of what waits. */
  changed: () => void;
}

/** Writes made without a network, in their order: each is sent once, by one window, and refusals stay until they are seen. */
export class Outbox {
  readonly #tools: Tools;

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  async of({ userId, tenantId }: Owner): Promise<Waiting[]> {
    const all = await this.#tools.store.all();
    return all
      .filter((write) => write.userId === userId && write.tenantId === tenantId)
      .sort((one, other) => one.at - other.at);
  }

  async add(write: Waiting): Promise<void> {
    await this.#tools.store.put(write);
    this.#tools.changed();
  }

  /**
   * Sends what waits, until the network or the server fails: what comes later may build on it. Answers what arrived.
   */
  flush(owner: Owner): Promise<Waiting[]> {
    const { store, alone, send, changed } = this.#tools;
    return alone(async () => {
      const sent: Waiting[] = [];
      for (const write of await this.of(owner)) {
        if (write.refused !== undefined) continue;
        try {
          await send(write);
        } catch (error) {
          if (!(error instanceof ProblemError) || isTransient(error) || error.status === 401) break;
          if (error.code !== write.alreadySo) {
            await store.put({ ...write, refused: error.message });
            changed();
            continue;
          }
        }
        await store.remove(write.key);
        sent.push(write);
        changed();
      }
      return sent;
    });
  }

  /** Takes the latest write to a thing back. False where none waits (any more). */
  withdraw(owner: Owner, subject: string): Promise<boolean> {
    return this.#tools.alone(async () => {
      const last = (await this.of(owner)).findLast((write) => write.subject === subject);
      if (last) await this.#discard(last);
      return last !== undefined;
    });
  }

  /** Sends a refused write once more. */
  async retry(write: Waiting): Promise<Waiting[]> {
    const { refused: _, ...again } = write;
    await this.add(again);
    return this.flush(write);
  }

  /** Forgets all that waits for somebody. */
  clear(owner: Owner): Promise<void> {
    return this.#tools.alone(async () => {
      for (const write of await this.of(owner)) await this.#discard(write);
    });
  }

  async #discard({ key }: Waiting): Promise<void> {
    await this.#tools.store.remove(key);
    this.#tools.changed();
  }
}
