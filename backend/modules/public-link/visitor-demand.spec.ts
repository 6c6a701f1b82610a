import { describe, expect, it } from '@jest/globals';
import { addressKey } from '../../platform/http/address.js';
import { Problem } from '../../platform/http/problem.js';
import {
  attemptsOf,
  type Demand,
  leastTries,
  limitsOf,
  refuseCrowd,
  triesFor,
  wishesOf,
} from './visitor-demand.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const nobody: Demand = { hora: 0, dia: 0, abertas: 0, confirmadas: 0 };

interface Window {
  ends: number;
  points: number;
}

/** A page with free hours from tomorrow on, so many a day, and what the rules say of it as time passes. */
function pageOf(days: number, perDay: number, { name = 'page', windows = new Map<string, Window>() } = {}) {
  const free = Array.from({ length: days * perDay }, (_, n) => DAY * (1 + Math.floor(n / perDay)) + n);
  const booked: { at: number; isConfirmed: boolean }[] = [];
  const take = (key: string, { points, seconds }: { points: number; seconds: number }, at: number) => {
    const known = windows.get(key);
    const window = known && known.ends > at ? known : { ends: at + seconds * 1000, points: 0 };
    windows.set(key, window);
    window.points += 1;
    return window.points <= points;
  };
  const demand = (at: number): Demand => ({
    hora: booked.filter((one) => !one.isConfirmed && one.at > at - HOUR).length,
    dia: booked.filter(({ isConfirmed }) => !isConfirmed).length,
    abertas: booked.filter(({ isConfirmed }) => !isConfirmed).length,
    confirmadas: booked.filter(({ isConfirmed }) => isConfirmed).length,
  });
  return {
    free,
    booked,
    demand,
    confirmAll: () => booked.forEach((one) => (one.isConfirmed = true)),
    book(at: number, address: string): 'booked' | 'address' | 'crowded' | 'full' {
      const keyOf = (bits: 48 | 56 | 64) => addressKey(address, bits);
      for (const { limit, key } of [...attemptsOf(keyOf), ...attemptsOf(keyOf, name)])
        if (!take(key, limit, at)) return 'address';
      if (free.length === 0) return 'full';
      try {
        refuseCrowd(free, demand(at), at);
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
        return 'crowded';
      }
      free.shift();
      booked.push({ at, isConfirmed: false });
      return 'booked';
    },
  };
}

describe('a page with 294 free hours in a month', () => {
  it('loses a part of a week to one machine, whatever it proves', () => {
    const page = pageOf(30, 10);
    page.free.length = 294;
    const within = (from: number, to: number) => {
      for (let at = from; at < to; at += 250) page.book(at, `203.0.113.${Math.floor(at / 250) % 16}`);
      return page.booked.length;
    };
    const atOnce = within(0, 64_000);
    const afterHours = within(HOUR, HOUR + 64_000) && within(3 * HOUR, 3 * HOUR + 64_000);
    expect(atOnce).toBeLessThanOrEqual(24);
    expect(afterHours).toBeLessThanOrEqual(55);
    expect(within(20 * HOUR, 20 * HOUR + 64_000)).toBe(afterHours);
  });

  it('is booked by 10,000 visitors after a viral post, as fast as the trainer answers', () => {
    const page = pageOf(30, 10);
    const said = { booked: 0, address: 0, crowded: 0, full: 0 };
    let confirmed = 0;
    for (let n = 0; n < 10_000; n += 1) {
      // Half of them in the first three hours, the others during the day.
      const at = n < 5_000 ? (n / 5_000) * 3 * HOUR : 3 * HOUR + ((n - 5_000) / 5_000) * 21 * HOUR;
      for (; confirmed < at; confirmed += HOUR / 2) page.confirmAll();
      // Customers of carriers: many share an IPv4 address; each has a /64 in one of many /48.
      const address =
        n % 2
          ? `198.51.${n % 97}.${n % 7}`
          : `2804:${(n % 29).toString(16)}:${(n % 31).toString(16)}:${n.toString(16)}::1`;
      said[page.book(at, address)] += 1;
      if (n === 1_000) expect(said.booked).toBeGreaterThanOrEqual(20);
    }
    expect(said.address).toBe(0);
    expect([said.booked, page.free.length]).toEqual([300, 0]);
  });
});

describe('the page of a new trainer', () => {
  it('takes twenty bookings in ten minutes from one address of a carrier', () => {
    const page = pageOf(7, 8);
    const answers = Array.from({ length: 20 }, (_, n) => page.book(n * (MINUTE / 2), '198.51.100.7'));
    expect(new Set(answers)).toEqual(new Set(['booked']));
    expect(page.book(10 * MINUTE, '198.51.100.8')).toBe('crowded');
  });

  it('with few free hours is never taken whole at once', () => {
    const limits = [4, 10, 20].map((week) => limitsOf(week, nobody));
    expect(limits).toEqual([
      { hora: 3, dia: 5 },
      { hora: 5, dia: 9 },
      { hora: 10, dia: 17 },
    ]);
  });
});

describe('one address of a carrier', () => {
  it('has visitors of ten pages book twenty times with each trainer, and then no more', () => {
    const windows = new Map<string, Window>();
    const pages = Array.from({ length: 11 }, (_, n) => pageOf(30, 10, { name: `page ${n}`, windows }));
    const book = (page: number) => pages[page]!.book(0, '198.51.100.7');
    for (let n = 0; n < 190; n += 1) expect(book(n % 10)).toBe('booked');
    // Whoever goes on at one page uses up nothing of the others.
    for (let n = 0; n < 2; n += 1) expect(book(0)).toBe(n < 1 ? 'booked' : 'address');
    for (let n = 0; n < 8; n += 1) expect(book(1 + n)).toBe('booked');
    expect([book(9), book(10)]).toEqual(['address', 'address']);
  });
});

describe('a network of IPv6', () => {
  it('cannot make attempts from each of its addresses', () => {
    const page = pageOf(30, 10);
    const tried = (addresses: string[]) => addresses.filter((one) => page.book(0, one) !== 'address').length;
    const hex = (n: number) => n.toString(16);
    expect(tried(Array.from({ length: 200 }, (_, n) => `2001:db8:1:ab${hex(n).padStart(2, '0')}::1`))).toBe(
      40,
    );
    expect(tried(Array.from({ length: 200 }, (_, n) => `2001:db8:2:${hex(n)}00::1`))).toBe(120);
  });
});

describe('the waitlist of a page with its two hundred places', () => {
  it('has room for others than the customers of one network', () => {
    const points = (address: string) =>
      wishesOf((bits) => addressKey(address, bits), 'page').map(({ limit }) => limit.points);
    expect([points('198.51.100.7'), points('2001:db8:1::1')]).toEqual([[40], [40, 120]]);
  });
});

describe('the work of a browser', () => {
  it('grows with the bookings that wait for an answer', () => {
    const tries = [0, 11, 12, 24, 36, 48, 500].map((hora) => triesFor({ ...nobody, hora }));
    expect(tries).toEqual([0, 0, 60_000, 120_000, 240_000, 480_000, 480_000]);
    expect(triesFor({ ...nobody, dia: 24 })).toBe(60_000);
    expect(leastTries(nobody)).toBe(60_000);
  });
});
