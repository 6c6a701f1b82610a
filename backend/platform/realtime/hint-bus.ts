import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { createAdapter as createPostgresAdapter } from '@socket.io/postgres-adapter';
import { createAdapter as createRedisAdapter } from '@socket.io/redis-adapter';
import { Redis } from 'ioredis';
import type pg from 'pg';
import { type Namespace, Server } from 'socket.io';
import * as z from 'zod/mini';
import { Config } from '../config/env.js';
import { createPool } from '../database/pools.js';
import { ErrorTrap } from '../ops/error-trap.js';
import type { Projected } from '../projections/projected.js';
import { RecentHints } from './recent-hints.js';
import { SIGN_IN_MS } from './unsigned-sockets.js';

/** Keeps most messages under 8,000 bytes, the limit of NOTIFY: the Postgres adapter stores longer ones in a table. */
const TENANTS_PER_MESSAGE = 15;

const CLOSE_BOUND_MS = 1_000;

/** A hint tells an open screen what to refetch and contains no data, so that a lost hint does no harm. */
export interface Hint {
  /** Tenant of the position; null for a person's own account. */
  tenantId: string | null;
  topic: string;
  position: number;
  /** The student whom it concerns, where it is for that student's screens. */
  studentId?: string;
}

export const memberRoom = (tenantId: string, userId: string): string => `member:${tenantId}/${userId}`;

/** Room of a student's sockets, which get only the hints that concern that student. */
export const studentRoom = (tenantId: string, studentId: string): string =>
  `student:${tenantId}/${studentId}`;

export const studentsRoom = (tenantId: string): string => `students:${tenantId}`;

/** Room of all sockets of one user, in any tenant. */
export const userRoom = (userId: string): string => `user:${userId}`;

const position = z.int().check(z.nonnegative());
const tenantHint = z.object({ topic: z.string(), position });
type TenantHint = z.infer<typeof tenantHint>;

/** Hints of one tenant, as processes send them to each other. */
const tenantHints = z.object({
  tenantId: z.guid(),
  position,
  hints: z.array(tenantHint),
  /** Hints for students' own screens. Absent in messages of processes of an earlier version. */
  students: z.optional(z.array(z.object({ studentId: z.guid(), hints: z.array(tenantHint) }))),
  /** Hints for the screens of every student. Absent in messages of processes of an earlier version. */
  allStudents: z.optional(z.array(tenantHint)),
  /** The set of live projections has changed. */
  changesLive: z.optional(z.boolean()),
});
export type TenantHints = z.infer<typeof tenantHints>;

/**
 * Parses a message of another process. @throws if it has another shape, since other clients could write to the channel
 */
const HINTS = z.array(tenantHints);

/**
 * One socket.io server per process, connected to the others by Redis or Postgres. Every api process receives the hints of all
 * workers: it sends them to open screens and resumes the reads that wait for the position.
 */
@Injectable()
export class HintBus implements OnApplicationShutdown {
  readonly io = new Server({
    path: '/socket.io',
    serveClient: false,
    transports: ['websocket'],
    maxHttpBufferSize: 10_000,
    connectTimeout: SIGN_IN_MS,
  });
  readonly recent = new RecentHints();
  private readonly listeners: ((hints: TenantHints) => void)[] = [];
  private readonly closing: (() => Promise<unknown>)[] = [];
  private isAway = (): boolean => false;

  constructor(
    config: Config,
    private readonly trap: ErrorTrap,
  ) {
    this.io.adapter(
      config.redisUrl ? this.redisAdapter(config.redisUrl) : this.postgresAdapter(config.databaseUrl),
    );
    this.io.on(
      'hints',
      trap.listener('adapter', (all: unknown) => this.heard(z.parse(HINTS, all))),
    );
  }

  onHints(listener: (hints: TenantHints) => void): void {
    this.listeners.push(listener);
  }

  /** Publishes a batch's changes to every process. */
  projected(projected: readonly Projected[]): void {
    if (projected.length === 0) return;
    const all = projected.map(
      ({ tenantId, position, topics, students, allStudents = new Set(), changesLive = false }) => ({
        tenantId,
        position,
        changesLive,
        hints: hintsOf(topics, position),
        students: [...students].map(([studentId, own]) => ({
          studentId,
          hints: hintsOf(own, position),
        })),
        allStudents: hintsOf(allStudents, position),
      }),
    );
    this.heard(all);
    for (const part of partsOf(all, TENANTS_PER_MESSAGE)) this.tellProcesses('hints', part);
  }

  /** Disconnects the sockets of an ended session, in every process. */
  sessionEnded(sessionId: string): void {
    this.trap.run('adapter', () => this.reached.in(`session:${sessionId}`).disconnectSockets(true));
  }

  /** Tells a user's screens, in every process, that their own account changed. */
  personChanged(userId: string): void {
    const hint: Hint = { tenantId: null, topic: 'account', position: 0 };
    this.trap.run('adapter', () => this.reached.to(userRoom(userId)).emit('hint', hint));
  }

  /** Disconnects the sockets of a user who has left a tenant; they reconnect without its room. */
  membershipEnded(tenantId: string, userId: string): void {
    this.trap.run('adapter', () => this.reached.in(memberRoom(tenantId, userId)).disconnectSockets(true));
  }

  async onApplicationShutdown(): Promise<void> {
    // Its adapter waits for Redis to confirm, for ever if Redis is down. In a process without an attached server (a
    // worker), it rejects, but has closed the adapter by then.
    const closed = this.io.close().catch(() => undefined);
    await Promise.race([closed, delay(CLOSE_BOUND_MS, undefined, { ref: false })]);
    for (const close of this.closing) await close();
  }

  /**
   * While Redis is down, only the sockets of this process are disconnected: other processes check theirs periodically.
   */
  private get reached() {
    return this.isAway() ? this.io.local : this.io;
  }

  private tellProcesses(event: string, part: unknown): void {
    if (this.isAway()) return;
    this.trap.run('adapter', () => this.io.serverSideEmit(event, part));
  }

  private heard(all: readonly TenantHints[]): void {
    for (const each of all) {
      const { tenantId, hints, students = [], allStudents = [] } = each;
      this.tell(`tenant:${tenantId}`, tenantId, hints);
      for (const student of students)
        this.tell(studentRoom(tenantId, student.studentId), tenantId, student.hints, student.studentId);
      this.tell(studentsRoom(tenantId), tenantId, allStudents);
      for (const listener of this.listeners) listener(each);
    }
  }

  private tell(room: string, tenantId: string, hints: readonly TenantHint[], studentId?: string): void {
    for (const one of hints) {
      const hint: Hint = { tenantId, ...one, ...(studentId !== undefined && { studentId }) };
      this.recent.note(room, hint);
      this.io.local.to(room).emit('hint', hint);
    }
  }

  private readonly interrupted = (error: unknown): void => {
    this.trap.failed('adapter', 'realtime between processes interrupted', error);
  };

  private postgresAdapter(connectionString: string) {
    const pool = createPool(connectionString, {
      max: 3,
      searchPath: 'public',
      applicationName: 'rende-realtime',
      answerWithinMs: 10_000,
      session: { synchronous_commit: 'off' },
    });
    const lent = new Set<pg.PoolClient>();
    let isOver = false;
    pool.on('release', (_error, client) => lent.delete(client));
    this.closing.push(async () => {
      isOver = true;
      for (const client of lent) client.release(true);
      await pool.end();
    });
    const lending = {
      query: (text: string, values?: unknown[]) => pool.query(text, values),
      /**
       * Lends a connection for LISTEN. The adapter does not release a broken connection, which would exhaust the pool,
       * nor one that is not listening yet when the adapter closes, for which the pool would wait for ever. After
       * closing, the promise stays pending, because the adapter would repeat a refused request.
       */
      connect: async () => {
        const client = isOver ? undefined : await pool.connect();
        if (!client || isOver) {
          client?.release(true);
          return new Promise<never>(() => undefined);
        }
        lent.add(client);
        client.once('error', () => lent.has(client) && client.release(true));
        return client;
      },
    };
    return createPostgresAdapter(lending as unknown as pg.Pool, {
      errorHandler: this.interrupted,
    });
  }

  /** Traps errors of the adapter's listeners, which parse messages of other processes without catching. */
  private trapListeners(emitter: EventEmitter, event: string): void {
    for (const listener of emitter.listeners(event) as ((...args: unknown[]) => unknown)[]) {
      emitter.off(event, listener);
      emitter.on(event, this.trap.listener('adapter', listener));
    }
  }

  private redisAdapter(url: string) {
    const clients = [
      new Redis(url, { maxRetriesPerRequest: null }),
      new Redis(url, { maxRetriesPerRequest: null }),
    ] as const;
    // Messages are dropped while Redis is down: ioredis would queue them without a limit.
    this.isAway = () => clients[0].status !== 'ready';
    for (const client of clients) {
      client.on('error', this.interrupted);
      this.closing.push(() => quit(client));
      // The adapter awaits no answer. Errors of the connection are also reported by an event of the client.
      const send = client.sendCommand.bind(client);
      client.sendCommand = (...command) => {
        const answer = send(...command);
        if (answer instanceof Promise) answer.catch(() => undefined);
        return answer;
      };
    }
    const [, subscriber] = clients;
    const createAdapter = createRedisAdapter(...clients);
    const trapListeners = () => {
      for (const event of ['messageBuffer', 'pmessageBuffer']) this.trapListeners(subscriber, event);
    };
    // Called with `new`, like an adapter's class.
    return function adapter(namespace: Namespace) {
      const made = createAdapter(namespace);
      trapListeners();
      return made;
    };
  }
}

/** First waits for the answers to the adapter's last commands, if Redis is up. */
async function quit(client: Redis): Promise<void> {
  const answered = client.status === 'ready' ? client.quit().catch(() => undefined) : undefined;
  await Promise.race([answered, delay(CLOSE_BOUND_MS, undefined, { ref: false })]);
  client.disconnect();
}

function partsOf<Item>(items: readonly Item[], size: number): Item[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, part) =>
    items.slice(part * size, (part + 1) * size),
  );
}

function hintsOf(topics: Projected['topics'], position: number): TenantHint[] {
  return [...topics].map((topic) => ({ topic, position }));
}
