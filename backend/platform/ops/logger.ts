import { writeSync } from 'node:fs';
import { inspect } from 'node:util';
import type { LoggerService } from '@nestjs/common';
import { destination, pino, type Logger as Pino } from 'pino';
import { personalNames } from '../event-store/personal-names.api.js';

type Level = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** Loggers of Nest that list every module and route at each start. */
const WIRING = new Set<unknown>(['InstanceLoader', 'RoutesResolver', 'RouterExplorer']);

/** Lines are written in batches: after so many bytes or so many milliseconds, and at exit. */
const BUFFER_BYTES = 4_096;
const FLUSH_MS = 100;

/**
 * Nest's logger as structured lines on standard output, and as readable ones on a terminal. Give it an object to log
 * fields: `logger.warn({ msg, tenantId })`. Lines contain ids, codes and durations; never bodies, names, addresses, documents or tokens.
 */
export class JsonLogger implements LoggerService {
  readonly pino: Pino;
  private readonly backoff = new LogBackoff();

  constructor(level: string) {
    this.pino = pino(
      {
        level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { log: withoutPersons },
      },
      process.stdout.isTTY ? terminal() : standardOutput(),
    );
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

  /** Nest passes a message, for errors optionally a stack, and last the name of the logger. */
  private write(level: Level, message: unknown, rest: unknown[]): void {
    const context = rest.at(-1);
    if (message instanceof Error) this.writeLine(level, { context, err: describeError(message) });
    else if (typeof message === 'object') this.writeLine(level, { context, ...message });
    else this.pino[level]({ context }, `${message as string}`);
  }

  /** Drops repeated lines about the same outage. */
  private writeLine(level: Level, line: object): void {
    const leftOut = this.backoff.leftOutBefore(line);
    if (leftOut === undefined) return;
    this.pino[level](leftOut > 0 ? { ...line, leftOut } : line);
  }
}

/**
 * Iterates over the fields of the line, because looking up every personal name in every line took a seventh of the time
 * of a read.
 */
export function withoutPersons(line: object): Record<string, unknown> {
  const fields = allowed(line);
  for (const [name, value] of Object.entries(fields)) if (isObject(value)) fields[name] = allowed(value);
  return fields;
}

const allowed = (fields: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !personalNames.has(name)));

/** Whether it is a plain object: one without its own serialisation, unlike a date or an error. */
const isObject = (value: unknown): value is object =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Error) &&
  !('toJSON' in value);

function terminal() {
  // The terminal may be closed before the process ends.
  process.stdout.on('error', () => undefined);
  return { write: (line: string) => process.stdout.write(readable(line)) };
}

/** A line for people: `14:05:09 WARN Mailer: not sent { code: 'ECONNREFUSED' }`. */
export function readable(line: string): string {
  const { level, time, context, msg = '', ...fields } = JSON.parse(line) as Record<string, unknown>;
  const name = pino.levels.labels[level as number]!.toUpperCase();
  const more = Object.keys(fields).length > 0 ? ` ${inspect(fields, { depth: 4, breakLength: 120 })}` : '';
  const at = new Date(time as string).toLocaleTimeString('pt-BR');
  return `${at} ${name} ${context === undefined ? '' : `${context as string}: `}${msg as string}${more}\n`;
}

/** Buffers up to 1 MiB while the log cannot be written (disk full), then drops lines; the process continues. */
function standardOutput() {
  const stream = destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
    maxLength: 1024 * 1024,
  });
  /** Bytes that are logged but not yet written. */
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
  // Called at exit, where pino would retry forever.
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

/** The part of an error that may be logged. Database messages quote values, so only codes and names are kept. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const { code, constraint, table, routine, severity } = error as Error & Record<string, unknown>;
  const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
  const message = severity === undefined ? error.message : undefined;
  const cause = error.cause === undefined ? undefined : describeError(error.cause);
  return { name: error.name, message, code, constraint, table, routine, stack: frames?.join('\n'), cause };
}

/** Error codes of an outage (database, disk, network), during which every attempt fails. */
const OUTAGE = /^(08|53|57P)|^E[A-Z_]+$/;
const FIRST_WAIT_MS = 1000;
const LONGEST_WAIT_MS = 600_000;

interface Known {
  until: number;
  waitMs: number;
  leftOut: number;
}

/**
 * Decides which lines about an outage are written: the first of each kind, then one after growing intervals of up to ten
 * minutes, with the number of lines left out. A kind that did not occur for twice its interval starts over.
 */
export class LogBackoff {
  private readonly known = new Map<string, Known>();

  constructor(private readonly now: () => number = Date.now) {}

  /** Returns the number of similar lines left out before this one, or undefined if this one is left out too. */
  leftOutBefore(line: { msg?: unknown; check?: unknown; err?: Record<string, unknown> }): number | undefined {
    const code = codeOf(line.err);
    if (code === undefined || !OUTAGE.test(code)) return 0;
    const kind = `${String(line.msg)} ${String(line.check)} ${code}`;
    const known = this.known.get(kind);
    const now = this.now();
    if (known && now < known.until) {
      known.leftOut += 1;
      return undefined;
    }
    const isNew = !known || now > known.until + 2 * known.waitMs;
    const waitMs = isNew ? FIRST_WAIT_MS : Math.min(known.waitMs * 2, LONGEST_WAIT_MS);
    this.known.set(kind, { until: now + waitMs, waitMs, leftOut: 0 });
    return known?.leftOut ?? 0;
  }
}

function codeOf(error: Record<string, unknown> | undefined): string | undefined {
  if (typeof error?.code === 'string' && OUTAGE.test(error.code)) return error.code;
  const cause = error?.cause as Record<string, unknown> | undefined;
  return cause ? codeOf(cause) : undefined;
}
