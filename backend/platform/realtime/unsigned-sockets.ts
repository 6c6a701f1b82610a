import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Server } from 'socket.io';
import { addressKey } from '../http/address.js';

/** Connections of an address that have not signed in yet, which takes milliseconds; a carrier's customers share an address. */
const MOST = 100;
/** After which the server closes a connection that has not signed in. */
export const SIGN_IN_MS = 5_000;

/** Limits the connections that have not signed in, by address, because each takes memory and a file of the process. */
export class UnsignedSockets {
  private readonly counts = new Map<string, number>();
  private readonly leaving = new WeakMap<Duplex, () => void>();

  constructor(private readonly trustedHops: number) {}

  attach(io: Server): void {
    io.on('connection', ({ request }) => this.leaving.get(request.socket)?.());
  }

  /** Whether one more connection of the address may be opened; it counts until it has signed in or ended. */
  enter(request: IncomingMessage): boolean {
    const key = addressKey(addressOf(request, this.trustedHops));
    const count = this.counts.get(key) ?? 0;
    if (count >= MOST) return false;
    this.counts.set(key, count + 1);
    const leave = () => {
      if (!this.leaving.delete(request.socket)) return;
      const left = this.counts.get(key)! - 1;
      if (left > 0) this.counts.set(key, left);
      else this.counts.delete(key);
    };
    this.leaving.set(request.socket, leave);
    request.socket.once('close', leave);
    return true;
  }
}

/** As Fastify finds it for other requests, which an upgrade does not pass through. */
function addressOf({ socket, headers }: IncomingMessage, trustedHops: number): string | undefined {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .flatMap((address) => address.trim() || []);
  return [socket.remoteAddress, ...forwarded.reverse()].slice(0, trustedHops + 1).at(-1);
}
