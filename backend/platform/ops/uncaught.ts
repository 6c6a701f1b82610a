import { describeError } from './logger.js';

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
