import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { WorkerQueries } from './worker-queries.js';

const LISTEN = /^LISTEN\b/m;
const NAME = /application_name/;

/**
 * Lets all workers of a process listen on one connection. BullMQ would use one connection of the pool for each worker;
 * every job would then wake as many backends as there are kinds of jobs, several times, because Postgres signals every
 * listening backend.
 */
export class SharedListening {
  private readonly lent = new Set<LentClient>();
  private listening: Promise<pg.PoolClient> | undefined;
  private isListening = false;
  /** How often the connection began to listen, and how many jobs of each queue were announced on it. */
  private beginnings = 0;
  private readonly jobs = new Map<string, number>();

  constructor(private readonly pool: pg.Pool) {}

  /** A stand-in for the pool that is given to a worker. */
  asPool(): pg.Pool {
    const { pool } = this;
    const queries = new WorkerQueries(pool, (queue) => this.announced(queue));
    return {
      options: pool.options,
      query: (text: string, values: unknown[] = []) => queries.query(text, values),
      on: (event: 'error', listener: (error: Error) => void) => pool.on(event, listener),
      connect: () => {
        const client = new LentClient(this, pool);
        this.lent.add(client);
        return Promise.resolve(client);
      },
      end: () => Promise.resolve(),
    } as unknown as pg.Pool;
  }

  /** Another number after each announcement of a job of the queue; equal to none while nobody listens. */
  private announced(queue: string): number {
    return this.isListening ? this.beginnings + (this.jobs.get(queue) ?? 0) : Number.NaN;
  }

  /** All workers listen to the same channel, so once is enough. */
  async listen(text: string): Promise<void> {
    await (this.listening ??= this.connect(text));
  }

  /** Closes the connection when the last worker has left. */
  async returned(client: LentClient): Promise<void> {
    this.lent.delete(client);
    if (this.lent.size > 0) return;
    const listening = this.listening;
    this.listening = undefined;
    this.isListening = false;
    (await listening)?.release(true);
  }

  private connect(text: string): Promise<pg.PoolClient> {
    const connecting = this.pool.connect().then(async (client) => {
      client.on('notification', (message) => {
        const queue = message.payload ?? '';
        this.jobs.set(queue, (this.jobs.get(queue) ?? 0) + 1);
        for (const each of this.lent) each.emit('notification', message);
      });
      client.on('error', (error: Error) => {
        if (this.listening !== connecting) return;
        this.listening = undefined;
        this.isListening = false;
        client.release(true);
        // After a failure each worker asks for another connection and listens again.
        for (const each of this.lent) if (each.listenerCount('error') > 0) each.emit('error', error);
      });
      try {
        await client.query(text);
      } catch (error) {
        if (this.listening === connecting) client.release(true);
        throw error;
      }
      if (this.listening === connecting) {
        this.beginnings += 1;
        this.isListening = true;
      }
      return client;
    });
    connecting.catch(() => {
      if (this.listening === connecting) this.listening = undefined;
    });
    return connecting;
  }
}

/**
 * A stand-in for the connection that is given to a worker: LISTEN goes to the shared connection, any other query to the
 * pool.
 */
class LentClient extends EventEmitter {
  constructor(
    private readonly shared: SharedListening,
    private readonly pool: pg.Pool,
  ) {
    super();
  }

  async query(text: string, values?: unknown[]): Promise<pg.QueryResult | undefined> {
    if (LISTEN.test(text)) await this.shared.listen(text);
    // Ignored: each worker would set its own application_name.
    else if (!NAME.test(text)) return this.pool.query(text, values);
    return undefined;
  }

  release(): void {
    this.removeAllListeners();
    this.shared.returned(this).catch(() => undefined);
  }
}
