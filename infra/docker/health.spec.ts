import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, it } from '@jest/globals';

/** A server that answers its health checks until `/silence` is requested, and then no longer. */
const SERVER = `
let silent = false;
const server = require('node:http').createServer(({ url }, answer) => {
  if (url === '/silence') silent = true;
  if (silent && url !== '/silence') return answer.destroy();
  answer.statusCode = url === '/health/ready' && process.env.READY === 'no' ? 503 : 200;
  answer.end();
});
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

/** If the health check does not kill the server, the test fails after this time instead of waiting forever. */
const PATIENCE_MS = 30_000;

let folder: string;
const ends: (() => void)[] = [];
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rende-health-'));
});
afterEach(async () => {
  for (const end of ends.splice(0)) end();
  await rm(folder, { recursive: true });
});

/** A server whose parent is a first process, as in a container. */
async function contained(env: Record<string, string> = {}) {
  const first = spawn('sh', ['-c', '"$NODE" -e "$SERVER"; exit $?'], {
    env: { ...env, NODE: process.execPath, SERVER },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  ends.push(() => {
    if (first.exitCode === null) process.kill(-first.pid!, 'SIGKILL');
  });
  const [port] = (await once(first.stdout, 'data')) as [Buffer];
  const METRICS_PORT = String(port).trim();
  const check = () =>
    promisify(execFile)(process.execPath, ['infra/ops/health.mjs', String(first.pid)], {
      env: { METRICS_PORT, TMPDIR: folder },
    }).then(
      () => 0,
      ({ code }: { code: number }) => code,
    );
  return { first, check, silence: () => fetch(`http://127.0.0.1:${METRICS_PORT}/silence`) };
}

it('kills a server that was alive and no longer answers, at the third check, which ends its container', async () => {
  const { first, check, silence } = await contained();
  expect(await check()).toBe(0);
  await silence();
  expect([await check(), await check()]).toEqual([1, 1]);
  expect(first.exitCode).toBeNull();

  const ended = once(first, 'exit', { signal: AbortSignal.timeout(PATIENCE_MS) });
  expect(await check()).toBe(1);
  // A shell's exit code for SIGKILL.
  expect(await ended).toEqual([137, null]);
});

it('only reports a server as unhealthy that was never alive or is not ready', async () => {
  const starting = await contained();
  await starting.silence();
  const waiting = await contained({ READY: 'no' });
  for (const { first, check } of [starting, waiting]) {
    for (let look = 0; look < 4; look += 1) expect(await check()).toBe(1);
    expect(first.exitCode).toBeNull();
  }
});
