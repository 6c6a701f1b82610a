import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** So many ports from `RENDE_TEST_PORTS` on are those of one worker of the run, as many follow for the next one. */
const PER_WORKER = 400;
const WORKERS = 6;

let next = randomInt(PER_WORKER);

/** A free port on loopback, from a range of this test worker's own: no other test file is told the same. */
export async function privatePort(): Promise<number> {
  const worker = Number(process.env.VITEST_POOL_ID) % WORKERS;
  for (;;) {
    next = (next + 1) % PER_WORKER;
    const port = Number(process.env.RENDE_TEST_PORTS) + worker * PER_WORKER + next;
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
