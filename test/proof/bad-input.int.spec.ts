import { describe, expect, it } from '@jest/globals';
import { anyAddress } from '../accounts/people.js';
import { countEvents } from '../support/database.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { liveADay } from './day.js';
import { apiRoutes, nameOf, openRoutes } from './routes.js';

const app = await sharedApp();
// Without students' routes, which refuse a trainer before they check the input.
const routes = (await apiRoutes(app)).filter((route) => !openRoutes.aluno.includes(nameOf(route)));
const { api } = await signUp(app);
const day = await liveADay(api);

interface ProblemBody {
  code: string;
  title: string;
  errors?: { pointer: string; detail: string }[];
}

/** Sends the request, and expects a clear refusal without events. */
async function refused(
  method: string,
  path: string,
  body: unknown,
  query: Record<string, string> = {},
): Promise<ProblemBody & { status: number }> {
  const before = await countEvents();
  // Another address for each request, because public routes allow few requests per address.
  const headers = { 'X-Forwarded-For': anyAddress() };
  const answer = await api.request<ProblemBody>(method, path, { body, query, headers });
  const sent = typeof body === 'string' ? body.slice(0, 60) : body;
  expect({
    method,
    path,
    sent,
    status: [400, 413, 415, 422].includes(answer.status) ? 'refused' : answer.status,
  }).toEqual({ method, path, sent, status: 'refused' });
  expect(answer.headers.get('Content-Type')).toContain('application/problem+json');
  expect(await countEvents()).toBe(before);
  return { ...answer.body, status: answer.status };
}

const filled = (path: string): string => path.replace('{id}', day.studentId);

describe('every route that takes a body', () => {
  const hostile: [string, unknown][] = [
    ['an array', []],
    ['half a JSON', '{"nome":'],
    ['an unknown field', { campo_que_nao_existe: 1 }],
  ];

  it.each(hostile)('refuses %s', async (_name, body) => {
    const writes = routes.filter(({ operation }) => operation.requestBody);
    expect(writes.length).toBeGreaterThan(10);
    for (const { method, path } of writes) await refused(method, filled(path), body);
  });
});

describe('every route with an id', () => {
  it.each(['x', '%00'])('refuses the id %s without looking it up', async (id) => {
    for (const { method, path } of routes.filter((route) => route.path.includes('{id}'))) {
      const answer = await api.request(method, path.replace('{id}', encodeURIComponent(id)), {
        body: method === 'GET' || method === 'DELETE' ? undefined : {},
      });
      expect({ method, path, clear: [400, 404].includes(answer.status) }).toEqual({
        method,
        path,
        clear: true,
      });
    }
  });
});
