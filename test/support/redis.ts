import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { privatePort } from './ports.js';
import { atEnd } from './cleanup.js';
import { redisImage, redisProgram } from './needs.js';

/** The test file's own Redis, without persistence. */
export interface TestRedis {
  url: string;
  /** Like `kill -9`; resolves after its end. */
  kill(): Promise<void>;
}

/** Starts a container of the image in RENDE_TEST_REDIS_IMAGE, else {@link redisProcess}; ends with the test file. */
export async function redis(): Promise<TestRedis> {
  if (!redisImage) return redisProcess();
  const { GenericContainer, getContainerRuntimeClient } = await import('testcontainers');
  const container = await new GenericContainer(redisImage).withExposedPorts(6379).start();
  atEnd(() => container.stop());
  const kill = async () => {
    const { container: containers } = await getContainerRuntimeClient();
    await containers.getById(container.getId()).kill();
  };
  return { url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`, kill };
}

/** Starts this machine's redis-server, by default on a private port; ends with the test file. */
export async function redisProcess(port?: number): Promise<TestRedis & { process: ChildProcess }> {
  port ??= await privatePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const server = spawn(redisProgram!, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = async () => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, 'exit');
    server.kill('SIGKILL');
    await exit;
  };
  atEnd(kill);
  for await (const text of server.stdout) {
    if (String(text).includes('Ready to accept connections')) break;
  }
  server.stdout.resume();
  return { url: `redis://127.0.0.1:${port}`, process: server, kill };
}
