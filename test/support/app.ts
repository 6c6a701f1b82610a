import type { DynamicModule, Type } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from '../../backend/app.module.js';
import type { Clock } from '../../backend/platform/clock.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import { atEnd } from './cleanup.js';
import { type TestDatabase, testDatabase } from './database.js';
import { environmentFor, type Surroundings } from './environment.js';

export interface AppOptions extends Surroundings {
  /** The test file's own unless given. */
  database?: TestDatabase;
  /** Beside those of the application. */
  modules?: (Type | DynamicModule)[];
  clock?: Clock;
}

/** The application, listening on a port of its own. */
export interface TestApp {
  /** Origin, such as http://127.0.0.1:43211. */
  url: string;
  database: TestDatabase;
  nest: NestFastifyApplication;
  close(): Promise<void>;
}

/** The real application in this process; closed when the test file ends, if not before. */
export async function startApp(options: AppOptions = {}): Promise<TestApp> {
  const { database = await testDatabase(), modules = [], clock } = options;
  const config = readConfig(environmentFor(database, options));
  const nest = await createApp({ modules: [AppModule, ...modules], config, clock });
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= nest.close());
  atEnd(close);
  await nest.listen(config.port, config.host);
  return { url: await nest.getUrl(), database, nest, close };
}
