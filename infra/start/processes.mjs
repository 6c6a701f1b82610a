import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Halt } from './halt.mjs';

/**
 * What tells one process from a later one with the same id: when it started (an opaque text) and its command line.
 * null when there is no such process.
 */
export async function processInfo(pid) {
  if (!Number.isSafeInteger(pid) || pid <= 0) return null;
  try {
    if (process.platform === 'linux') {
      const [stat, command] = await Promise.all([
        readFile(`/proc/${pid}/stat`, 'utf8'),
        readFile(`/proc/${pid}/cmdline`, 'utf8'),
      ]);
      // The name in parentheses may hold spaces; after it come the state (3rd field) and, as the 22nd, the start.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return fields[0] === 'Z' ? null : { startedAt: fields[19], command: command.replaceAll('\0', ' ') };
    }
    const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=,command=', '-p', String(pid)]);
    return { startedAt: stdout.slice(0, 24), command: stdout.slice(25).trim() };
  } catch {
    return null;
  }
}

/** Waits until a process that is not our child is gone. Answers whether it went within the time. */
export async function waitUntilGone(pid, seconds) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(50)) {
    if (!(await processInfo(pid))) return true;
  }
  return false;
}

/**
 * Runs a program with the terminal's output; rejects with its exit code in the message. `stop` ends it early;
 * `onOutput` gets what it writes where `stdio` says 'pipe'; `priority` is the system's, for it and what it starts.
 */
export function runProgram(command, args, { stop, onOutput, priority, ...options }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
    if (priority && child.pid) setPriority(child.pid, priority);
    const end = () => child.kill('SIGTERM');
    stop?.addEventListener('abort', end);
    child.stdout?.on('data', onOutput);
    child.stderr?.on('data', onOutput);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      stop?.removeEventListener('abort', end);
      if (code === 0) resolve();
      else reject(new Error(`${command} ${args.join(' ')}: ${signal ?? `código ${code}`}`));
    });
  });
}

/** npm as this very run was started with, or the one in the path. */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js')
    ? runProgram(process.execPath, [cli, ...args], options)
    : runProgram('npm', args, options);
}

/** Whether a server could listen on this TCP port now, on every address. */
export function portIsFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** Below the ports that systems hand out for connections: none of these takes one between its choice and its use. */
const PORTS = [10_000, 20_000];

/**
 * A TCP port that nobody uses now.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(...PORTS);
    if (await portIsFree(port)) return port;
  }
}

/** Refuses a Node that is too old, before anything else fails in a way nobody understands. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new Halt(`precisa do Node 20.19 ou mais novo; este é o ${process.versions.node}.`);
  }
}
