import { execFile, fork, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { serverArguments } from '../start/build.mjs';
import { addresses, adminUrl, backendModule, migrateDatabase, prepareServer } from '../start/database.mjs';
import { root } from '../start/folder.mjs';
import { freePort } from '../start/processes.mjs';
import { startCluster } from './cluster.mjs';
import { fillYear, isFilled, trainersFor } from './year.mjs';

/**
 * The environment of a measurement: a durable Postgres of this run, and the processes started on it. Each figure gets a fresh
 * database; with `events` all figures share one, whose log has about that many events, a year of trainers' work. The folder
 * `data` keeps that database for the next run. `close()` ends everything, last started first.
 */
export class Stage {
  #closers = [];
  #cluster;
  #year;
  #redis;

  constructor({ events, data } = {}) {
    this.events = events;
    this.data = data;
  }

  /** Runs `close` when the stage closes. */
  atEnd(close) {
    this.#closers.unshift(close);
  }

  async close() {
    for (const close of this.#closers.splice(0)) await close();
  }

  /** Variables with the addresses of a migrated database: an empty one, or with `events` the filled one. */
  database() {
    return this.events ? this.filled() : this.#fresh(`bench_${randomUUID().slice(0, 8)}`);
  }

  /** A database with a year of work, or, without `events`, with four weeks of a few trainers. */
  filled() {
    this.#year ??= this.#fill();
    return this.#year;
  }

  /** Another empty, migrated database: `{ environment, drop() }`. */
  async temporaryDatabase() {
    const name = `bench_${randomUUID().slice(0, 8)}`;
    const environment = await this.#fresh(name);
    const drop = async () => {
      const { default: pg } = await import('pg');
      const { server, passwords } = this.#cluster;
      const client = new pg.Client({ connectionString: adminUrl(server, passwords) });
      await client.connect();
      await client.query(`drop database if exists ${name} with (force)`);
      await client.end();
    };
    this.atEnd(drop);
    return { environment, drop };
  }

  /** `count` trainers of a filled database, by default all, as `trainersFor` returns them. */
  async trainers(environment, count = null) {
    const app = await this.app(environment, 'api');
    const trainers = await trainersFor(app, environment, count);
    await app.close();
    return trainers;
  }

  async #fill() {
    const environment = await this.#fresh('year');
    if (!(await isFilled(environment))) await fillYear(this, environment, this.events);
    return environment;
  }

  async #fresh(name) {
    if (!this.#cluster) {
      this.#cluster = await startCluster(name, this.data);
      this.atEnd(this.#cluster.stop);
    }
    const { server, passwords, masterKey } = this.#cluster;
    await prepareServer(server, passwords, name);
    const environment = addresses(server, passwords, name);
    await migrateDatabase(environment);
    // Each database signs with a key of its own: its seals are no seals of the application in this folder.
    const folder = await mkdtemp(path.join(tmpdir(), 'rende-bench-'));
    this.atEnd(() => rm(folder, { recursive: true, force: true }));
    return { ...environment, RENDE_MASTER_KEY: masterKey, SEALS_FOLDER: folder };
  }

  /**
   * The possible setups of processes, as far as this machine can run them: `[{ name, apart, environment }]`; `apart`: worker
   * and api are two processes.
   */
  async setups(database = () => this.database()) {
    const redisUrl = await this.redis();
    return [
      { name: 'um processo, Postgres', apart: false, environment: await database() },
      { name: 'api e worker, Postgres', apart: true, environment: await database() },
      ...(redisUrl
        ? [
            {
              name: 'api e worker, Redis',
              apart: true,
              environment: { ...(await database()), REDIS_URL: redisUrl },
            },
          ]
        : []),
    ];
  }

  /** Address of a Redis without persistence; null if redis-server is not installed. */
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

  /** Versions of the software that figures depend on, except Node. */
  async versions() {
    const { default: pg } = await import('pg');
    const { DATABASE_OWNER_URL } = await this.#fresh('versions');
    const client = new pg.Client({ connectionString: DATABASE_OWNER_URL });
    await client.connect();
    const { rows } = await client.query('show server_version');
    await client.end();
    const { stdout } = await promisify(execFile)('redis-server', ['--version']).catch(() => ({}));
    return { postgres: rows[0].server_version, redis: stdout?.match(/v=(\S+)/)[1] ?? null };
  }

  /** Rebuilds projections, by default all, in a separate process. Returns its `{ seconds, rss }`. */
  rebuild(environment, names) {
    return answer(this.child('rebuild-child.mjs', names, environment));
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

  /** Starts the application as a separate process: returns its address, its metrics, its CPU time, and how to end it. */
  async server(environment, roles) {
    const port = await freePort();
    const metricsPort = await freePort();
    const child = spawn(process.execPath, serverArguments, {
      cwd: root,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
      env: settings(environment, {
        RENDE_ROLES: roles,
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
        LOG_LEVEL: 'info',
      }),
    });
    const close = () => ended(child);
    this.atEnd(close);
    const metricsUrl = `http://127.0.0.1:${metricsPort}`;
    while (!(await fetch(`${metricsUrl}/health/ready`).catch(() => undefined))?.ok) await delay(50);
    const metric = async (name) => {
      const text = await (await fetch(`${metricsUrl}/metrics`)).text();
      return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)[1]);
    };
    const cpuSeconds = () => metric('process_cpu_seconds_total');
    return { url: `http://127.0.0.1:${port}`, metric, cpuSeconds, close };
  }

  /** Starts another program of this folder, which answers with messages. */
  child(file, args = [], environment = {}) {
    const child = fork(path.join(import.meta.dirname, file), args, {
      detached: true,
      env: settings(environment),
    });
    this.atEnd(() => ended(child));
    return child;
  }
}

/** The next message of a child process. */
export async function answer(child) {
  const heard = new AbortController();
  const { signal } = heard;
  const gone = once(child, 'exit', { signal }).then(() => {
    throw new Error(`${path.basename(child.spawnargs[1])} ended without an answer`);
  });
  gone.catch(() => undefined);
  try {
    const [message] = await Promise.race([once(child, 'message', { signal }), gone]);
    return message;
  } finally {
    heard.abort();
  }
}

function settings(environment, more) {
  const { PATH, HOME } = process.env;
  // With OTEL_EXPORTER_OTLP_ENDPOINT, what is measured is also traced.
  const traces = Object.entries(process.env).filter(([name]) => name.startsWith('OTEL_'));
  return {
    PATH,
    HOME,
    ...Object.fromEntries(traces),
    NODE_ENV: 'production',
    LOG_LEVEL: 'error',
    PORT: '0',
    METRICS_PORT: '0',
    ...environment,
    ...more,
  };
}

async function ended(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
