import type { Readable } from 'node:stream';

/** The body is longer than the limit. */
export class TooLarge extends Error {
  constructor() {
    super('the answer is too large');
  }
}

/**
 * The parts of a body from another server, up to a limit of bytes.
 * @throws TooLarge
 */
export async function* upTo(mostBytes: number, stream: Readable): AsyncGenerator<Buffer> {
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new TooLarge();
    yield chunk;
  }
}

/**
 * The whole body.
 * @throws TooLarge
 */
export async function wholeOf(stream: Readable, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of upTo(mostBytes, stream)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
