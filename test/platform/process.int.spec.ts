import { expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { describeWithRedis } from '../support/needs.js';
import { startProcess } from '../support/process.js';
import { redis } from '../support/redis.js';

test('a worker process shows its health and metrics, and ends in order when told to', async () => {
  const worker = await startProcess({ roles: 'worker' });
  const metrics = await fetch(`${worker.opsUrl}/metrics`);
  expect(await metrics.text()).toContain('rende_projection_lag_events');
  await expect(fetch(worker.url)).rejects.toThrow();
  expect(await worker.end('SIGTERM')).toBe(0);
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
