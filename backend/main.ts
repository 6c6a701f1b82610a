import 'reflect-metadata';
import { resolve } from 'node:path';
import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import { AppModule } from './app.module.js';
import { ConfigError, readConfig } from './platform/config/env.js';
import { MigrationError, refuseOtherSchema } from './platform/database/migrator.js';
import { MasterKeyError, refuseOtherMasterKey } from './platform/event-store/master-key.js';
import { createApp } from './platform/http/create-app.js';
import { endOnUncaught } from './platform/ops/uncaught.js';
import { watchEventLoop } from './platform/ops/watchdog.js';

/** Connections that the kernel holds until they are accepted, as far as it allows: a rush waits instead of being reset. */
const BACKLOG = 16_384;

/** Draining is bounded at 10 s; this bounds what comes after it. */
const STOP_BOUND_MS = 20_000;

/** Longer than any work of ours holds the event loop on a slow machine. */
const STUCK_SECONDS = 10;

const SIGNALS = ['SIGTERM', 'SIGINT'];

async function start(): Promise<void> {
  const config = readConfig();
  await refuseOtherSchema(config.databaseUrl, resolve('migrations'));
  await refuseOtherMasterKey(config);
  const app = await createApp({ modules: [AppModule], config });
  // A terminal sends SIGINT to the whole group and npm forwards it: the second one is no order to hurry.
  app.enableShutdownHooks(SIGNALS, { useProcessExit: true });
  for (const signal of SIGNALS)
    process.on(signal, () => setTimeout(() => process.exit(1), STOP_BOUND_MS).unref());
  const logger = new Logger('Process');
  endOnUncaught(app, { log: (line) => logger.fatal(line), boundMs: STOP_BOUND_MS });
  watchEventLoop(STUCK_SECONDS);
  if (config.roles.has('api')) await app.listen({ port: config.port, host: config.host, backlog: BACKLOG });
  else await app.init();
}

function fail(error: unknown): never {
  process.stderr.write(`${reasonOf(error)}\n`);
  process.exit(1);
}

function reasonOf(error: unknown): string {
  for (const kind of [ConfigError, MigrationError, MasterKeyError])
    if (error instanceof kind) return error.message;
  const { code, port } = error as { code?: string; port?: number };
  if (code === 'EADDRINUSE') return `A porta ${port} já está em uso: escolha outra em PORT ou METRICS_PORT.`;
  return inspect(error);
}

start().catch(fail);
