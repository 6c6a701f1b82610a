import { expect } from '@jest/globals';
import type { Act, AnswerChunk } from '../../backend/modules/advisor/advisor.api.js';
import type { Client } from '../support/client.js';

export interface Told {
  /** The text of the whole answer. */
  text: string;
  /** Each figure with the page that counts it. */
  figures: { text: string; fonte: string }[];
  ato: Act | undefined;
  exemplos: string[];
  error: string | undefined;
  /** The number of pieces of the stream. */
  pieces: number;
}

/** Parses a stream, which must end correctly. */
export function told(stream: string): Told {
  const lines = stream.split('\n\n').filter((line) => line !== '');
  expect(lines.at(-1)).toBe('data: [DONE]');
  const chunks = lines.slice(0, -1).map((line) => JSON.parse(line.replace(/^data: /, '')) as AnswerChunk);
  const deltas = chunks.flatMap(({ choices = [] }) => choices.map(({ delta }) => delta));
  return {
    text: deltas.map(({ content = '' }) => content).join(''),
    figures: deltas.flatMap(({ content, fonte }) => (content && fonte ? [{ text: content, fonte }] : [])),
    ato: deltas.find(({ ato }) => ato)?.ato,
    exemplos: deltas.flatMap(({ exemplos = [] }) => exemplos),
    error: chunks.find(({ error }) => error)?.error,
    pieces: deltas.length,
  };
}

export const user = (content: string) => ({ role: 'user', content });

/** Asks like a client of the specification: without an idempotency key, and with the context that such clients send. */
export async function ask(api: Client, ...questions: string[]): Promise<Told> {
  const { body } = await api.post<string>(
    '/financial-advisor',
    { messages: questions.map(user), financialContext: { recebido: 999 } },
    { idempotencyKey: null },
  );
  return told(body);
}
