import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { connect } from '../support/database.js';
import { flood, rawClient, trickle } from './harness/raw-client.js';
import { openStage, type Stage } from './harness/stage.js';

/** Connections of one process for commands: see Database. */
const POOL = 12;
const SLOW = 150;

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ workers: 1, trainers: POOL + 2 });
}, 60_000);

const newStudent = (index: number) =>
  stage.history.command(stage.trainers[index]!, 'POST', '/students', {
    nome: 'Bia',
    telefone: '(11) 98765-4321',
  });

describe('a pool whose every connection waits for a lock', () => {
  it('has the commands of others refused within seconds while their reads go on, and answers all once it is free', async () => {
    const [busy, other] = stage.urls() as [string, string];
    const held = stage.trainers.slice(0, POOL).map(({ tenantId }) => tenantId);
    const holder = await connect(stage.database.environment.DATABASE_OWNER_URL);
    await holder.query('begin');
    await holder.query('select from tenant_log where tenant_id = any($1::uuid[]) for update', [held]);

    const waiting = held.map((_tenant, index) => newStudent(index));
    const answers = Promise.all(waiting.map((command) => stage.history.attempt(command, busy)));
    const isFull = async () => {
      const locks = await stage.database.query(
        `select from pg_stat_activity where wait_event_type = 'Lock' and application_name = 'rende-app'`,
      );
      return locks.length;
    };
    await eventually(isFull, POOL);

    const refused = newStudent(POOL);
    const { api } = stage.trainers[POOL]!;
    const [attempt, read] = await Promise.all([
      stage.history.attempt(refused, busy),
      api.request('GET', '/api/v1/students'),
    ]);
    expect(attempt).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(attempt.milliseconds).toBeLessThan(9_000);
    expect(read.status).toBe(200);
    expect(await stage.history.attempt(refused, other)).toMatchObject({ status: 201 });
    expect(await stage.history.attempt(newStudent(POOL + 1), other)).toMatchObject({ status: 201 });

    await holder.query('rollback');
    expect((await answers).map(({ status }) => status)).toEqual(held.map(() => 201));
    await stage.check();
  });
});

describe('clients that take their time', () => {
  it('are waited for beside everybody else, whom they cost nothing', async () => {
    const [url] = stage.urls() as [string];
    const { accessToken } = stage.trainers[0]!;
    const head = `POST /api/v1/students HTTP/1.1\r\nHost: rende\r\nAuthorization: Bearer ${accessToken}\r\nContent-Type: application/json\r\n`;
    const clients = await Promise.all(Array.from({ length: SLOW }, () => rawClient(url)));
    const slow = clients.map((client, index) => {
      if (index % 3 === 0) return Promise.resolve();
      if (index % 3 === 1) return trickle(client, head, 200);
      client.socket.write(`${head}Content-Length: 1000000\r\n\r\n`);
      return trickle(client, ' '.repeat(1000), 200);
    });
    await stage.underLoad(async (load) => {
      await load.acknowledged(200);
    });
    expect(clients.filter(({ isClosed }) => isClosed())).toHaveLength(0);
    for (const { socket } of clients) socket.destroy();
    await Promise.all(slow);
    const late = stage.history.commands.flatMap(({ attempts }) =>
      attempts.filter(({ milliseconds, status }) => status === undefined || milliseconds > 9_000),
    );
    expect(late).toEqual([]);
  });
});

describe('a body without end', () => {
  it.each([
    ['in chunks, from a trainer', '/api/v1/students', true, 'Transfer-Encoding: chunked'],
    ['in chunks, from a stranger', '/auth/v1/token?grant_type=password', false, 'Transfer-Encoding: chunked'],
    ['that was announced', '/api/v1/students', true, 'Content-Length: 100000000000'],
  ])('%s is refused with 413, and read no further', async (_how, path, known, length) => {
    const [url] = stage.urls() as [string];
    const identity = known ? `Authorization: Bearer ${stage.trainers[0]!.accessToken}\r\n` : '';
    const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`);
    await stage.underLoad(async (load) => {
      const clients = await Promise.all(Array.from({ length: 4 }, () => rawClient(url)));
      const sent = await Promise.all(
        clients.map((client) => {
          client.socket.write(
            `POST ${path} HTTP/1.1\r\nHost: rende\r\n${identity}Idempotency-Key: k\r\nContent-Type: application/json\r\n${length}\r\n\r\n`,
          );
          return flood(client, chunk);
        }),
      );
      // Who still sends when the connection ends may lose the answer with it.
      for (const client of clients) expect(client.received()).toMatch(/^(HTTP\/1\.1 413 |$)/);
      // What lies in the buffers of the system between both comes on top of the limit.
      for (const bytes of sent) expect(bytes).toBeLessThan(64 * 1024 * 1024);
      await load.acknowledged(20);
    });
  });

  it('made of headers is refused too', async () => {
    const client = await rawClient(stage.urls()[0]!);
    client.socket.write('GET /api/v1/students HTTP/1.1\r\nHost: rende\r\n');
    await flood(client, Buffer.from(`X-More: ${'x'.repeat(1000)}\r\n`));
    expect(client.received()).toMatch(/^HTTP\/1\.1 431 /);
  });
});
