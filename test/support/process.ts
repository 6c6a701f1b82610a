import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { privatePort } from './ports.js';
import { atEnd } from './cleanup.js';
import { COMPILED } from './compile.mjs';
import { type TestDatabase, testDatabase } from './database.js';
import { environmentFor } from './environment.js';

export interface ProcessOptions {
  database?: Pick<TestDatabase, 'environment'>;
  redisUrl?: string;
  /** Default: 'api,worker'. */
  roles?: string;
  env?: Record<string, string>;
  /** False for a process that does not become ready, such as a worker that is stopped before it has caught up. */
  becomesReady?: boolean;
  /** File for its output, instead of `output()`. */
  log?: string;
}

export interface TestProcess {
  /** Origin of the API, which only the role `api` serves. */
  url: string;
  /** Origin of metrics and health, which every role serves. */
  opsUrl: string;
  pid: number;
  /** Standard output and standard error so far. */
  output(): string;
  /** Sends a signal and waits for the end. Resolves to the exit code; null after a kill. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Starts the built application as a separate process and waits until it is ready; killed at the end of the test file. */
export async function startProcess(options: ProcessOptions = {}): Promise<TestProcess> {
  const database = options.database ?? (await testDatabase());
  const [port, metricsPort] = await Promise.all([privatePort(), privatePort()]);
  const env = environmentFor(database, {
    PORT: String(port),
    METRICS_PORT: String(metricsPort),
    ...(options.redisUrl && { REDIS_URL: options.redisUrl }),
    ...(options.roles && { RENDE_ROLES: options.roles }),
    ...options.env,
  });
  const log = options.log === undefined ? undefined : openSync(options.log, 'a');
  // What sends traces imports Node's modules by itself, which compiled code cannot, and what is measured runs as deployed.
  const isWhole = env.OTEL_EXPORTER_OTLP_ENDPOINT || env.LOOP_PROBE;
  const program = isWhole ? ['dist/backend/server.cjs'] : COMPILED;
  const child = spawn(process.execPath, program, {
    stdio: ['ignore', log ?? 'pipe', log ?? 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  });
  if (log !== undefined) closeSync(log);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
  }
  /** Its end, with all of its output. */
  const closed = once(child, 'close');
  const isOver = () => child.exitCode !== null || child.signalCode !== null;
  const end = async (signal: NodeJS.Signals) => {
    if (!isOver()) child.kill(signal);
    await closed;
    return child.exitCode;
  };
  atEnd(() => end('SIGKILL'));
  const opsUrl = `http://127.0.0.1:${metricsPort}`;
  while (options.becomesReady !== false && !(await isReady(opsUrl))) {
    if (isOver()) {
      await closed;
      throw new Error(`the process ended before it was ready:\n${output}`);
    }
    await delay(100);
  }
  return { url: `http://127.0.0.1:${port}`, opsUrl, pid: child.pid!, output: () => output, end };
}

async function isReady(opsUrl: string): Promise<boolean> {
  return fetch(`${opsUrl}/health/ready`).then(
    (answer) => answer.ok,
    () => false,
  );
}
