import { expect, it } from '@jest/globals';
import { dayOf, daysAt, weekOf } from './days.js';

const zone = 'America/Sao_Paulo';
const span = (from: string, to: string) => ({ from: new Date(from), to: new Date(to) });

it('a day goes from midnight to midnight of the zone', () => {
  const thursday = span('2026-11-26T03:00:00Z', '2026-11-27T03:00:00Z');
  expect(dayOf(new Date('2026-11-26T03:00:00Z'), zone)).toEqual(thursday);
  expect(dayOf(new Date('2026-11-27T02:59:59.999Z'), zone)).toEqual(thursday);
  expect(dayOf(new Date('2026-11-26T12:00:00Z'), 'America/Manaus')).toEqual(
    span('2026-11-26T04:00:00Z', '2026-11-27T04:00:00Z'),
  );
});

it('a week goes from Sunday to Sunday of the zone', () => {
  const week = span('2026-11-22T03:00:00Z', '2026-11-29T03:00:00Z');
  expect(weekOf(new Date('2026-11-22T03:00:00Z'), zone)).toEqual(week);
  expect(weekOf(new Date('2026-11-29T02:59:59.999Z'), zone)).toEqual(week);
});

it('a day whose first hour is skipped by the clock change begins at 1:00', () => {
  expect(dayOf(new Date('2018-11-04T12:00:00Z'), zone)).toEqual(
    span('2018-11-04T03:00:00Z', '2018-11-05T02:00:00Z'),
  );
  expect(weekOf(new Date('2018-11-07T12:00:00Z'), zone)).toEqual(
    span('2018-11-04T03:00:00Z', '2018-11-11T02:00:00Z'),
  );
  expect(dayOf(new Date('2018-11-03T12:00:00Z'), zone).to).toEqual(new Date('2018-11-04T03:00:00Z'));
});

it('a day with a repeated hour has 25 hours', () => {
  expect(dayOf(new Date('2018-02-17T12:00:00Z'), zone)).toEqual(
    span('2018-02-17T02:00:00Z', '2018-02-18T03:00:00Z'),
  );
});

it('the cached day and week are not returned for a later day', () => {
  const moments = [
    '2026-11-28T12:00:00Z',
    '2026-11-29T02:59:59.999Z',
    '2026-11-29T03:00:00Z',
    '2026-11-28T12:00:00Z',
  ];
  for (const at of moments.map((moment) => new Date(moment)))
    expect(daysAt(at, zone)).toEqual({ day: dayOf(at, zone), week: weekOf(at, zone) });
});
