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

/** The date in São Paulo, which is yesterday's in the first three hours of a UTC day. */
export const dayOf = (moment = new Date()): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/Sao_Paulo' }).format(moment);
