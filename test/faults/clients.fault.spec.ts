import { beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { rounds } from '../support/rounds.js';
import { connect, type TestDatabase } from '../support/database.js';
import { flood, rawClient, trickle } from './harness/raw-client.js';
import { openStage, type Stage } from './harness/stage.js';

/** Number of connections of one process for commands: see Database. */
const POOL = 12;
const SLOW = 150;
/** Shorter than the time that the server waits for a request's headers or body. */
const PATIENCE_MS = 55_000;

let stage: Stage;

/** A database whose Postgres ends a statement that waits after a minute instead of eight seconds. */
const patient = (database: TestDatabase): TestDatabase => {
  const address = new URL(database.environment.DATABASE_URL);
  for (const limit of ['statement_timeout', 'query_timeout']) address.searchParams.set(limit, '60000');
  return { ...database, environment: { ...database.environment, DATABASE_URL: address.href } };
};

beforeAll(async () => {
  stage = await openStage({ apis: 1, workers: 1, trainers: POOL + 2 });
  stage.apis.unshift(await stage.start('api', { database: patient(stage.database) }));
});

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
    const [attempt, read, elsewhere] = await Promise.all([
      stage.history.attempt(refused, busy),
      api.request('GET', '/api/v1/students'),
      stage.history.attempt(newStudent(POOL + 1), other),
    ]);
    // A command gives up waiting for a connection after five seconds. Those that have one wait here for as long as that takes.
    await holder.query('rollback');
    expect(attempt).toMatchObject({ status: 503, body: { code: 'busy' } });
    expect(read.status).toBe(200);
    expect(elsewhere).toMatchObject({ status: 201 });
    expect(await stage.history.attempt(refused, other)).toMatchObject({ status: 201 });
    expect((await answers).map(({ status }) => status)).toEqual(held.map(() => 201));
    await stage.check();
  });
});

describe('clients that take their time', () => {
  it('are served without delaying other clients', async () => {
    const [url] = stage.urls() as [string];
    const { accessToken } = stage.trainers[0]!;
    const head = `POST /api/v1/students HTTP/1.1\r\nHost: rende\r\nAuthorization: Bearer ${accessToken}\r\nContent-Type: application/json\r\n`;
    const since = performance.now();
    const clients = await Promise.all(Array.from({ length: SLOW }, () => rawClient(url)));
    let closedEarly = 0;
    for (const { socket } of clients)
      socket.once('close', () => (closedEarly += performance.now() - since < PATIENCE_MS ? 1 : 0));
    const slow = clients.map((client, index) => {
      if (index % 3 === 0) return Promise.resolve();
      if (index % 3 === 1) return trickle(client, head, 200);
      client.socket.write(`${head}Content-Length: 60000\r\n\r\n`);
      return trickle(client, ' '.repeat(1000), 200);
    });
    await stage.underLoad(async (load) => {
      await load.acknowledged(rounds(80, 200));
    });
    expect(closedEarly).toBe(0);
    for (const { socket } of clients) socket.destroy();
    await Promise.all(slow);
    const late = stage.history.commands.flatMap(({ attempts }) =>
      attempts.filter(({ status }) => status === undefined),
    );
    expect(late).toEqual([]);
  });
});

describe('a body without end', () => {
  it('is refused with 413, which its sender receives, and is read no further', async () => {
    const [url] = stage.urls() as [string];
    const identity = `Authorization: Bearer ${stage.trainers[0]!.accessToken}\r\n`;
    const heads = [
      ['/api/v1/students', `${identity}Transfer-Encoding: chunked`],
      ['/auth/v1/token?grant_type=password', 'Transfer-Encoding: chunked'],
      ['/api/v1/students', `${identity}Content-Length: 6000000000`],
    ];
    const chunk = Buffer.from(`10000\r\n${' '.repeat(0x10000)}\r\n`);
    await stage.underLoad(async (load) => {
      const clients = await Promise.all([...heads, ...heads].map(() => rawClient(url)));
      const sent = await Promise.all(
        clients.map((client, index) => {
          const [path, head] = heads[index % heads.length]!;
          client.socket.write(
            `POST ${path} HTTP/1.1\r\nHost: rende\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\n${head}\r\n\r\n`,
          );
          return flood(client, chunk);
        }),
      );
      for (const client of clients) expect(client.received()).toMatch(/^HTTP\/1\.1 413 /);
      // More than the limit, because the operating system's buffers between client and server are filled too.
      for (const bytes of sent) expect(bytes).toBeLessThan(64 * 1024 * 1024);
      await load.acknowledged(20);
    });
  });

  it('that ends after 4 MB is answered, even if the client reads only after sending all of it', async () => {
    const { socket, received } = await rawClient(stage.urls()[0]!);
    socket.pause();
    socket.write(
      'POST /auth/v1/signup HTTP/1.1\r\nHost: rende\r\nContent-Type: application/json\r\nContent-Length: 4000000\r\n\r\n',
    );
    await new Promise((resolve) => socket.write(' '.repeat(4_000_000), resolve));
    socket.resume();
    await eventually(() => Promise.resolve(received().slice(0, 13)), 'HTTP/1.1 413 ');
  });

  it('and headers without end are both refused', async () => {
    const client = await rawClient(stage.urls()[0]!);
    client.socket.write('GET /api/v1/students HTTP/1.1\r\nHost: rende\r\n');
    await flood(client, Buffer.from(`X-More: ${'x'.repeat(1000)}\r\n`));
    expect(client.received()).toMatch(/^HTTP\/1\.1 431 /);
  });
});
