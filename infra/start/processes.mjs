import { execFile, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ExpectedError } from './expected-error.mjs';

/**
 * Start time (an opaque text) and command line of a process, to distinguish it from a later one with the same id.
 * null if there is no such process.
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

/** Seconds of processor that a process has used and those of its children that have ended; on Linux. */
function secondsOf(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Hundredths: own and children's, of user and system each.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  return times.reduce((sum, time) => sum + Number(time), 0) / 100;
}

/** Seconds of processor that this process has used and, on Linux, the processes that it started and that have ended. */
export function processorSeconds() {
  if (process.platform === 'linux') return secondsOf('self');
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** What is read of a process, or this if the process has ended meanwhile, or this is not Linux. */
function unlessGone(read, otherwise) {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

/**
 * Seconds of processor that the processes below this one have used that still run, such as a browser's; on Linux, else 0.
 * @returns {number}
 */
export function secondsBelow(pid = 'self') {
  return unlessGone(() => readdirSync(`/proc/${pid}/task`), [])
    .flatMap(
      (thread) =>
        unlessGone(() => readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8'), '').match(/\d+/g) ??
        [],
    )
    .reduce((sum, child) => sum + unlessGone(() => secondsOf(child), 0) + secondsBelow(child), 0);
}

/** Waits until a process that is not a child of this one has ended. Returns whether it ended in time. */
export async function waitUntilGone(pid, seconds) {
  for (const end = Date.now() + seconds * 1000; Date.now() < end; await delay(50)) {
    if (!(await processInfo(pid))) return true;
  }
  return false;
}

/**
 * Runs a program that writes to the terminal; rejects with its exit code in the message. `stop` ends it early; `onOutput`
 * gets its output if `stdio` is 'pipe'; `priority` is the operating system's, for the program and its children.
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

/** Runs npm: the one that started this process, or else the one in PATH. */
export function npm(args, options) {
  const cli = process.env.npm_execpath;
  return cli?.endsWith('npm-cli.js')
    ? runProgram(process.execPath, [cli, ...args], options)
    : runProgram('npm', args, options);
}

/** Whether a server could now listen on this TCP port of all addresses. */
export function portIsFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, () => server.close(() => resolve(true)));
  });
}

/** Below the ephemeral ports, so that no outgoing connection takes a port between its choice and its use. */
const PORTS = [10_000, 20_000];

/**
 * A TCP port that is free now.
 * @returns {Promise<number>}
 */
export async function freePort() {
  for (;;) {
    const port = randomInt(...PORTS);
    if (await portIsFree(port)) return port;
  }
}

/** Refuses a Node version that is too old, before it causes errors that are hard to understand. */
export function checkNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major < 20 || (major === 20 && minor < 19)) {
    throw new ExpectedError(`precisa do Node 20.19 ou mais novo; este é o ${process.versions.node}.`);
  }
}
