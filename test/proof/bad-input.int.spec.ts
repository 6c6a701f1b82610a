import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anyAddress } from '../accounts/people.js';
import type { Client } from '../support/client.js';
import { countEvents } from '../support/database.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { type Day, liveADay } from './day.js';
import { type ApiRoute, apiRoutes, nameOf, openRoutes } from './routes.js';

let api: Client;
let routes: ApiRoute[];
let day: Day;

beforeAll(async () => {
  const app = await sharedApp();
  // Without students' routes, which refuse a trainer before they check the input.
  routes = (await apiRoutes(app)).filter((route) => !openRoutes.aluno.includes(nameOf(route)));
  ({ api } = await signUp(app));
  day = await liveADay(api);
});

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
    ['a text', '"texto"'],
    ['null', 'null'],
    ['half a JSON', '{"nome":'],
    ['an unknown field', { campo_que_nao_existe: 1 }],
    ['__proto__', '{"__proto__":{"nome":"x"}}'],
    ['a duplicate key', '{"nome":"Ana","nome":"Bia"}'],
    ['deep nesting', `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`],
    ['a number past 2^53', '{"valor":90071992547409930}'],
  ];

  it.each(hostile)('refuses %s', async (_name, body) => {
    const writes = routes.filter(({ operation }) => operation.requestBody);
    expect(writes.length).toBeGreaterThan(10);
    for (const { method, path } of writes) await refused(method, filled(path), body);
  });

  it('refuses a body over 1 MiB with 413', async () => {
    const { status } = await refused('POST', '/api/v1/students', { nome: 'A'.repeat(1_100_000) });
    expect(status).toBe(413);
  });
});

describe('every route with an id', () => {
  it.each(['x', '1', '00000000-0000-0000-0000-00000000000g', '%00', "' or 1=1 --"])(
    'refuses the id %s without looking it up',
    async (id) => {
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
    },
  );
});

describe('a field', () => {
  const student = { nome: 'Ana', telefone: '(11) 98765-4321' };
  const session = () => ({
    student_id: day.studentId,
    inicio: '2027-03-10T10:00:00.000Z',
    fim: '2027-03-10T11:00:00.000Z',
  });
  const transaction = {
    tipo: 'receita',
    descricao: 'x',
    valor: 100,
    metodo_pagamento: 'pix',
    data: '2026-11-20',
  };

  it.each<[string, string, () => unknown, string]>([
    ['a wrong type', '/students', () => ({ ...student, nome: 5 }), '/nome'],
    ['NUL', '/students', () => ({ ...student, nome: 'An\u0000a' }), '/nome'],
    ['a short name', '/students', () => ({ ...student, nome: 'A' }), '/nome'],
    ['a phone that is none', '/students', () => ({ ...student, telefone: '123' }), '/telefone'],
    ['an array for a scalar', '/students', () => ({ ...student, nome: ['Ana'] }), '/nome'],
    ['an unknown field', '/students', () => ({ ...student, tenant_id: randomUUID() }), '/tenant_id'],
    ['a negative amount', '/transactions', () => ({ ...transaction, valor: -1 }), '/valor'],
    ['no amount', '/transactions', () => ({ ...transaction, valor: 0 }), '/valor'],
    ['half a cent', '/transactions', () => ({ ...transaction, valor: 0.5 }), '/valor'],
    ['a huge amount', '/transactions', () => ({ ...transaction, valor: 1e300 }), '/valor'],
    ['a date that does not exist', '/transactions', () => ({ ...transaction, data: '2026-02-30' }), '/data'],
    [
      'a date with a time',
      '/transactions',
      () => ({ ...transaction, data: '2026-02-20T10:00:00Z' }),
      '/data',
    ],
    ['a kind that does not exist', '/transactions', () => ({ ...transaction, tipo: 'mensalidade' }), '/tipo'],
    [
      'an end before the start',
      '/sessions',
      () => ({ ...session(), fim: '2027-03-10T09:00:00.000Z' }),
      '/fim',
    ],
    ['an end at the start', '/sessions', () => ({ ...session(), fim: session().inicio }), '/fim'],
    [
      'a session of 10 minutes',
      '/sessions',
      () => ({ ...session(), fim: '2027-03-10T10:10:00.000Z' }),
      '/fim',
    ],
    ['a session of 7 hours', '/sessions', () => ({ ...session(), fim: '2027-03-10T17:00:00.000Z' }), '/fim'],
    [
      'an instant without a zone',
      '/sessions',
      () => ({ ...session(), inicio: '2027-03-10T10:00:00' }),
      '/inicio',
    ],
    [
      'an instant that does not exist',
      '/sessions',
      () => ({ ...session(), inicio: '2027-02-30T10:00:00Z' }),
      '/inicio',
    ],
    ['negative credits', '/plans', () => ({ nome: 'Plano', valor: 100, creditos: -1 }), '/creditos'],
    ['a negative price', '/plans', () => ({ nome: 'Plano', valor: -100, creditos: 1 }), '/valor'],
  ])('with %s is refused by its name, in Portuguese', async (_name, path, body, pointer) => {
    const { status, errors } = await refused('POST', `/api/v1${path}`, body());
    expect([400, 422]).toContain(status);
    expect(errors?.map((error) => error.pointer)).toContain(pointer);
    for (const { detail } of errors ?? [])
      expect(detail).not.toMatch(/\b(invalid|expected|required|must|received)\b/i);
  });

  it.each<[string, Record<string, string>]>([
    ['/students', { limit: '0' }],
    ['/students', { limit: '101' }],
    ['/students', { limit: 'x' }],
    ['/students', { cursor: 'forged' }],
    ['/students', { outro: '1' }],
    ['/sessions', { from: 'ontem' }],
    ['/transactions', { month: '2026-13' }],
    ['/history', { subject: 'x' }],
    [`/students/${randomUUID()}/credits`, { at: 'agora' }],
  ])('of a query of %s is refused: %j', async (path, query) => {
    await refused('GET', `/api/v1${path}`, undefined, query);
  });

  it('repeated in a query is refused', async () => {
    const answer = await api.request('GET', '/api/v1/students?q=a&q=b');
    expect(answer.status).toBe(400);
  });

  it('of a month that does not exist is refused', async () => {
    await refused('GET', '/api/v1/finance/months/2026-13', undefined);
    await refused('GET', '/api/v1/finance/years/20x6', undefined);
  });
});

describe('a write', () => {
  it.each<[string, Record<string, string>]>([
    ['without an Idempotency-Key', {}],
    ['with one over 255 characters', { 'Idempotency-Key': 'a'.repeat(256) }],
    ['with one that is not printable', { 'Idempotency-Key': 'chave\u00e9' }],
  ])('%s is refused', async (_name, headers) => {
    const before = await countEvents();
    const body = { nome: 'Plano', valor: 100, creditos: 1 };
    const answer = await api.request('POST', '/api/v1/plans', { body, idempotencyKey: null, headers });
    expect(answer.status).toBe(400);
    expect(await countEvents()).toBe(before);
  });

  it('of another content type is refused with 415', async () => {
    const answer = await api.request('POST', '/api/v1/plans', {
      body: 'nome=Plano',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    expect(answer.status).toBe(415);
  });
});
