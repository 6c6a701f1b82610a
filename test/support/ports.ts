import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ephemeral ports, so that no outgoing connection takes one of these ports. */
const FIRST_PORT = 20_000;
/** Number of ports for each Jest worker. */
const PER_WORKER = 400;
const WORKERS = 30;

let next = randomInt(PER_WORKER);

/** A free port on loopback, from this Jest worker's own range, so that no other test file gets it. */
export async function privatePort(): Promise<number> {
  const worker = Number(process.env.JEST_WORKER_ID) % WORKERS;
  for (;;) {
    next = (next + 1) % PER_WORKER;
    const port = FIRST_PORT + worker * PER_WORKER + next;
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
}
