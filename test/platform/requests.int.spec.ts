import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { text as readText } from 'node:stream/consumers';
import { describe, expect, it } from '@jest/globals';
import { startProbe } from './probe-app.js';

const tenant = randomUUID();
const probe = { nome: 'Sonda', valor: 100, de: '2026-11-20', ate: '2026-11-21' };

const { origin } = await startProbe();

interface Answer {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

async function call(path: string, init: RequestInit = {}, signedIn = true): Promise<Answer> {
  const headers = new Headers(init.headers);
  if (signedIn) headers.set('x-probe-tenant', tenant);
  const answer = await fetch(origin + path, { ...init, headers });
  const text = await answer.text();
  return { status: answer.status, headers: answer.headers, body: JSON.parse(text || '{}') as Answer['body'] };
}

function post(body: string | object, headers: Record<string, string> = {}, signedIn = true): Promise<Answer> {
  return call(
    '/api/v1/probes',
    {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID(), ...headers },
    },
    signedIn,
  );
}

const pointers = ({ body }: Answer) => (body.errors as { pointer: string }[]).map(({ pointer }) => pointer);

/** Sends raw bytes, and returns the server's answer. */
async function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(origin);
  const socket = connect(Number(port), hostname);
  socket.end(bytes);
  return readText(socket);
}

describe('a problem', () => {
  it('follows RFC 9457, with our code, the title of that code and the id of the request', async () => {
    const answer = await call('/api/v1/probes/failures/own');
    expect(answer.status).toBe(409);
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
    expect(answer.body).toEqual({
      type: 'http://localhost:0/problems/probe.refused',
      title: 'A sonda recusou',
      status: 409,
      code: 'probe.refused',
      detail: 'Porque não.',
      instance: `urn:request:${answer.headers.get('x-request-id')}`,
      errors: [{ pointer: '/nome', detail: 'Este não' }],
    });
  });

  it.each(['code', 'mistake', 'answer'])('contains no details of an internal error: %s', async (how) => {
    const answer = await call(`/api/v1/probes/failures/${how}`);
    expect(answer.status).toBe(500);
    expect(Object.keys(answer.body).sort()).toEqual(['code', 'instance', 'status', 'title', 'type']);
    expect(answer.body).toMatchObject({ code: 'internal', title: 'Ocorreu um erro inesperado.' });
  });

  it('contains no messages and codes of the database', async () => {
    const answer = await call('/api/v1/probes/failures/postgres');
    // The request's id is random, and may contain these digits.
    const { instance: _, ...said } = answer.body as { instance: string };
    expect(said).toMatchObject({ status: 409, code: 'already_exists', title: 'Este valor já existe' });
    expect(JSON.stringify(said)).not.toMatch(/23505|cpf|111/);
  });

  it('has Retry-After when the database is not available', async () => {
    const answer = await call('/api/v1/probes/failures/pool');
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('1');
  });

  it.each([
    ['GET', '/api/v1/nothing', 404],
    ['GET', '/api/nothing', 404],
    ['GET', '/auth/v1/nothing', 404],
    ['POST', '/api/v1/nothing', 404],
    ['POST', '/nothing', 404],
    ['DELETE', '/api/v1/probes', 404],
    ['GET', `/api/v1/probes/${'a'.repeat(200)}`, 404],
    ['GET', '/api/v1/probes/%zz', 400],
  ])('is the answer to an unknown route: %s %s', async (method, path, status) => {
    const answer = await call(path, { method });
    expect(answer).toMatchObject({ status, body: { status } });
    expect(answer.headers.get('content-type')).toMatch('application/problem+json');
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('is the answer to bytes that are not HTTP', async () => {
    const answer = await raw('GET / HTTP/1.1\r\nHost: a\r\nBroken header\r\n\r\n');
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(answer).toMatch(/application\/problem\+json/);
  });
});

describe('a client that does not finish its request', () => {
  it.concurrent.each([
    ['its headers', 'POST /api/v1/probes HTTP/1.1\r\nHost: a\r\nX-Slow: '],
    [
      'its body',
      'POST /api/v1/probes HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{',
    ],
  ])('with %s is told so within a minute, and its connection is closed', async (_what, bytes) => {
    const { app, origin: slow } = await startProbe();
    const server = app.getHttpServer();
    expect(server).toMatchObject({ headersTimeout: 60_000, requestTimeout: 60_000 });
    // A shorter limit than the minute; Node checks it every five seconds.
    Object.assign(server, { headersTimeout: 200, requestTimeout: 200 });
    const { hostname, port } = new URL(slow);
    const socket = connect(Number(port), hostname);
    socket.write(bytes);
    expect(await readText(socket)).toMatch(/^HTTP\/1\.1 408 [^]*application\/problem\+json/);
  });
});

describe('input', () => {
  it('is checked only for callers who are signed in', async () => {
    expect((await post('{"broken', {}, false)).status).toBe(401);
    expect((await call('/api/v1/probes/not-an-id', {}, false)).status).toBe(401);
  });

  it('reaches the handler as its schema has parsed it', async () => {
    const answer = await post({ ...probe, nome: '  Sonda ' });
    expect(answer.status).toBe(201);
    expect(answer.body.body).toEqual(probe);
    const id = randomUUID();
    const read = await call(`/api/v1/probes/${id.toUpperCase()}?limit=3&q=%20x%20`);
    expect(read.body).toEqual({ params: { id }, query: { limit: 3, q: 'x' } });
  });

  it.each([
    ['a missing field', { ...probe, nome: undefined }, '/nome'],
    ['an unknown field', { ...probe, admin: true }, '/admin'],
    ['a duplicate key', '{"nome":"Sonda","nome":"Sonda"}', '/nome'],
    ['an array for an object', '[]', ''],
    ['no body', '', ''],
  ])('with %s is refused, naming it', async (_what, body, pointer) => {
    const answer = await post(body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation' } });
    expect(pointers(answer)).toEqual([pointer]);
  });

  it('that breaks a rule between fields is 422', async () => {
    const answer = await post({ ...probe, ate: '2026-11-01' });
    expect(answer).toMatchObject({ status: 422, body: { code: 'broken_rule' } });
    expect(pointers(answer)).toEqual(['/ate']);
  });

  it.each([
    ['/api/v1/probes/not-an-id', '/id'],
    [`/api/v1/probes/${tenant}?limit=1&limit=2`, '/limit'],
    [`/api/v1/probes/${tenant}?q=a%00b`, '/q'],
    [`/api/v1/probes/${tenant}?x=1`, '/x'],
    ['/api/v1/probes/context?x=1', '/x'],
  ])('in the address is refused, naming it: %s', async (path, pointer) => {
    const answer = await call(path);
    expect(answer).toMatchObject({ status: 400, body: { code: 'validation' } });
    expect(pointers(answer)).toEqual([pointer]);
  });

  it('with hundreds of mistakes is refused with the first ones', async () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`campo${index}`, 1]));
    expect(pointers(await post({ ...probe, ...fields }))).toHaveLength(20);
  });

  const filled = (size: number) => `{"x":"${'x'.repeat(size - 8)}"}`;

  it('of 64 kB is read, and more is 413', async () => {
    expect((await post(filled(64 * 1024))).status).toBe(400);
    expect(await post(filled(64 * 1024 + 1))).toMatchObject({ status: 413, body: { code: 'too_large' } });
  });

  it('may be larger on a route that says so', async () => {
    const send = (size: number) =>
      call('/api/v1/probes/large', {
        method: 'POST',
        body: filled(size),
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': randomUUID() },
      });
    expect((await send(128 * 1024)).status).toBe(204);
    expect((await send(128 * 1024 + 1)).status).toBe(413);
  });

  it.each([
    'application/x-www-form-urlencoded',
    'text/plain',
    'multipart/form-data; boundary=x',
    'application/octet-stream',
    'application/jsonp',
    '',
  ])('without the content type JSON is 415, since a page of another site may send it: %j', async (type) => {
    const answer = await post(probe, { 'Content-Type': type });
    expect(answer).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
  });

  it('must be empty on a route that takes none', async () => {
    const init = { method: 'POST', headers: { 'Idempotency-Key': 'a', 'Content-Type': 'application/json' } };
    const path = `/api/v1/probes/${tenant}/touch`;
    expect((await call(path, init)).status).toBe(204);
    expect((await call(path, { ...init, body: '{}' })).status).toBe(204);
    expect((await call(path, { ...init, body: '{"x":1}' })).status).toBe(400);
  });
});

describe('a write', () => {
  it.each([
    [undefined, 'idempotency.key_missing'],
    ['', 'validation'],
    ['with blank', 'validation'],
    ['ação', 'validation'],
    ['k'.repeat(256), 'validation'],
  ])('needs an Idempotency-Key: %s', async (key, code) => {
    const { 'Idempotency-Key': _, ...rest } = { 'Idempotency-Key': '', 'Content-Type': 'application/json' };
    const headers =
      key === undefined ? rest : { ...rest, 'Idempotency-Key': Buffer.from(key).toString('latin1') };
    const answer = await call('/api/v1/probes', { method: 'POST', body: JSON.stringify(probe), headers });
    expect(answer).toMatchObject({ status: 400, body: { code } });
  });

  it('is the same write with the same content, however it is written', async () => {
    const { nome, ...others } = probe;
    const headers = { 'Idempotency-Key': 'k'.repeat(255) };
    const [first, second, other] = await Promise.all([
      post(probe, headers),
      post(JSON.stringify({ ...others, nome: ` ${nome}` }, null, 2), headers),
      post({ ...probe, valor: 101 }, headers),
    ]);
    expect(first.body.idempotency).toEqual({
      key: 'k'.repeat(255),
      scope: 'POST /api/v1/probes',
      bodyHash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(second.body.idempotency).toEqual(first.body.idempotency);
    expect(other.body.idempotency).not.toEqual(first.body.idempotency);
  });

  it('is recognised however its address is encoded', async () => {
    const body = JSON.stringify(probe);
    const headers = { 'Content-Type': 'application/json' };
    expect(await call('/api/%76%31/probes', { method: 'POST', body, headers })).toMatchObject({
      status: 400,
      body: { code: 'idempotency.key_missing' },
    });
    const encoded = await call('/api/%761/%70robes', {
      method: 'POST',
      body,
      headers: { ...headers, 'Idempotency-Key': 'a' },
    });
    expect(encoded.body.idempotency).toMatchObject({ scope: 'POST /api/v1/probes' });
  });

  it('answers with its position', async () => {
    expect((await post(probe)).headers.get('rende-position')).toBe('7');
  });
});

describe('a read', () => {
  it('knows its caller and has no key', async () => {
    const { body, headers } = await call('/api/v1/probes/context');
    expect(body).toEqual({
      tenantId: tenant,
      userId: tenant,
      role: 'personal',
      studentId: null,
      timezone: 'America/Sao_Paulo',
      device: tenant,
      requestId: headers.get('x-request-id'),
      idempotency: null,
    });
  });

  it('may be a HEAD request', async () => {
    expect((await call('/api/v1/probes/context', { method: 'HEAD' })).status).toBe(200);
    expect((await call('/api/v1/probes/context', { method: 'HEAD' }, false)).status).toBe(401);
  });

  it('is marked as stale if it could not wait for its caller’s last write', async () => {
    const late = await call('/api/v1/probes/context', { headers: { 'Rende-After': '1' } });
    expect(late).toMatchObject({ status: 200 });
    expect(late.headers.get('rende-stale')).toBe('true');
    const current = await call('/api/v1/probes/context', { headers: { 'Rende-After': '0' } });
    expect(current.headers.get('rende-stale')).toBeNull();
    const broken = await call('/api/v1/probes/context', { headers: { 'Rende-After': '-1' } });
    expect(pointers(broken)).toEqual(['/Rende-After']);
  });
});

describe('the id of a request', () => {
  it.each([
    ['client-made_1.2', true],
    ['short', false],
    ['with blank and more', false],
    ['x'.repeat(65), false],
  ])("is the caller's if that is harmless: %s", async (given, isKept) => {
    const answer = await call('/health/live', { headers: { 'X-Request-Id': given } });
    if (isKept) expect(answer.headers.get('x-request-id')).toBe(given);
    else expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});
