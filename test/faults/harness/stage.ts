/**
 * The environment of the fault tests: API processes, workers, the test file's own Postgres and, optionally, its own Redis, on
 * private ports; trainers whose clients write to all API processes; the history of all commands; and a checker of I1–I9 on
 * history and database.
 *
 *     const stage = await openStage();
 *     await stage.underLoad(async (load) => {
 *       await stage.apis[0]!.end('SIGKILL');      // the fault
 *       await load.acknowledged(100);             // commands still succeed
 *       stage.apis[0] = await stage.start('api'); // the fault is repaired
 *     });                                         // clients stop, unknown commands are retried, I1–I9 are checked
 *
 * `stage.database` and `stage.redis` can `crash` and `restart`; `openWire` (wire.ts) stops a process between two of its
 * statements; `stage.history` sends a single command. A test must repair its faults before the load ends: at least one API
 * process, one worker and the database must run.
 */
import { expect } from '@jest/globals';
import { signUp, type Trainer } from '../../support/people.js';
import { type ProcessOptions, startProcess, type TestProcess } from '../../support/process.js';
import type { TestDatabase } from '../../support/database.js';
import { Checker } from './checker.js';
import { History } from './history.js';
import { Load } from './load.js';
import { type OwnPostgres, type OwnPostgresOptions, ownPostgres } from './own-postgres.js';
import { type OwnRedis, ownRedis } from './own-redis.js';
import { expectAlive } from './signs-of-life.js';

const CLIENTS = 6;

interface StageOptions {
  /** Default: 2. */
  apis?: number;
  /** Default: 2. */
  workers?: number;
  /** Default: 8. */
  trainers?: number;
  /** Queues and sockets use the stage's own Redis instead of Postgres. */
  withRedis?: boolean;
  /** Clients reuse their connections unless false. */
  keepAlive?: boolean;
  postgres?: OwnPostgresOptions;
}

export class Stage {
  readonly apis: TestProcess[] = [];
  readonly workers: TestProcess[] = [];
  readonly trainers: Trainer[] = [];
  readonly history: History;
  private readonly checker: Checker;

  constructor(
    readonly database: OwnPostgres,
    readonly redis: OwnRedis | undefined,
    keepAlive: boolean | undefined,
  ) {
    this.history = new History({ keepAlive });
    this.checker = new Checker(database, this.history);
  }

  /** Origins of the API processes, including dead ones until they are replaced. */
  readonly urls = (): string[] => this.apis.map(({ url }) => url);

  /** Starts a process with one role. `database`: how the process reaches the database, for example over a wire. */
  start(
    roles: 'api' | 'worker',
    {
      database = this.database,
      ...options
    }: Pick<ProcessOptions, 'env' | 'becomesReady'> & {
      database?: TestDatabase;
    } = {},
  ): Promise<TestProcess> {
    return startProcess({ database, redisUrl: this.redis?.url, roles, ...options });
  }

  /** Injects a fault while clients write, then waits for the clients and checks everything. */
  async underLoad(fault: (load: Load) => Promise<void>): Promise<void> {
    const load = new Load(this.trainers, this.history, this.urls);
    load.start(CLIENTS);
    try {
      await fault(load);
    } finally {
      await load.stop();
    }
    await this.check();
  }

  /** Expects every process to run, retries unknown commands, repeats acknowledged ones, and expects I1–I9 to hold. */
  async check(): Promise<void> {
    expectAlive([...this.apis, ...this.workers]);
    await this.history.settle(this.urls);
    await this.history.repeat(this.urls);
    expect(await this.checker.findings()).toEqual([]);
  }
}

export async function openStage(options: StageOptions = {}): Promise<Stage> {
  const { apis = 2, workers = 2, trainers = 8, withRedis = false, keepAlive, postgres } = options;
  const [database, redis] = await Promise.all([ownPostgres(postgres), withRedis ? ownRedis() : undefined]);
  const stage = new Stage(database, redis, keepAlive);
  const several = (roles: 'api' | 'worker', count: number) =>
    Promise.all(Array.from({ length: count }, () => stage.start(roles)));
  stage.apis.push(...(await several('api', apis)));
  stage.workers.push(...(await several('worker', workers)));
  for (let n = 0; n < trainers; n += 1) stage.trainers.push(await signUp(stage.apis[0]!));
  return stage;
}
