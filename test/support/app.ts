import { resolve } from 'node:path';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../backend/app.module.js';
import type { Clock } from '../../backend/platform/clock.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import type { JobDefinition } from '../../backend/platform/jobs/define-job.js';
import { caughtUp } from '../proof/read-tables.js';
import { atEnd } from './cleanup.js';
import { type TestDatabase, testDatabase } from './database.js';
import { environmentFor } from './environment.js';

export interface AppOptions {
  /** Default: the test file's own database. */
  database?: TestDatabase;
  /** Without it, queues and sockets use Postgres. */
  redisUrl?: string;
  /** Default: 'api,worker', or 'api' on the database of the application that files share, whose worker does the jobs there. */
  roles?: string;
  clock?: Clock;
  /** Jobs without their schedule, because the test runs them itself. */
  byHand?: readonly JobDefinition[];
  /** Additional modules. */
  modules?: Type[];
  env?: Record<string, string>;
  /** Default: any free port. */
  port?: number;
  /** Folder of the built frontend. Default: the one of this build. */
  frontend?: string;
}

export interface TestApp {
  /** Origin, such as http://127.0.0.1:43211. */
  url: string;
  nest: NestFastifyApplication;
  /** Runs a job once the whole log is projected, because jobs read read tables, and waits for what it wrote. */
  run(job: Type<{ run(): Promise<unknown> }>): Promise<void>;
  close(): Promise<void>;
}

/** Starts the real application in this process; closed at the end of the test file, if not before. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const database = options.database ?? (await testDatabase());
  const { redisUrl, roles = database.others && 'api', clock, modules = [], byHand = [] } = options;
  for (const job of byHand) {
    const { schedule } = job;
    delete job.schedule;
    atEnd(() => Object.assign(job, { schedule }));
  }
  const env = {
    ...(redisUrl && { REDIS_URL: redisUrl }),
    ...(roles && { RENDE_ROLES: roles }),
    ...options.env,
  };
  const config = readConfig(environmentFor(database, env));
  const nest = await createApp({
    modules: [AppModule, ...modules],
    config,
    clock,
    frontend: options.frontend ?? resolve('dist/frontend'),
  });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= nest.close());
  atEnd(close);
  await nest.listen(options.port ?? 0, '127.0.0.1');
  return { url: await nest.getUrl(), nest, run: runnerOf(nest, database), close };
}

export const runnerOf = (nest: NestFastifyApplication, database: TestDatabase): TestApp['run'] =>
  async function run(job) {
    await caughtUp(database);
    await nest.get(job).run();
    await caughtUp(database);
  };
