import { expect, it } from '@jest/globals';
import { type Delta, readAnswer } from './answer.js';

const encoder = new TextEncoder();

/** An answer that arrives in pieces of any size. */
function answer(text: string, size = 7, init: ResponseInit = {}): Response {
  const bytes = encoder.encode(text);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += size) controller.enqueue(bytes.slice(at, at + size));
      controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream; charset=utf-8' }, ...init });
}

async function read(response: Response): Promise<{ deltas: Delta[]; failure: string | null }> {
  const deltas: Delta[] = [];
  const failure = await readAnswer(response, (delta) => deltas.push(delta)).then(
    () => null,
    (error: Error) => error.message,
  );
  return { deltas, failure };
}

const line = (delta: Delta) => `data: ${JSON.stringify({ choices: [{ delta }] })}\n\n`;

it.each([1, 2, 7, 1000])('reads every piece, with any size of chunks (%i)', async (size) => {
  const deltas = [{ content: 'Você ' }, { content: 'R$ 10,00', fonte: '/financeiro' }];
  expect(await read(answer(`${deltas.map(line).join('')}data: [DONE]\n\n`, size))).toEqual({
    deltas,
    failure: null,
  });
});

it('throws for an interrupted answer, and for one in another format', async () => {
  const cut = 'A resposta foi interrompida. Tente de novo.';
  expect(await read(answer(line({ content: 'Você ' })))).toEqual({
    deltas: [{ content: 'Você ' }],
    failure: cut,
  });
  expect((await read(answer('data: <html>\n\n'))).failure).toBe(cut);
  const broken = new ReadableStream({
    start: (controller) => controller.error(new TypeError('network error')),
  });
  const torn = new Response(broken, { headers: { 'Content-Type': 'text/event-stream' } });
  expect((await read(torn)).failure).toBe(cut);
  const page = answer('<html></html>', 7, { headers: { 'Content-Type': 'text/html' } });
  expect((await read(page)).failure).toBe(cut);
});

it('shows the error of a refusal, of the stream, or else the status', async () => {
  const refused = Response.json({ error: 'Muitas tentativas' }, { status: 429 });
  expect((await read(refused)).failure).toBe('Muitas tentativas');
  const page = new Response('<html>', { status: 502, statusText: 'Bad Gateway' });
  expect((await read(page)).failure).toBe('Erro 502: Bad Gateway');
  expect((await read(answer('data: {"error":"Demorou demais"}\n\n'))).failure).toBe('Demorou demais');
});
