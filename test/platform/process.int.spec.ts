import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { describeWithRedis } from '../support/needs.js';
import { startProcess } from '../support/process.js';
import { redis } from '../support/redis.js';

test('a worker process shows its health and metrics, and shuts down in order on a signal', async () => {
  const worker = await startProcess({ roles: 'worker' });
  const metrics = await fetch(`${worker.opsUrl}/metrics`);
  expect(await metrics.text()).toContain('rende_projection_lag_events');
  await expect(fetch(worker.url)).rejects.toThrow();
  expect(await worker.end('SIGINT')).toBe(0);
});

const ask = (socket: Socket) =>
  new Promise<string>((resolve) => {
    const closed = () => resolve('closed');
    socket.once('close', closed);
    socket.once('data', (answer) => {
      socket.off('close', closed);
      resolve(answer.toString());
    });
    if (socket.destroyed) resolve('closed');
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });

const connection = async ({ url }: { url: string }) => {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
};
/** Resolves as soon as the process says that it ends: idle connections are open for one second more. */
async function isEnding(socket: Socket): Promise<void> {
  while (/^HTTP\/1\.1 200 OK\r\n[^]*connection: keep-alive/i.test(await ask(socket)));
}
const isOpen = (server: { url: string }) =>
  connection(server).then(
    (socket) => !!socket.destroy(),
    () => false,
  );

test('an api process that was told to end still answers on open connections, but accepts no new ones', async () => {
  const api = await startProcess({ roles: 'api' });
  const [busy, kept, idle] = [await connection(api), await connection(api), await connection(api)];
  expect(await ask(kept)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: keep-alive/i);
  const gone = Promise.all([kept, idle].map((socket) => once(socket, 'close')));
  const ended = api.end('SIGTERM');
  await isEnding(busy);
  expect(await ask(kept)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i);
  expect(await isOpen(api)).toBe(false);
  await gone;
  expect(await ended).toBe(0);
});

/** Environment of a process that executes one statement first, and a throwing or rejecting one when it gets SIGUSR2. */
const failing = (statement: string, first = '') => ({
  LOG_LEVEL: 'fatal',
  NODE_OPTIONS: `--import=data:text/javascript,${first}process.on('SIGUSR2',()=>{${statement}})`,
});

test.each([
  ['throws', "setTimeout(()=>{throw(new(Error)('out-of-nowhere'))})"],
  ['rejects', "Promise.reject(new(Error)('out-of-nowhere'))"],
])(
  'a process in which an unawaited promise or callback %s ends in order, with code 1',
  async (_how, statement) => {
    const rende = await startProcess({ env: failing(statement) });
    const [busy, kept] = [await connection(rende), await connection(rende)];
    expect(await ask(kept)).toMatch(/^HTTP\/1\.1 200 OK/);
    const ended = rende.end('SIGUSR2');
    await isEnding(busy);
    expect(await ask(kept)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i);
    expect(await isOpen(rende)).toBe(false);
    expect(await ended).toBe(1);
    const [line] = rende.output().trim().split('\n');
    expect(JSON.parse(line!)).toMatchObject({
      level: 60,
      msg: 'uncaught error, the process ends',
      err: { message: 'out-of-nowhere' },
    });
  },
);

test('a process that is told to end while it ends because of an error still ends with code 1', async () => {
  const rende = await startProcess({ env: failing("setTimeout(()=>{throw(new(Error)('late'))})") });
  const kept = await connection(rende);
  process.kill(rende.pid, 'SIGTERM');
  const ended = rende.end('SIGUSR2');
  expect(await ended).toBe(1);
  kept.destroy();
});

// Blocks without using the processor.
const block = (ms: string) => `Atomics.wait(new(Int32Array)(new(SharedArrayBuffer)(4)),0,0,${ms})`;
const slowRequests =
  "import{Server}from'node:http';const{emit}=Server.prototype;" +
  `Server.prototype.emit=function(...all){if(all[1]&&all[1].url==='/api/slow')${block('3000')};return(emit.apply(this,all))};`;

test('a process whose event loop is stuck is killed, and says why, but not one with many requests in one turn of it', async () => {
  const rende = await startProcess({ env: failing(block('Infinity'), slowRequests) });
  const socket = await connection(rende);
  socket.write('GET /api/slow HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(4));
  expect(await ask(socket)).toMatch(/^HTTP\/1\.1 404/);

  expect(await rende.end('SIGUSR2')).toBeNull();
  const line = rende.output().trim().split('\n').at(-1);
  expect(JSON.parse(line!)).toMatchObject({ level: 60, msg: 'event loop stuck, the process is killed' });
});

describeWithRedis('with Redis', () => {
  test('once Redis is gone, a worker process says so, goes on, and still ends in order', async () => {
    const server = await redis();
    const worker = await startProcess({ roles: 'worker', redisUrl: server.url });
    await server.kill();
    const health = async () =>
      (await (await fetch(`${worker.opsUrl}/health/ready`)).json()) as {
        status: string;
        checks: Record<string, string>;
      };
    await eventually(async () => (await health()).checks.queue, 'unavailable');
    expect((await health()).status).toBe('ok');
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
