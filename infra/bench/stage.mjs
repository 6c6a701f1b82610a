import { fork, spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { addresses, backendModule, migrateDatabase, prepareServer } from '../start/database.mjs';
import { root } from '../start/folder.mjs';
import { freePort } from '../start/processes.mjs';
import { startScratch } from '../start/scratch.mjs';

const masterKey = randomBytes(32).toString('base64');

/**
 * What figures are measured on: a durable Postgres of this run's own, with a fresh database for whoever asks, and
 * whatever is started on it. `close()` ends all of it, last first.
 */
export class Stage {
  #closers = [];
  #scratch;
  #redis;

  /** Runs `close` when the stage closes. */
  atEnd(close) {
    this.#closers.unshift(close);
  }

  async close() {
    for (const close of this.#closers.splice(0)) await close();
  }

  /** A migrated, empty database: the variables that name it. */
  async database() {
    const name = `bench_${randomUUID().slice(0, 8)}`;
    if (!this.#scratch) {
      this.#scratch = await startScratch(name, { durable: true });
      this.atEnd(this.#scratch.stop);
      return this.#scratch.environment;
    }
    const { port, passwords } = this.#scratch;
    await prepareServer(port, passwords, name);
    const environment = addresses(port, passwords, name);
    await migrateDatabase(environment);
    return environment;
  }

  /** Address of a Redis without persistence, or null where redis-server is not installed. */
  redis() {
    return (this.#redis ??= this.#startRedis());
  }

  async #startRedis() {
    const port = await freePort();
    const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
    const server = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'], detached: true });
    const missing = once(server, 'error').then(() => true);
    const ready = new Promise((resolve) => {
      server.stdout.on('data', (text) => String(text).includes('Ready to accept') && resolve(false));
    });
    if (await Promise.race([missing, ready])) return null;
    this.atEnd(() => ended(server));
    return `redis://127.0.0.1:${port}`;
  }

  /** The application in this process, not listening. */
  async app(environment, roles) {
    const [{ AppModule }, { readConfig }, { createApp }] = await Promise.all([
      backendModule('app.module.js'),
      backendModule('platform/config/env.js'),
      backendModule('platform/http/create-app.js'),
    ]);
    const app = await createApp({
      modules: [AppModule],
      config: readConfig(settings(environment, { RENDE_ROLES: roles })),
    });
    await app.init();
    let open = true;
    const close = async () => {
      if (open) await app.close();
      open = false;
    };
    this.atEnd(close);
    return { get: (token) => app.get(token, { strict: false }), close };
  }

  /** The application as a process of its own. Answers its address once it is ready, and how to end it. */
  async server(environment, roles) {
    const port = await freePort();
    const child = spawn(process.execPath, ['dist/backend/main.js'], {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: settings(environment, {
        RENDE_ROLES: roles,
        PORT: String(port),
        METRICS_PORT: String(await freePort()),
      }),
    });
    const close = () => ended(child);
    this.atEnd(close);
    return { child, url: `http://127.0.0.1:${port}`, close };
  }

  /** Another program of this folder, whose messages are its answers. */
  child(file, args = [], environment = {}) {
    const child = fork(path.join(import.meta.dirname, file), args, {
      detached: true,
      env: settings(environment),
    });
    this.atEnd(() => ended(child));
    return child;
  }
}

/** The next thing that a child has to say. */
export async function answer(child) {
  const gone = once(child, 'exit').then(() => {
    throw new Error(`${path.basename(child.spawnargs[1])} ended without an answer`);
  });
  const [message] = await Promise.race([once(child, 'message'), gone]);
  gone.catch(() => undefined);
  return message;
}

function settings(environment, more) {
  const { PATH, HOME } = process.env;
  return {
    PATH,
    HOME,
    NODE_ENV: 'production',
    LOG_LEVEL: 'warn',
    PORT: '0',
    METRICS_PORT: '0',
    RENDE_MASTER_KEY: masterKey,
    ...environment,
    ...more,
  };
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
