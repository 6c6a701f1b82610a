import type { AnswerChunk } from './advisor.api.js';
import type { Part } from './saying.js';

const line = (chunk: AnswerChunk): string => `data: ${JSON.stringify(chunk)}\n\n`;

/** An answer in OpenAI's stream format: word by word, whole figures with their source, then `[DONE]`. */
export function* linesOf(part: Part): Generator<string> {
  const { content, fonte, ato, exemplos } = part;
  const words = fonte ? [content] : (content.match(/\s*\S+\s*/g) ?? (content === '' ? [] : [content]));
  for (const word of words) yield line({ choices: [{ delta: { content: word, ...(fonte && { fonte }) } }] });
  if (ato) yield line({ choices: [{ delta: { ato } }] });
  if (exemplos) yield line({ choices: [{ delta: { exemplos } }] });
}

export const END = 'data: [DONE]\n\n';
