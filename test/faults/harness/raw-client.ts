import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { atEnd } from '../../support/cleanup.js';

/** A connection that sends arbitrary bytes, even after the server has closed its half. */
export interface RawClient {
  socket: Socket;
  /** Everything that was received so far. */
  received: () => string;
  isClosed: () => boolean;
}

export async function rawClient(url: string): Promise<RawClient> {
  const { port, hostname } = new URL(url);
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true });
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  atEnd(() => socket.destroy());
  return { socket, received: () => received, isClosed: () => socket.closed };
}

/** Writes one character after the other until the connection is closed. */
export async function trickle({ socket, isClosed }: RawClient, text: string, everyMs: number): Promise<void> {
  for (const character of text) {
    if (isClosed()) return;
    socket.write(character);
    await delay(everyMs);
  }
}

/** Sends a chunk repeatedly, as fast as possible, until the connection is closed. Returns the number of bytes. */
export async function flood({ socket, isClosed }: RawClient, chunk: Buffer): Promise<number> {
  while (!isClosed()) {
    if (socket.write(chunk)) await delay(0);
    else await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
  }
  return socket.bytesWritten;
}
