import type { Readable } from 'node:stream';

/** There is more than was to be read. */
export class TooLarge extends Error {
  constructor() {
    super('the answer is too large');
  }
}

/**
 * All bytes of what somebody else's server sends, up to so many.
 * @throws TooLarge
 */
export async function wholeOf(stream: Readable, mostBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > mostBytes) throw new TooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
