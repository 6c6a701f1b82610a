import { describeError } from './logger.js';
import inspector from 'node:inspector';
import { Worker } from 'node:worker_threads';

interface Application {
  /** Shuts down as after this signal: running requests are answered first. */
  close(signal: string): Promise<void>;
}

interface Options {
  log: (line: object) => void;
  /** Time limit of the shutdown in ms, after which the process exits regardless. */
  boundMs: number;
}

/**
 * Ends the process after an uncaught error, because its state is unknown. The application is shut down in order, as after a
 * signal, within a time limit; the exit code is 1, so that the supervisor restarts the process.
 */
export function endOnUncaught(app: Application, { log, boundMs }: Options): void {
  let isEnding = false;
  const end = (origin: string, error: unknown): void => {
    log({ msg: 'uncaught error, the process ends', origin, err: describeError(error) });
    if (isEnding) return;
    isEnding = true;
    // Also after a signal, which would otherwise exit with 0.
    process.on('exit', () => (process.exitCode = 1));
    setTimeout(() => process.exit(1), boundMs);
    app
      .close(origin)
      .catch((failure: unknown) => log({ msg: 'not closed in order', err: describeError(failure) }))
      .finally(() => process.exit(1));
  };
  process.on('uncaughtException', (error, origin) => end(origin, error));
}

/** Interval of the heartbeat that the event loop sends. */
const BEAT_MS = 500;
const LINE = { level: 60, msg: 'event loop stuck, the process is killed' };

/**
 * Runs in a worker thread, which continues while the event loop is blocked. It counts its own waits without a heartbeat
 * instead of comparing times, so that a process that was suspended as a whole is not killed when it resumes.
 */
const WATCH = `
const { writeSync } = require('node:fs');
const { beats, waits, line } = require('node:worker_threads').workerData;
let seen = 0;
for (let missed = 0; missed < waits; ) {
  Atomics.wait(beats, 0, seen, 1000);
  const now = Atomics.load(beats, 0);
  missed = now === seen ? missed + 1 : 0;
  seen = now;
}
try {
  writeSync(1, JSON.stringify({ ...line, time: Date.now() }) + '\\n');
} finally {
  process.kill(process.pid, 'SIGKILL');
}`;

/**
 * Kills this process if its event loop has been blocked for so many seconds: it can neither answer nor shut down in
 * order, and the supervisor restarts it. Does nothing while a debugger is attached.
 * Returns what to call for events that come by the thousand: Node handles all that wait in one turn of the loop, before any
 * timer, so that a burst would look like a blocked loop.
 */
export function watchEventLoop(seconds: number): () => void {
  const beats = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const beat = () => void Atomics.add(beats, 0, 1);
  if (inspector.url()) return beat;
  const thread = new Worker(WATCH, {
    eval: true,
    workerData: { beats, waits: seconds, line: LINE },
    // The thread needs none of the options with which the process was started.
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 2 },
  });
  thread.unref();
  setInterval(beat, BEAT_MS).unref();
  return beat;
}
