import { clocksAt } from './free-times.js';

/** The calendar date that contains an instant in the zone. */
export const dateOf = (at: Date | string | number, timezone: string): string =>
  new Date(clocksAt(new Date(at).getTime(), timezone)).toISOString().slice(0, 10);
