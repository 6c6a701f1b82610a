import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** How long a client that is answered before its whole request arrived has to read the answer, in ms. */
const LINGER_MS = 5_000;
/** Most bytes that are read and discarded during that time. */
const LINGER_BYTES = 8 * 1024 * 1024;

/**
 * If a connection is closed while bytes arrive, it is reset, and the client may not receive the answer. So after a
 * request was refused before it was read completely, only the sending side is closed until the client closes its own
 * (like nginx' `lingering_close`).
 */
export function lingerWhereRefusedEarly(instance: FastifyInstance): void {
  instance.addHook('onSend', (request, _reply, payload, done) => {
    const { complete, socket } = request.raw;
    if (!complete) socket.destroySoon = () => linger(socket);
    done(null, payload);
  });
}

function linger(socket: Socket): void {
  socket.end();
  let bytes = 0;
  // Node's parser of requests would resume a paused socket.
  socket.removeAllListeners('data');
  socket.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > LINGER_BYTES) socket.pause();
  });
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
