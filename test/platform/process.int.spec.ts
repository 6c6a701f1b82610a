import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.js';
import { describeWithRedis } from '../support/needs.js';
import { startProcess } from '../support/process.js';
import { redis } from '../support/redis.js';

test('a worker process shows its health and metrics, and ends in order when told to', async () => {
  const worker = await startProcess({ roles: 'worker' });
  const metrics = await fetch(`${worker.opsUrl}/metrics`);
  expect(await metrics.text()).toContain('rende_projection_lag_events');
  await expect(fetch(worker.url)).rejects.toThrow();
  expect(await worker.end('SIGINT')).toBe(0);
});

const ask = (socket: Socket) =>
  new Promise<string>((resolve) => {
    socket.once('data', (answer) => resolve(answer.toString()));
    socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n');
  });

test('an api process that was told to end answers on the connections it has, and lets nobody else in', async () => {
  const api = await startProcess({ roles: 'api' });
  const connection = async () => {
    const socket = connect(Number(new URL(api.url).port), '127.0.0.1');
    await once(socket, 'connect');
    return socket;
  };
  const [kept, idle] = [await connection(), await connection()];
  expect(await ask(kept)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: keep-alive/i);
  const ended = api.end('SIGTERM');
  const isOpen = () =>
    connection().then(
      (socket) => !!socket.destroy(),
      () => false,
    );
  await eventually(isOpen, false);
  const gone = Promise.all([kept, idle].map((socket) => once(socket, 'close')));
  expect(await ask(kept)).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*connection: close/i);
  await gone;
  expect(await ended).toBe(0);
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
