import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { expect, it } from '@jest/globals';
import fastify, { type InjectOptions } from 'fastify';
import { compress } from './answers.js';

const page = `<p>${'Olá! '.repeat(400)}</p>`;
const data = { items: Array.from({ length: 100 }, (_, n) => ({ nome: `Aluno ${n}` })) };

const server = fastify();
server.addHook('onSend', compress);
server.get('/pagina', (_request, reply) => reply.type('text/html; charset=utf-8').send(page));
server.get('/dados', () => data);
server.get('/curta', () => ({ id: 1 }));
server.get('/auth/v1/conta', () => data);
server.get('/arquivo', (_request, reply) => reply.type('application/json').send(Readable.from(page)));
server.get('/agenda.ics', (_request, reply) => reply.type('text/calendar').send(page));
server.get('/conhecida', (_request, reply) => reply.status(304).send());

const ask = async (url: string, accepts: string, method: InjectOptions['method'] = 'GET') => {
  const { headers, rawPayload } = await server.inject({
    method,
    url,
    headers: { 'accept-encoding': accepts },
  });
  const { vary, 'content-encoding': coding, 'content-length': length } = headers;
  return { coding, vary, length: Number(length), rawPayload };
};

it.each([
  ['a page', '/pagina', page],
  ['data', '/dados', JSON.stringify(data)],
])('%s is compressed for whom takes it, and as it is for others', async (_, url, text) => {
  const { rawPayload, ...zipped } = await ask(url, 'br, GZIP ;q=0.5');
  expect(zipped).toEqual({ coding: 'gzip', vary: 'Accept-Encoding', length: rawPayload.length });
  expect(rawPayload.length).toBeLessThan(text.length / 3);
  expect(gunzipSync(rawPayload).toString()).toBe(text);
  for (const accepts of ['', 'identity', 'br', 'gzip;q=0', 'gzip; q=0.000']) {
    const plain = await ask(url, accepts);
    expect([accepts, plain.coding, plain.vary]).toEqual([accepts, undefined, 'Accept-Encoding']);
    expect(plain.rawPayload.toString()).toBe(text);
    expect(plain.length).toBe(Buffer.byteLength(text));
  }
});

it('HEAD has the headers of GET, and no body', async () => {
  const { rawPayload, ...got } = await ask('/pagina', 'gzip');
  expect(await ask('/pagina', 'gzip', 'HEAD')).toEqual({ ...got, rawPayload: Buffer.from('') });
  expect(got.length).toBe(rawPayload.length);
});

it.each([
  ['a short answer', '/curta'],
  ['what may hold tokens', '/auth/v1/conta'],
  ['a stream', '/arquivo'],
  ['a file', '/agenda.ics'],
])('%s is not compressed', async (_, url) => {
  expect((await ask(url, 'gzip')).coding).toBeUndefined();
});

it('"not modified" names what the answer would vary by', async () => {
  expect((await ask('/conhecida', 'gzip')).vary).toBe('Accept-Encoding');
});
