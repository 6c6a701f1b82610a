import { Clock } from '../../backend/platform/clock.js';

/** A clock that stands where the test puts it. */
export class SetClock extends Clock {
  constructor(public at: Date) {
    super();
  }

  override now(): Date {
    return this.at;
  }
}
