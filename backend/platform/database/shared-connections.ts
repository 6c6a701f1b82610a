import type pg from 'pg';
import { runBatch, type Statement } from './batch.js';

/** A connection that has answered nobody for so long has a slow statement at its head: whoever can goes elsewhere. */
const STALLED_MS = 100;

interface Lane {
  client: Promise<pg.Client> | undefined;
  /** How many askers its connection has yet to answer. */
  waiting: number;
  /** When it last answered, or began to be waited for. */
  movedAt: number;
}

/**
 * A few connections that many askers share. What one asks for is sent whole, in one go, behind what others have asked for
 * already, and answered in that order: nobody's statements come between those of another, and a busy process sends and
 * receives many at a time. Connections are opened when first needed and again after they broke.
 */
export class SharedConnections {
  private readonly lanes: Lane[];
  /** Which all take that ask in this turn of the event loop: it sends and receives once for them. */
  private turn: Lane | undefined;

  constructor(
    private readonly connect: () => pg.Client,
    count: number,
  ) {
    this.lanes = Array.from({ length: count }, () => ({ client: undefined, waiting: 0, movedAt: 0 }));
  }

  /**
   * Sends statements as one transaction and answers the rows of each. They only read, since whoever waits for a lock makes
   * others wait behind it, and leave nothing behind.
   * @throws what the first of them failed with
   */
  async send(statements: readonly Statement[]): Promise<pg.QueryResultRow[][]> {
    const lane = (this.turn ??= this.begin());
    if (lane.waiting === 0) lane.movedAt = performance.now();
    lane.waiting += 1;
    try {
      const client = await (lane.client ?? this.open(lane));
      return await runBatch(client, statements);
    } finally {
      lane.waiting -= 1;
      lane.movedAt = performance.now();
    }
  }

  async end(): Promise<void> {
    await Promise.all(this.lanes.map(async ({ client }) => (await client)?.end()));
  }

  private begin(): Lane {
    setImmediate(() => (this.turn = undefined));
    const since = performance.now() - STALLED_MS;
    const isStalled = ({ waiting, movedAt }: Lane) => waiting > 0 && movedAt < since;
    const moving = this.lanes.filter((lane) => !isStalled(lane));
    const lanes = moving.length > 0 ? moving : this.lanes;
    return lanes.reduce((least, each) => (each.waiting < least.waiting ? each : least));
  }

  /** A connection that ends late takes away itself alone, not the one that was opened in its place. */
  private open(lane: Lane): Promise<pg.Client> {
    const client = this.connect();
    const opening = client.connect().then(() => client);
    const gone = (): void => {
      if (lane.client === opening) lane.client = undefined;
    };
    client.on('error', gone).on('end', gone);
    opening.catch(gone);
    lane.client = opening;
    return opening;
  }
}
