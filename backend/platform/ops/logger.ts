import { writeSync } from 'node:fs';
import type { LoggerService } from '@nestjs/common';
import { destination, pino, type Logger as Pino } from 'pino';
import { LogBackoff } from './log-backoff.js';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Who in Nest tells of every module and route at each start. */
const WIRING = new Set<unknown>(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Lines leave together: so many bytes of them, or what there is after so long; and all of them when the process ends. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 100;

/**
 * Nest's logger as structured lines on standard output. Give it an object to log fields: `logger.warn({ msg, tenantId })`.
 * Lines hold ids, codes and durations; never bodies, names, addresses, documents or tokens.
 */
export class JsonLogger implements LoggerService {
  readonly pino: Pino;
  private readonly backoff = new LogBackoff();

  constructor(level: string) {
    this.pino = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, standardOutput());
  }

  log(message: unknown, ...rest: unknown[]): void {
    this.write(WIRING.has(rest.at(-1)) ? 'debug' : 'info', message, rest);
  }
  warn(message: unknown, ...rest: unknown[]): void {
    this.write('warn', message, rest);
  }
  error(message: unknown, ...rest: unknown[]): void {
    this.write('error', message, rest);
  }
  fatal(message: unknown, ...rest: unknown[]): void {
    this.write('fatal', message, rest);
  }
  debug(message: unknown, ...rest: unknown[]): void {
    this.write('debug', message, rest);
  }
  verbose(message: unknown, ...rest: unknown[]): void {
    this.write('trace', message, rest);
  }

  /** Nest hands over a message, for errors perhaps a stack, and at the end the name of who speaks. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.writeLine(level, { context, err: describeError(message) });
    else if (typeof message === 'object') this.writeLine(level, { context, ...message });
    else this.pino[level]({ context }, `${message as string}`);
  }

  /** The same outage makes many lines: some of them are left out. */
  private writeLine(level: Level, line: object): void {
    const leftOut = this.backoff.leftOutBefore(line);
    if (leftOut === undefined) return;
    this.pino[level](leftOut > 0 ? { ...line, leftOut } : line);
  }
}

/** What cannot be written (the log's disk is full) waits, up to a mebibyte, and is dropped beyond: the process goes on. */
function standardOutput() {
  const stream = destination({
    ...{ dest: 1, sync: false, minLength: BUFFER_BYTES, periodicFlush: FLUSH_MS },
    maxLength: 1024 * 1024,
  });
  /** Bytes that were logged and not written. */
  let waiting = 0;
  const write = stream.write.bind(stream);
  stream.write = (line) => {
    waiting += Buffer.byteLength(line);
    return write(line);
  };
  stream.on('write', (bytes: number) => (waiting -= bytes));
  stream.on('drop', (line: string) => (waiting -= Buffer.byteLength(line)));
  stream.on('error', () => undefined);
  const flush = stream.flushSync.bind(stream);
  // Called as the process ends, when pino would try for ever.
  stream.flushSync = () => {
    if (waiting === 0) return;
    try {
      writeSync(1, ' ');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
    flush();
  };
  return stream;
}

/** What may be written about an error. The words of the database quote values, so only its codes and names remain. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, constraint, table, routine, severity } = error as Error & Record<string, unknown>;
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  const message = severity === undefined ? error.message : undefined;
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  return { name: error.name, message, code, constraint, table, routine, stack: frames?.join('\n'), cause };
}
