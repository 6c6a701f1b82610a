import { Clock } from '../../backend/platform/clock.js';

/** A clock that shows the time that the test sets. */
export class SetClock extends Clock {
  constructor(public at: Date) {
    super();
  }

  override now(): Date {
    return this.at;
  }
}
