import { Injectable, Logger } from '@nestjs/common';
import { describeError } from './logger.js';
import { Metrics } from './metrics.js';

/** Kind of code that runs without a caller. */
export type TrapPlace = 'socket' | 'adapter' | 'job' | 'timer' | 'metrics port' | 'access log';

/**
 * Catches what listeners, timers and unawaited promises throw, which would otherwise reach the process and end it.
 * Each error is counted in `rende_trapped_errors_total` and logged.
 */
@Injectable()
export class ErrorTrap {
  private readonly logger = new Logger(ErrorTrap.name);

  constructor(private readonly metrics: Metrics) {}

  /** Runs `work`; an error that it throws or rejects with is counted and logged. */
  run(place: TrapPlace, work: () => unknown): void {
    try {
      const result = work();
      if (result instanceof Promise) result.catch((error: unknown) => this.trapped(place, error));
    } catch (error) {
      this.trapped(place, error);
    }
  }

  /** The listener, with its errors trapped. */
  listener<Args extends unknown[]>(
    place: TrapPlace,
    listener: (...args: Args) => unknown,
  ): (...args: Args) => void {
    return (...args) => this.run(place, () => listener(...args));
  }

  trapped(place: TrapPlace, error: unknown): void {
    this.metrics.trappedErrors.inc({ place });
    this.logger.error({ msg: 'error trapped', place, err: describeError(error) });
  }

  /** Counts a failure that will be retried without further action, and logs it as `msg`. */
  failed(place: TrapPlace, msg: string, error: unknown): void {
    this.metrics.trappedErrors.inc({ place });
    this.logger.warn({ msg, err: describeError(error) });
  }
}
