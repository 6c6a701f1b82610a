import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that the system hands out by itself: a connection of somebody else never takes one of ours. */
const FIRST_PORT = 20_000;
/** So many ports are those of one worker of the run; as many follow for the next one. */
const PER_WORKER = 400;
const WORKERS = 30;

let next = randomInt(PER_WORKER);

/** A free port on loopback, from a range of this test worker's own: no other test file is told the same. */
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
