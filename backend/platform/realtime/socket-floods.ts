import type { Duplex } from 'node:stream';
import type { Server } from 'socket.io';

/** Limits of a screen's traffic, which normally is a token on connect and one byte per ping. */
const MAX_PACKETS = 20;
const MAX_BYTES = 16 * 1024;
const WINDOW_MS = 10_000;

/** The parts of an engine.io connection that are used here. */
interface Connection {
  request: { socket: Duplex };
  on(event: 'packet', listener: () => void): void;
  close(): void;
}

/**
 * Closes a connection that sends more than a screen does. All received bytes are parsed in one turn of the event loop
 * and each packet is answered, so without a limit one connection could block the process.
 */
export function endFloods(io: Server): void {
  io.engine.on('connection', (connection: Connection) => {
    const { socket } = connection.request;
    const end = () => {
      // Drop packets that were parsed already.
      connection.close();
      socket.destroy();
    };
    const packets = allowance(MAX_PACKETS, end);
    const bytes = allowance(MAX_BYTES, end);
    connection.on('packet', () => packets(1));
    // Count frames before the parser sees them: control frames and fragments are not packets.
    for (const read of socket.listeners('data') as ((chunk: Buffer) => void)[]) {
      socket.off('data', read);
      socket.on('data', (chunk: Buffer) => bytes(chunk.length) && read.call(socket, chunk));
    }
  });
}

/** Takes an amount from the window's allowance; calls `exceeded` and returns false if nothing is left. */
function allowance(most: number, exceeded: () => void): (amount: number) => boolean {
  let taken = 0;
  let since = performance.now();
  return (amount) => {
    const now = performance.now();
    if (now - since > WINDOW_MS) [taken, since] = [0, now];
    taken += amount;
    if (taken <= most) return true;
    exceeded();
    return false;
  };
}
