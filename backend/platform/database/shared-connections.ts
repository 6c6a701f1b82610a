import type pg from 'pg';
import { runBatch, type Statement } from './batch.js';

/**
 * A connection without an answer for this long is held up by a slow statement: new statements use another one, if there
 * is one.
 */
const STALLED_MS = 100;

interface Slot {
  client: Promise<pg.Client> | undefined;
  /** Number of requests that its connection has not answered yet. */
  waiting: number;
  /** When it last answered, or got its first pending request. */
  movedAt: number;
}

/**
 * A few connections shared by many requests. The statements of one request are sent together and answered in the order
 * of sending, so statements of different requests never mix, and a busy process sends and receives many at a time.
 * Connections are opened when first needed, and again after they broke.
 */
export class SharedConnections {
  private readonly slots: Slot[];
  /** The connection for all requests of this turn of the event loop, so that they are sent and received together. */
  private turn: Slot | undefined;

  constructor(
    private readonly connect: () => pg.Client,
    count: number,
    /** Called when a connection is opened or lost. */
    private readonly changed: () => void,
  ) {
    this.slots = Array.from({ length: count }, () => ({ client: undefined, waiting: 0, movedAt: 0 }));
  }

  /**
   * Sends statements as one transaction and returns the rows of each. They must only read, since a statement that waits
   * for a lock delays those behind it, and must not change the session.
   * @throws the error of the first statement that failed
   */
  async send(statements: readonly Statement[]): Promise<pg.QueryResultRow[][]> {
    const slot = (this.turn ??= this.begin());
    if (slot.waiting === 0) slot.movedAt = performance.now();
    slot.waiting += 1;
    try {
      const client = await (slot.client ?? this.open(slot));
      return await runBatch(client, statements);
    } finally {
      slot.waiting -= 1;
      slot.movedAt = performance.now();
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.slots.map(async ({ client }) => (await client)?.end()));
  }

  private begin(): Slot {
    setImmediate(() => (this.turn = undefined));
    const since = performance.now() - STALLED_MS;
    const isStalled = ({ waiting, movedAt }: Slot) => waiting > 0 && movedAt < since;
    const moving = this.slots.filter((slot) => !isStalled(slot));
    const slots = moving.length > 0 ? moving : this.slots;
    return slots.reduce((least, each) => (each.waiting < least.waiting ? each : least));
  }

  /** Forgets this connection when it ends, unless another one was opened in its place. */
  private open(slot: Slot): Promise<pg.Client> {
    const client = this.connect();
    const opening = client.connect().then(() => client);
    const gone = (): void => {
      if (slot.client === opening) slot.client = undefined;
      this.changed();
    };
    this.changed();
    client.on('error', gone).on('end', gone);
    opening.catch(gone);
    slot.client = opening;
    return opening;
  }
}
