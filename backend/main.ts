import 'reflect-metadata';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { AppModule } from './app.module.js';
import { type Config, ConfigError, readConfig } from './platform/config/env.js';
import { MigrationError, refuseOtherSchema } from './platform/database/migrator.js';
import { MasterKeyError, refuseOtherMasterKey } from './platform/event-store/master-key.js';
import { createApp, startWithoutRoutes } from './platform/http/create-app.js';
import { endOnUncaught, watchEventLoop } from './platform/ops/process-end.js';

/** Length of the accept queue (the kernel may cap it): in a burst, connections wait instead of being reset. */
const BACKLOG = 16_384;

/** Longest time from the signal to the exit. Draining takes up to 10 s of it. */
const STOP_BOUND_MS = 20_000;

/** The longest that any of our synchronous work blocks the event loop on a slow machine is shorter. */
const STUCK_SECONDS = 10;

const SIGNALS = ['SIGTERM', 'SIGINT'];

/** Undefined until `start` has read it. */
let config: Config | undefined;

async function start(): Promise<void> {
  config = readConfig();
  await refuseOtherSchema(config.databaseUrl, resolve('migrations'));
  await refuseOtherMasterKey(config);
  const options = { modules: [AppModule], config };
  const api = config.roles.has('api') ? await createApp(options) : undefined;
  const app = api ?? (await startWithoutRoutes(options));
  // A terminal sends SIGINT to the whole process group and npm forwards it as well: the second SIGINT does not force the exit.
  app.enableShutdownHooks(SIGNALS, { useProcessExit: true });
  for (const signal of SIGNALS)
    process.on(signal, () => setTimeout(() => process.exit(1), STOP_BOUND_MS).unref());
  const logger = new Logger('Process');
  endOnUncaught(app, { log: (line) => logger.fatal(line), boundMs: STOP_BOUND_MS });
  await api?.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  // Not before: on a busy machine, setting up the modules alone may block the loop for longer.
  const goesOn = watchEventLoop(STUCK_SECONDS);
  for (const event of ['connection', 'request', 'upgrade']) api?.getHttpServer().on(event, goesOn);
}

function fail(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  for (const kind of [ConfigError, MigrationError, MasterKeyError])
    if (error instanceof kind) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') {
    const variable = port === config?.metricsPort ? 'METRICS_PORT' : 'PORT';
    return `A porta ${port} já está em uso: escolha outra em ${variable}.`;
  }
  return inspect(error);
}

start().catch(fail);
