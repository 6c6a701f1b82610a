import { describe, expect, it } from '@jest/globals';
import type { FastifyReply } from 'fastify';
import { Database } from '../../backend/platform/database/database.js';
import { RateLimits } from '../../backend/platform/http/rate-limit.js';
import type { Readiness } from '../../backend/platform/ops/readiness.js';
import { atEnd } from '../support/cleanup.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis } from '../support/needs.js';
import { privatePort } from '../support/ports.js';
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
    expect(first.headers.get('ratelimit')).toMatch(/^"probe";r=1;t=(60|5\d)$/);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
      code: 'rate_limited',
      'violated-policies': ['probe'],
    });
  });

  it('trusts exactly the configured number of proxies', async () => {
    const { origin } = await startProbe({ TRUST_PROXY_HOPS: '1' });
    const spoofed = ['9.9.9.9, 1.1.1.1', '8.8.8.8, 1.1.1.1', '7.7.7.7, 1.1.1.1', '1.1.1.1, 2.2.2.2'];
    const statuses = [];
    for (const from of spoofed) statuses.push((await limited(origin, from)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);
  });
});

/**
 * Sends one caller's requests to new processes, each of which alone would answer. The third one refuses, or a later one, if
 * Redis was too slow and a process counted in memory.
 */
async function expectToBeCountedTogether(env: Record<string, string>): Promise<void> {
  const ask = async () => (await limited((await startProbe(env)).origin, '4.4.4.4')).status;
  expect([await ask(), await ask()]).toEqual([200, 200]);
  await eventually(ask, 429);
}

/** Returns a function that consumes one of two points, and rejects when none is left. */
async function consumer(env: Record<string, string>, more: { byProcess?: true } = {}) {
  const config = configFor(await testDatabase(), env);
  const connections = new Database(config, { register: () => undefined } as unknown as Readiness);
  const limits = new RateLimits(config, connections);
  atEnd(() => limits.onApplicationShutdown());
  atEnd(() => connections.onApplicationShutdown());
  const request = { id: 'a', ip: '1.1.1.1' };
  const reply = { request, header: () => reply } as unknown as FastifyReply;
  return () => limits.consume({ name: 'probe', points: 2, seconds: 60, ...more }, '1.1.1.1', reply);
}

describe('limits without Redis', () => {
  it('store only the beginning of an address, and still distinguish neighbouring addresses', async () => {
    const database = await testDatabase();
    const { origin } = await startProbe({ TRUST_PROXY_HOPS: '1' });
    const from = ['203.0.113.77', '203.0.113.78', '2001:db8:1:2:aaaa::1', '2001:db8:1:3::1'];
    for (const address of from) expect((await limited(origin, address)).status).toBe(200);
    const rows = await database.query<{ key: string }>(
      "select key from rate_limits where key ~ '203|2001' order by key",
    );
    expect(rows.map(({ key }) => key)).toEqual([
      expect.stringMatching(/^rate:probe:2001:db8:1:: [\w-]{22}$/),
      expect.stringMatching(/^rate:probe:2001:db8:1:: [\w-]{22}$/),
      expect.stringMatching(/^rate:probe:203\.0\.113\.0 [\w-]{22}$/),
      expect.stringMatching(/^rate:probe:203\.0\.113\.0 [\w-]{22}$/),
    ]);
  });

  it('count in all processes together', async () => {
    await expectToBeCountedTogether({ TRUST_PROXY_HOPS: '1' });
  });

  it('count in each process, without writes, if configured so', async () => {
    const [one, other] = [await consumer({}, { byProcess: true }), await consumer({}, { byProcess: true })];
    for (const consume of [one, one, other, other]) await consume();
    for (const consume of [one, other])
      await expect(consume()).rejects.toMatchObject({ code: 'rate_limited' });
    const database = await testDatabase();
    expect(await database.query("select from rate_limits where key = 'rate:probe:1.1.1.1'")).toEqual([]);
  });

  it('are counted in each process when Postgres is gone', async () => {
    const nowhere = `postgres://rende_app@127.0.0.1:${await privatePort()}/rende`;
    const consume = await consumer({ DATABASE_URL: nowhere });
    await consume();
    await consume();
    await expect(consume()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});

describeWithRedis('limits with Redis', () => {
  it('count in all processes together', async () => {
    const { url } = await redis();
    await expectToBeCountedTogether({ REDIS_URL: url, TRUST_PROXY_HOPS: '1' });
  });

  it('are counted in each process when Redis is gone', async () => {
    const server = await redis();
    const consume = await consumer({ REDIS_URL: server.url });
    await consume();

    await server.kill();
    // The first request may also have been counted in memory, if it came before the connection to Redis.
    await consume();
    await consume().catch(() => undefined);
    await expect(consume()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
