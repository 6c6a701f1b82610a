import { TZDate } from '@date-fns/tz';
import { expect, it } from '@jest/globals';
import { Zones } from './calendar-zones.ics.js';

const HOUR = 3_600_000;

it.each([
  ['America/New_York', '2026-03-08'],
  ['America/New_York', '2026-11-01'],
  // The clocks changed at midnight.
  ['America/Sao_Paulo', '2018-11-04'],
  ['America/Sao_Paulo', '2018-02-18'],
  ['Australia/Lord_Howe', '2026-04-05'],
])('every hour in %s around %s, when the clocks change, is the instant that it is there', (tzid, day) => {
  const zones = new Zones('UTC');
  const first = Date.parse(`${day}T00:00:00Z`) - 48 * HOUR;
  const hours = Array.from({ length: 120 }, (_, n) => new Date(first + n * HOUR));
  expect(hours.map((time) => zones.instantOf({ local: time.getTime(), isDate: false, tzid }))).toEqual(
    hours.map((time) =>
      new TZDate(
        ...([time.getUTCFullYear(), time.getUTCMonth(), time.getUTCDate(), time.getUTCHours()] as const),
        tzid,
      ).getTime(),
    ),
  );
});
