import type { AnswerChunk } from '../../../../backend/modules/advisor/advisor.api.js';

export type Delta = NonNullable<AnswerChunk['choices']>[number]['delta'];

/** There is no answer; the message is for the user. */
export class NoAnswer extends Error {}

const CUT = 'A resposta foi interrompida. Tente de novo.';
const PREFIX = 'data:';
const END = '[DONE]';

/**
 * Reads a streamed answer.
 * @throws NoAnswer for an error of the server, or an interrupted answer
 */
export async function readAnswer(response: Response, take: (delta: Delta) => void): Promise<void> {
  if (!response.ok) throw new NoAnswer(await refusalOf(response));
  const isStream = response.headers.get('Content-Type')?.startsWith('text/event-stream');
  if (!isStream || !response.body) throw new NoAnswer(CUT);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new NoAnswer(CUT);
    });
    if (done) throw new NoAnswer(CUT);
    const lines = (rest + value).split('\n');
    rest = lines.pop()!;
    for (const line of lines.filter((each) => each.startsWith(PREFIX))) {
      const data = line.slice(PREFIX.length).trim();
      if (data === END) {
        void reader.cancel().catch(() => undefined);
        return;
      }
      for (const delta of deltasOf(data)) take(delta);
    }
  }
}

function deltasOf(data: string): Delta[] {
  let chunk: AnswerChunk;
  try {
    chunk = JSON.parse(data) as AnswerChunk;
  } catch {
    throw new NoAnswer(CUT);
  }
  if (chunk.error) throw new NoAnswer(chunk.error);
  return (chunk.choices ?? []).map(({ delta }) => delta);
}

/** The answer's field `error`, as in the specification, or else the status. */
async function refusalOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: unknown } | null;
  return typeof body?.error === 'string' ? body.error : `Erro ${response.status}: ${response.statusText}`;
}
