import type pg from 'pg';
import { runBatch, type Statement } from './batch.js';

/**
 * A connection without an answer for this long is held up by a slow statement: new statements use another one, if there
 * is one.
 */
const STALLED_MS = 100;

interface Lane {
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
  private readonly lanes: Lane[];
  /** The connection for all requests of this turn of the event loop, so that they are sent and received together. */
  private turn: Lane | undefined;

  constructor(
    private readonly connect: () => pg.Client,
    count: number,
  ) {
    this.lanes = Array.from({ length: count }, () => ({ client: undefined, waiting: 0, movedAt: 0 }));
  }

  /**
   * Sends statements as one transaction and returns the rows of each. They must only read, since a statement that waits
   * for a lock delays those behind it, and must not change the session.
   * @throws the error of the first statement that failed
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

  /** Forgets this connection when it ends, unless another one was opened in its place. */
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
