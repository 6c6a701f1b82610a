import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { Client } from '../support/client.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { apiRoutes, nameOf, openRoutes as open } from './routes.js';

const REFUSALS = ['accounts.access_denied', 'accounts.second_factor_required'];

const database = await testDatabase();
const app = await sharedApp();
const routes = await apiRoutes(app);
const trainer = await signUp(app);

/** The routes that this caller may call: whose answer is no refusal of the caller. */
async function openTo(client: Client): Promise<string[]> {
  const entered: string[] = [];
  for (const route of routes) {
    const { method } = route;
    const path = route.path.replaceAll(/\{\w+\}/g, randomUUID());
    const { status, body } = await client.request<{ code?: string }>(method, path, {
      body: method === 'GET' || method === 'DELETE' ? undefined : {},
    });
    const isRefused = status === 401 || (status === 403 && REFUSALS.includes(body.code!));
    if (!isRefused) entered.push(nameOf(route));
  }
  return entered.sort();
}

it('every route refuses callers without an auth session, and those whose role in the database is not allowed', async () => {
  expect(routes.length).toBeGreaterThan(50);
  const everything = routes.map(nameOf).sort();
  const forTrainers = everything.filter((route) => !open.aluno.includes(route));

  expect(await openTo(new Client(app.url))).toEqual([...open.anybody].sort());
  expect(await openTo(trainer.api)).toEqual(forTrainers);

  await database.query("update memberships set role = 'aluno', student_id = user_id where user_id = $1", [
    trainer.userId,
  ]);
  expect(await openTo(trainer.api)).toEqual([...open.anybody, ...open.signedIn, ...open.aluno].sort());

  await database.query('delete from memberships where user_id = $1', [trainer.userId]);
  expect(await openTo(trainer.api)).toEqual([...open.anybody, ...open.signedIn].sort());
});

it('the writes of each student are limited separately, so that no student affects others', async () => {
  const { api, userId } = await signUp(app);
  await database.query("update memberships set role = 'aluno', student_id = user_id where user_id = $1", [
    userId,
  ]);
  const writes = routes.filter((route) => route.method !== 'GET' && open.aluno.includes(nameOf(route)));
  const policies: [route: string, policy: string | null][] = [];
  for (const route of writes) {
    const path = route.path.replaceAll(/\{\w+\}/g, randomUUID());
    const { headers } = await api.request(route.method, path, {
      body: route.method === 'DELETE' ? undefined : {},
    });
    policies.push([nameOf(route), headers.get('ratelimit-policy')]);
  }
  expect(policies).toEqual(writes.map((route) => [nameOf(route), '"student-writes";q=30;w=60']));
});
