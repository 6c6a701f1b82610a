import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { RateLimits } from '../../backend/platform/http/rate-limit.js';
import { atEnd } from '../support/cleanup.js';
import { testDatabase } from '../support/database.js';
import { describeWithRedis } from '../support/needs.js';
import { redis } from '../support/redis.js';
import { configFor } from './platform.js';
import { startProbe } from './probe-app.js';

const limited = (origin: string, from: string) =>
  fetch(`${origin}/api/v1/probes/limited`, { headers: { 'X-Forwarded-For': from } });

describe('a limited route', () => {
  it('refuses the address that used up its points, whatever it claims to be', async () => {
    const { origin } = await startProbe();
    const answers = [];
    for (const from of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) answers.push(await limited(origin, from));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    const [first, , refused] = answers as [Response, Response, Response];
    expect(first.headers.get('ratelimit-policy')).toBe('"probe";q=2;w=60');
    expect(first.headers.get('ratelimit')).toBe('"probe";r=1;t=60');
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'rate_limited',
      'violated-policies': ['probe'],
    });
  });

  it('believes as many proxies as there are', async () => {
    const { origin } = await startProbe({ TRUST_PROXY_HOPS: '1' });
    const spoofed = ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1', '7.7.7.7, 1.1.1.1', '1.1.1.1, 2.2.2.2'];
    const statuses = [];
    for (const from of spoofed) statuses.push((await limited(origin, from)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });
});

describeWithRedis('limits with Redis', () => {
  it('count in all processes together', async () => {
    const { url } = await redis();
    const statuses = [];
    for (let process = 0; process < 3; process++) {
      const { origin } = await startProbe({ REDIS_URL: url });
      statuses.push((await limited(origin, '1.1.1.1')).status);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('go on in each process when Redis is gone', async () => {
    const server = await redis();
    const limits = new RateLimits(configFor(await testDatabase(), { REDIS_URL: server.url }));
    atEnd(() => limits.onApplicationShutdown());
    const reply = { header: () => reply } as unknown as FastifyReply;
    const consume = () => limits.consume({ name: 'probe', points: 2, seconds: 60 }, '1.1.1.1', reply);
    await consume();

    server.process.kill('SIGKILL');
    await once(server.process, 'exit');
    // The first one may have been counted in memory too, if it came before the connection.
    await consume();
    await consume().catch(() => undefined);
    await expect(consume()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
