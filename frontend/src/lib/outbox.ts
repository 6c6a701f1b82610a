import type { Owner } from './owner.js';
import { DeviceError, isTransient, ProblemError } from './problem.js';

/** A write that may wait for a network. */
export interface Write {
  /** Its `Idempotency-Key`: however often it is sent, it takes effect once. */
  readonly key: string;
  readonly method: 'POST' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** What it changes, in the words of the server's hints. */
  readonly topics: readonly string[];
  /** The id of the thing that it changes; of a thing that it makes, its name on this device until the server gives it an id. */
  readonly subject: string;
  readonly makes?: boolean;
  /** What it does with its subject. */
  readonly effect: string;
  /**
   * The code with which the server says that it is so already, where it can. Then it has arrived: once before, so long ago that the
   * server has forgotten the key, or from another device.
   */
  readonly alreadySo?: string;
  /** The thing in words: "A sessão de Ana Souza, 26/11/2026, 7:00". */
  readonly title: string;
  /** What pages show of it beside its body, such as names that the body has only the ids of. */
  readonly shows?: Readonly<Record<string, string | null>>;
}

export interface Waiting extends Write, Owner {
  /** When it was made, in milliseconds: they are sent in this order, and no two are made at once. */
  readonly at: number;
  /** When it was first sent without an answer: the server may have taken it. */
  readonly triedAt?: number;
  /** It is not sent until the person has decided about it. */
  readonly held?: Held;
  /** It is being sent for the first time, and is shown as if it had arrived. */
  readonly sending?: boolean;
}

export type Held =
  | { readonly why: 'refused'; readonly message: string; readonly code: string }
  /** It may have arrived, and the server would not know its key any more. */
  | { readonly why: 'doubt' };

interface Tools {
  store: {
    all: () => Promise<Waiting[]>;
    put: (write: Waiting) => Promise<void>;
    remove: (key: string) => Promise<void>;
  };
  /** Runs one piece of work at a time, over all windows. */
  alone: <Result>(work: () => Promise<Result>) => Promise<Result>;
  send: (write: Waiting) => Promise<unknown>;
  now: () => number;
  /** Called after each change of what waits. */
  changed: () => void;
  /** Called when the server has given an id to what was made without it. */
  named: (local: string, id: string) => void;
}

/** More than that nobody does without a network. */
const MOST = 200;
/** Shorter than the server remembers a key, by an hour. */
const KEY_KNOWN_MS = 47 * 60 * 60_000;

const LOCAL = 'local-';

/** The name on this device of what a write makes. */
export const localName = (key: string): string => LOCAL + key;

/** Whether this is the name of something that the server has not taken yet. */
export const isLocal = (id: string): boolean => id.startsWith(LOCAL);

/** A write with the server's ids in place of the names that things had on this device. */
export function withIds<Written extends Write>(write: Written, ids: ReadonlyMap<string, string>): Written {
  let text = JSON.stringify(write);
  for (const [local, id] of ids) text = text.replaceAll(local, id);
  return JSON.parse(text) as Written;
}

/** Writes made without a network, in their order: each is sent once, by one window; what the server refuses waits for the person. */
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

  /** @throws DeviceError where too much waits, or the device has no room */
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
   * Sends what waits, until the network or the server fails: what comes later may build on it. What waits for the person
   * holds up only what is done with the same thing. Answers what arrived.
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
        // On a full device it is sent all the same: that makes room.
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

  /** Takes the latest write to a thing back. False where none waits, or where it may have arrived already. */
  withdraw(owner: Owner, subject: string): Promise<boolean> {
    return this.#tools.alone(async () => {
      const last = (await this.of(owner)).findLast((write) => write.subject === subject);
      if (!last || (last.triedAt !== undefined && !last.held)) return false;
      await this.#remove([last]);
      return true;
    });
  }

  /** Takes back what was made without a network, with all that was done with it. Nothing where it may have arrived already. */
  unmake(owner: Owner, subject: string): Promise<Waiting[]> {
    return this.#tools.alone(async () => {
      const writes = (await this.of(owner)).filter((write) => write.subject === subject);
      const maker = writes.find(({ makes }) => makes);
      if (!maker || (maker.triedAt !== undefined && !maker.held)) return [];
      await this.#remove(writes);
      return writes;
    });
  }

  /** Gives a write up, and with what it would have made all that was done with that. */
  discard(write: Waiting): Promise<void> {
    return this.#tools.alone(async () => {
      const lost = await this.of(write);
      await this.#remove(
        lost.filter(({ key, subject }) => key === write.key || (write.makes && subject === write.subject)),
      );
    });
  }

  /** Sends what the person has decided about once more, with another body where one is given. */
  async retry({ held: _, triedAt: _tried, ...write }: Waiting, body = write.body): Promise<Waiting[]> {
    await this.#tools.store.put({ ...write, ...(body && { body }) });
    this.#tools.changed();
    return this.flush(write);
  }

  /** Forgets all that waits for somebody. */
  clear(owner: Owner): Promise<void> {
    return this.#tools.alone(async () => this.#remove(await this.of(owner)));
  }

  /** What was done with a thing before it had an id is done with its id. */
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
