import { randomUUID } from 'node:crypto';
import { addDays, addHours } from 'date-fns';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { connect, testDatabase, type TestDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { type Day, liveADay } from './day.js';
import { type ApiRoute, apiRoutes } from './routes.js';

let database: TestDatabase;
let routes: ApiRoute[];
let own: Trainer;
let stranger: Trainer;
let ownDay: Day;

beforeAll(async () => {
  database = await testDatabase();
  const app = await startApp();
  routes = await apiRoutes(app);
  [own, stranger] = [await signUp(app), await signUp(app)];
  ownDay = await liveADay(own.api);
  await liveADay(stranger.api);
});

const inicio = addHours(addDays(new Date(), 3), 1);
const inAWeek = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };

/** A body that each route takes, by method and path, where it takes one. */
const bodies: Record<string, unknown> = {
  'PATCH /api/v1/students/{id}': { nome: 'Outro nome' },
  'POST /api/v1/students/{id}/credits/adjust': { quantidade: 1, motivo: 'porque sim' },
  'POST /api/v1/students/{id}/credits/consume': { motivo: 'porque sim' },
  'PATCH /api/v1/plans/{id}': { nome: 'Outro nome' },
  'PATCH /api/v1/locations/{id}': { nome: 'Outro nome' },
  'PUT /api/v1/locations/{id}/policy': { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true },
  'PATCH /api/v1/sessions/{id}': inAWeek,
  'POST /api/v1/sessions/{id}/cancel': { motivo: 'personal' },
};

const queries: Record<string, Record<string, string>> = {
  'GET /api/v1/sessions/{id}/cancellation': { motivo: 'personal' },
};

/** Whose id the path means, by the word before it. */
function idIn(path: string, day: Day): string {
  const ids: Record<string, string> = {
    students: day.studentId,
    plans: day.planId,
    locations: day.locationId,
    sessions: day.sessionId,
    transactions: day.transactionId,
  };
  const word = /\/api\/v1\/([a-z-]+)\/\{id\}/.exec(path)?.[1] ?? '';
  const id = ids[word];
  if (!id) throw new Error(`${path}: this test does not know whose id that is`);
  return id;
}

const countEvents = async (): Promise<number> =>
  (await database.query<{ n: number }>('select count(*)::int as n from events'))[0]!.n;

describe("another tenant's ids", () => {
  it('are answered by every route as a random id is, and nothing is written', async () => {
    const withId = routes.filter(({ path }) => path.includes('{id}'));
    expect(withId.length).toBeGreaterThan(25);
    const before = await countEvents();
    for (const { method, path } of withId) {
      const route = `${method} ${path}`;
      const ask = async (id: string) => {
        const answer = await stranger.api.request<Record<string, unknown>>(method, path.replace('{id}', id), {
          body: bodies[route] ?? (method === 'GET' || method === 'DELETE' ? undefined : {}),
          query: queries[route] ?? {},
        });
        const { instance: _instance, ...said } = answer.body;
        return { route, status: answer.status, said };
      };
      const foreign = await ask(idIn(path, ownDay));
      expect(foreign).toEqual(await ask(randomUUID()));
      expect(foreign).toMatchObject({ route, status: 404 });
    }
    expect(await countEvents()).toBe(before);
  });

  it('are refused inside a body as random ones are', async () => {
    const { studentId, planId, locationId } = ownDay;
    const { body: mine } = await stranger.api.post('/students', {
      nome: 'Minha',
      telefone: '(11) 98765-4321',
    });
    const before = await countEvents();
    const attempts: [string, string, (id: string) => unknown, string][] = [
      ['POST', '/sessions', (id) => ({ student_id: id, ...inAWeek }), studentId],
      ['POST', '/sessions', (id) => ({ student_id: mine.id, location_id: id, ...inAWeek }), locationId],
      ['POST', '/students', (id) => ({ nome: 'Bia', telefone: '(11) 98765-4321', plano_id: id }), planId],
      ['PATCH', `/students/${mine.id}`, (id) => ({ plano_id: id }), planId],
    ];
    for (const [method, path, body, foreign] of attempts) {
      const ask = async (id: string) => {
        const { status, body: problem } = await stranger.api.request<{ code: string }>(
          method,
          `/api/v1${path}`,
          {
            body: body(id),
          },
        );
        return { path, status, code: problem.code };
      };
      const answer = await ask(foreign);
      expect(answer).toEqual(await ask(randomUUID()));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(await countEvents()).toBe(before);
  });

  it('have no history, and a foreign Rende-Tenant is refused as a random one is', async () => {
    const historyOf = async (id: string) => {
      const { status, body } = await stranger.api.request<{ code: string }>('GET', '/api/v1/history', {
        query: { subject: `student:${id}` },
      });
      return { status, code: body.code };
    };
    expect(await historyOf(ownDay.studentId)).toEqual(await historyOf(randomUUID()));
    expect(await historyOf(ownDay.studentId)).toMatchObject({ status: 404 });
    const as = async (tenant: string) =>
      (await stranger.api.request('GET', '/api/v1/students', { headers: { 'Rende-Tenant': tenant } })).status;
    expect(await as(own.tenantId)).toBe(await as(randomUUID()));
    expect(await as(own.tenantId)).toBeGreaterThanOrEqual(400);
  });
});

describe("the application's role alone, with no where", () => {
  it('sees nothing of another tenant, and without a tenant nothing at all', async () => {
    const app = await connect(database.environment.DATABASE_URL);
    const tables = await database.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'read', 'auth') order by 1`,
    );
    expect(tables.length).toBeGreaterThan(15);
    let seen = 0;
    for (const { name } of tables) {
      await app.query('begin');
      const without = await app.query(`select from ${name}`);
      await app.query("select set_config('app.tenant', $1, true)", [stranger.tenantId]);
      const { rows } = await app.query<{ tenant_id: string }>(`select distinct tenant_id from ${name}`);
      await app.query('commit');
      expect({ name, without: without.rowCount }).toEqual({ name, without: 0 });
      expect({ name, foreign: rows.filter(({ tenant_id }) => tenant_id !== stranger.tenantId) }).toEqual({
        name,
        foreign: [],
      });
      seen += rows.length;
    }
    expect(seen).toBeGreaterThan(10);
  });

  it('writes nothing for another tenant', async () => {
    const app = await connect(database.environment.DATABASE_URL);
    await app.query('begin');
    await app.query("select set_config('app.tenant', $1, true)", [stranger.tenantId]);
    await expect(
      app.query("insert into person_keys (tenant_id, person_id, wrapped_key) values ($1, $1, '\\x00')", [
        own.tenantId,
      ]),
    ).rejects.toThrow('row-level security');
    await app.query('rollback');
  });

  it('has row security forced on every table with a tenant', async () => {
    const open = await database.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'read', 'auth')
         and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
  });

  it('reaches tenants without one only through the known functions', async () => {
    const functions = await database.query<{ name: string; config: string[] | null }>(
      `select p.oid::regprocedure::text as name, p.proconfig as config from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
       where p.prosecdef and n.nspname in ('public', 'read', 'auth') order by 1`,
    );
    for (const { name, config } of functions) {
      expect({ name, config }).toEqual({ name, config: [expect.stringMatching(/^search_path=/)] });
    }
    expect(functions.map(({ name }) => name)).toMatchSnapshot();
  });
});
