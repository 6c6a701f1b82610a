import { randomBytes } from 'node:crypto';
import type { Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../backend/app.module.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import { atEnd } from './cleanup.js';
import { testDatabase, type TestDatabase } from './database.js';

/** The application, listening on a port of its own. */
export interface TestApp {
  /** Without a slash at its end. */
  url: string;
  database: TestDatabase;
  nest: NestFastifyApplication;
}

interface TestAppOptions {
  /** The test file's own unless given. */
  database?: TestDatabase;
  /** Beside those of the application. */
  modules?: Type[];
  /** Variables that the app reads, over those of a quiet application with all roles. */
  environment?: Record<string, string>;
}

const masterKey = randomBytes(32).toString('base64');

/** Starts the application over HTTP; it is closed when the test file ends. Those of one file share a master key. */
export async function startApp(options: TestAppOptions = {}): Promise<TestApp> {
  const { database = await testDatabase(), modules = [], environment = {} } = options;
  const config = readConfig({
    ...database.environment,
    NODE_ENV: 'test',
    HOST: '127.0.0.1',
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    RENDE_MASTER_KEY: masterKey,
    ...environment,
  });
  const nest = await createApp({ modules: [AppModule, ...modules], config });
  atEnd(() => nest.close());
  await nest.listen(config.port, config.host);
  return { url: await nest.getUrl(), database, nest };
}
