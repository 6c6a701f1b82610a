import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { createPostgresBackend, createRedisBackend, type Queue, withBackend } from 'bullmq';
import { Redis } from 'ioredis';
import { atEnd } from '../support/cleanup.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { describeWithRedis } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { redis } from '../support/redis.js';

/**
 * Sends invalid messages and jobs by Redis, or by the database's channels and queues. The processes must keep running, and
 * must still project later events.
 */
const database = await testDatabase();

const tenantId = randomUUID();
const MEGABYTE = 'x'.repeat(1_000_000);

/** Invalid arguments of the message `hints`. */
const notHints: unknown[] = [
  null,
  5,
  MEGABYTE,
  {},
  [null],
  [{}],
  [{ tenantId: 'x', position: 1, hints: [] }],
  [{ tenantId, position: 'x', hints: [] }],
  [{ tenantId, position: -1, hints: [] }],
  [{ tenantId, position: 1, hints: null }],
  [{ tenantId, position: 1, hints: [null] }],
  [{ tenantId, position: 1, hints: [{ topic: {}, position: 1 }] }],
  [{ tenantId, position: 1, hints: [], students: [{ studentId: 5, hints: 'x' }] }],
];

const payloads: unknown[] = [
  null,
  5,
  'x',
  [],
  {},
  { tenants: null },
  { tenants: 'x' },
  { tenants: ['x'] },
  { tenants: [{}] },
  { tenants: [MEGABYTE] },
  { mailId: 'x' },
  { mailId: { toString: 1 } },
  { kind: 'x', id: tenantId },
  { kind: 'export', id: 'x' },
  { kind: 'export', id: tenantId },
  { kind: 'deletion', id: tenantId },
];
/** A kind of job of each queue that gets invalid ones. */
const KINDS = { projections: 'projections', mail: 'mail', files: 'accounts' };

const trapped = async ({ opsUrl }: TestProcess) => {
  const metrics = await (await fetch(`${opsUrl}/metrics`)).text();
  return Number(/^rende_trapped_errors_total\{place="adapter"\} (\d+)$/m.exec(metrics)?.[1] ?? 0);
};

/** Expects that a command's result is read at once, and not as stale. */
async function expectProjected({ api }: Trainer): Promise<void> {
  const nome = `Aluna ${randomUUID()}`;
  expect((await api.post('/students', { nome, telefone: '11943214321' })).status).toBe(201);
  await eventually(async () => {
    const { body } = await api.get<{ items: { nome: string }[] }>('/students');
    return body.items.some((student) => student.nome === nome);
  }, true);
}

async function leaveJobs(queue: (name: string) => Queue, trainer: Trainer): Promise<void> {
  for (const [name, kind] of Object.entries(KINDS)) {
    const open = queue(name);
    for (const data of payloads)
      for (const job of [kind, 'of no such name'])
        await open.add(job, data, { jobId: randomUUID(), removeOnComplete: true });
    if (kind === 'accounts')
      await open.add(
        kind,
        { kind: 'deletion', id: trainer.userId },
        { jobId: randomUUID(), removeOnComplete: true },
      );
    await eventually(async () => {
      const { waiting, active, delayed } = await open.getJobCounts('waiting', 'active', 'delayed');
      return waiting! + active! + delayed!;
    }, 0);
    await open.close();
  }
}

describe('on Postgres', () => {
  it('invalid messages and jobs stop no process, and a job deletes no account without a request', async () => {
    const server = await startProcess();
    const trainer = await signUp(server);
    const say = (message: string) => database.query('select pg_notify($1, $2)', ['socket.io#/', message]);
    for (const text of ['', 'no json', '{', '[]', 'null', '5']) await say(text);
    for (let type = 0; type <= 12; type += 1)
      for (const data of [null, 5, {}, { packet: null }, { packet: ['hints'] }, { opts: 5, rooms: 5 }])
        await say(JSON.stringify({ uid: 'other', nsp: '/', type, data }));
    for (const hints of notHints.filter((each) => each !== MEGABYTE))
      await say(JSON.stringify({ uid: 'other', nsp: '/', type: 9, data: { packet: ['hints', hints] } }));
    await eventually(async () => (await trapped(server)) >= notHints.length - 1, true);

    const backend = withBackend(createPostgresBackend);
    await leaveJobs(
      (name) =>
        new backend.Queue(name, {
          connection: { connectionString: database.environment.DATABASE_URL, schema: 'bullmq', max: 1 },
        }) as unknown as Queue,
      trainer,
    );

    await expectProjected(trainer);
    expect(await server.end('SIGTERM')).toBe(0);
  });
});

describeWithRedis('on Redis', () => {
  it('invalid messages and jobs stop no process, and a job deletes no account without a request', async () => {
    const { url } = await redis();
    const server = await startProcess({ redisUrl: url });
    const trainer = await signUp(server);
    const other = new Redis(url);
    for (const channel of [
      'socket.io#/#',
      'socket.io#/#room#',
      'socket.io-request#/#',
      'socket.io-response#/#',
    ])
      for (const text of ['', 'no msgpack', '{', 'null', '5', '[]', MEGABYTE])
        await other.publish(channel, text);
    for (let type = 0; type <= 10; type += 1)
      for (const rest of [{}, { data: null }, { opts: 5, rooms: 5 }, { requestId: {}, sid: {} }])
        await other.publish('socket.io-request#/#', JSON.stringify({ uid: 'other', type, ...rest }));
    for (const hints of notHints)
      await other.publish(
        'socket.io-request#/#',
        JSON.stringify({ uid: 'other', type: 6, data: ['hints', hints] }),
      );
    await eventually(async () => (await trapped(server)) >= notHints.length, true);

    const backend = withBackend(createRedisBackend);
    await leaveJobs((name) => {
      // A queue does not close a connection that it was given.
      const connection = new Redis(url, { maxRetriesPerRequest: null });
      atEnd(() => connection.disconnect());
      return new backend.Queue(name, { connection });
    }, trainer);
    for (const name of Object.keys(KINDS)) {
      await other.hset(`bull:${name}:broken`, { data: 'no json', opts: 'nor this', name });
      await other.lpush(`bull:${name}:wait`, 'broken', 'that is nowhere');
    }

    await expectProjected(trainer);
    await other.quit();
    expect(await server.end('SIGTERM')).toBe(0);
  });
});
