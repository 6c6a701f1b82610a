import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { freePort } from '../../infra/start/processes.mjs';

const NAME = 'rende_compile';

/** What starts the server. It lives for seconds: optimizing its code fully takes more processor than it saves. */
export const COMPILED = ['--no-opt', 'test/support/compiled.cjs'];

/**
 * Compiles the built server once for all processes of this run (see compiled.cjs), unless an earlier run of the same build has
 * done it: starts the server on a temporary copy of the template database, and ends it.
 * @param {{ adminUrl: string, environment: Record<string, string> }} server
 */
export async function compileServer({ adminUrl, environment }) {
  if (existsSync('dist/backend/server.cjs.compiled')) return;
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`create database ${NAME} template rende_template`);
  const own = Object.entries(environment).map(([name, address]) => [
    name,
    Object.assign(new URL(address), { pathname: NAME }).href,
  ]);
  const metricsPort = await freePort();
  const child = spawn(process.execPath, COMPILED, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...Object.fromEntries(own),
      RENDE_TEST_COMPILE: 'true',
      NODE_ENV: 'test',
      RENDE_MASTER_KEY: randomBytes(32).toString('base64'),
      HOST: '127.0.0.1',
      PORT: '0',
      METRICS_PORT: String(metricsPort),
      LOG_LEVEL: 'silent',
    },
  });
  const ended = once(child, 'exit');
  const isReady = () =>
    fetch(`http://127.0.0.1:${metricsPort}/health/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (child.exitCode === null && !(await isReady())) await delay(50);
  child.kill('SIGTERM');
  await ended;
  await admin.query(`drop database ${NAME} with (force)`);
  await admin.end();
}
