import { expect, test } from '@jest/globals';
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
  test('once Redis is gone, a worker process is not ready any more, and still ends in order', async () => {
    const server = await redis();
    const worker = await startProcess({ roles: 'worker', redisUrl: server.url });
    await server.kill();
    let status = 200;
    while (status === 200) status = (await fetch(`${worker.opsUrl}/health/ready`)).status;
    expect(status).toBe(503);
    expect(await worker.end('SIGTERM')).toBe(0);
  });
});
