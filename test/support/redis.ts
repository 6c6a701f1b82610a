import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { privatePort } from './ports.js';
import { atEnd } from './cleanup.js';
import { redisProgram } from './needs.js';

/** A Redis of the test file's own, without persistence. */
export interface TestRedis {
  url: string;
  process: ChildProcess;
}

/** Starts Debian's redis-server, on a private port unless given; it ends with the test file. */
export async function redis(port?: number): Promise<TestRedis> {
  port ??= await privatePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn(redisProgram!, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  atEnd(async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  });
  for await (const text of server.stdout) {
    if (String(text).includes('Ready to accept connections')) break;
  }
  server.stdout.resume();
  return { url: `redis://127.0.0.1:${port}`, process: server };
}
