/**
 * The stage of the fault tests: API processes, workers, a Postgres and, where asked, a Redis of the test file's own on
 * private ports; trainers whose clients write through all API processes; the history of every command; and a checker of
 * I1–I9 over history and database.
 *
 *     const stage = await openStage();
 *     await stage.underLoad(async (load) => {
 *       await stage.apis[0]!.end('SIGKILL');      // the fault
 *       await load.acknowledged(100);             // life goes on
 *       stage.apis[0] = await stage.start('api'); // and is mended
 *     });                                         // writers stop, unknown commands are tried again, I1–I9 are checked
 *
 * `stage.database` can `crash` and `restart`, `stage.redis` too; `openWire` (wire.ts) stops a process between two of its
 * statements; `stage.history` sends a single command. What a test changes it has in order again when the load ends: at
 * least one API process and one worker, on a database that runs.
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
  /** 2 unless given. */
  apis?: number;
  /** 2 unless given. */
  workers?: number;
  /** 8 unless given. */
  trainers?: number;
  /** Queues and sockets go over a Redis of its own instead of Postgres. */
  withRedis?: boolean;
  /** Clients use their connections again unless false. */
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

  /** Origins of the API processes, dead ones too until they are replaced. */
  readonly urls = (): string[] => this.apis.map(({ url }) => url);

  /** A process with one role. `database`: as it is to be reached, such as over a wire. */
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

  /** Injects a fault while clients write, then lets everything settle and checks it. */
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

  /** Tries again what was never answered, repeats what was, and expects every process to live and I1–I9 to hold. */
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
