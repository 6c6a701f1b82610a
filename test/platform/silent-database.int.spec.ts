import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { type TestDatabase, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';

/** The database behind a proxy that can be held: it then accepts data, but passes nothing on. */
async function holdable(database: TestDatabase) {
  const ends = new Set<Socket>();
  let isHeld = false;
  const { hostname, port } = new URL(database.environment.DATABASE_URL);
  const server = createServer((client) => {
    const behind = connect(Number(port), hostname);
    for (const [from, to] of [
      [client, behind],
      [behind, client],
    ] as const) {
      ends.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy()).on('close', () => ends.delete(from) && to.destroy());
      if (isHeld) from.unpipe();
    }
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  atEnd(() => {
    server.close();
    for (const end of ends) end.destroy();
  });
  const at = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const environment = Object.fromEntries(
    Object.entries(database.environment).map(([name, address]) => [
      name,
      // A query timeout of two seconds instead of ten.
      Object.assign(new URL(address), { host: at, search: 'query_timeout=2000' }).href,
    ]),
  ) as TestDatabase['environment'];
  return {
    database: { ...database, environment },
    hold() {
      isHeld = true;
      for (const end of ends) end.unpipe().pause();
    },
    /** Statements that were sent meanwhile are lost with their connection. */
    letGo() {
      isHeld = false;
      for (const end of ends) end.destroy();
    },
  };
}

it('requests are answered with 503 within seconds while the database is silent, and succeed afterwards', async () => {
  const line = await holdable(await testDatabase());
  const app = await startApp({ database: line.database, roles: 'api' });
  const { api, email } = await signUp(app);
  const student = { nome: 'Bia Lima', telefone: '11943214321' };
  const asked: [string, string, object?][] = [
    ['GET', '/api/v1/students'],
    ['POST', '/api/v1/students', student],
    ['POST', '/auth/v1/token?grant_type=password', { email, password: 'errada' }],
  ];
  await api.get('/students');
  line.hold();
  const started = performance.now();
  const [read, write, signIn] = await Promise.all(
    asked.map(([method, path, body]) => api.request(method, path, { body })),
  );
  for (const { status, headers } of [read!, write!]) {
    expect(status).toBe(503);
    expect(Number(headers.get('Retry-After'))).toBeGreaterThan(0);
  }
  // Sign-in has its own time limit, with its own status.
  expect([503, 504]).toContain(signIn!.status);
  expect(performance.now() - started).toBeLessThan(25_000);
  line.letGo();
  await eventually(
    async () => (await api.request('POST', '/api/v1/students', { body: student })).status,
    201,
  );
  await eventually(async () => (await api.request('GET', '/api/v1/students')).status, 200);
});
