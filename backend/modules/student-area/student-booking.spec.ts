import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { defaultBooking } from './student-booking.api.js';
import { freeCredits, habit, movableUntil, obstacle, refuseObstacle, usualFirst } from './student-booking.js';

const now = new Date('2030-03-04T12:00:00.000Z');
const day = (number: number) => new Date(now.getTime() + number * 86_400_000).toISOString();
const standing = (lots: [remaining: number, end: number | null][], agendadas: number[] = []) => ({
  lots: lots.map(([remaining, end]) => ({ remaining, expires_at: end === null ? null : day(end) })),
  agendadas: agendadas.map(day),
  proprias: 0,
  divididos: null,
});
const free = (...has: Parameters<typeof standing>) => freeCredits(defaultBooking, standing(...has), now);

describe('the credits for new sessions', () => {
  it('are those that no future session will use', () => {
    expect(free([[4, null]], [1, 2])).toEqual({ livres: 2, ate: Infinity });
  });

  it('are used by past sessions that are not settled', () => {
    expect(free([[2, null]], [-3, -2])).toEqual({ livres: 0, ate: 0 });
  });

  it('are only for sessions before they expire', () => {
    expect(free([[2, 5]])).toEqual({ livres: 2, ate: Date.parse(day(5)) });
    expect(free([[2, -1]])).toEqual({ livres: 0, ate: 0 });
  });

  it('are not used by sessions after they expire', () => {
    expect(free([[1, 5]], [9])).toEqual({ livres: 1, ate: Date.parse(day(5)) });
    const mixed: [number, number | null][] = [
      [1, 5],
      [1, null],
    ];
    expect(free(mixed, [2])).toEqual({ livres: 1, ate: Infinity });
    expect(free(mixed, [9])).toEqual({ livres: 1, ate: Date.parse(day(5)) });
  });

  it('do not matter if the trainer requires none', () => {
    const settings = { ...defaultBooking, exige_credito: false };
    expect(freeCredits(settings, standing([]), now)).toBeNull();
    expect(obstacle(settings, standing([]), now)).toBeNull();
  });

  it('cover as many sessions as a brute-force search finds', () => {
    /** The most sessions that can have a credit each, by trying every choice. */
    const most = ([start, ...starts]: number[], ends: number[]): number =>
      start === undefined
        ? 0
        : Math.max(
            most(starts, ends),
            ...ends.map((end, at) => (end > start ? 1 + most(starts, ends.toSpliced(at, 1)) : 0)),
          );
    const days = fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 4 });
    fc.assert(
      fc.property(days, days, fc.integer({ min: 1, max: 6 }), (ends, starts, start) => {
        const has = standing(
          ends.map((end) => [1, end]),
          starts,
        );
        const { livres, ate } = freeCredits(defaultBooking, has, now)!;
        expect(livres).toBe(ends.length - most(starts, ends));
        expect(Date.parse(day(start)) < ate).toBe(most([...starts, start], ends) > most(starts, ends));
      }),
    );
  });
});

describe('credits that several students use', () => {
  const of = (...has: Parameters<typeof standing>) => {
    const { lots, agendadas } = standing(...has);
    return { lots, agendadas };
  };
  const free = (own: ReturnType<typeof of>, shared: [number, number | null][], ...outros: (typeof own)[]) =>
    freeCredits(defaultBooking, { ...own, proprias: 0, divididos: { lots: of(shared).lots, outros } }, now);

  it('are free where neither has a session that will use them', () => {
    expect(free(of([], [1]), [[3, null]], of([], [2]))).toMatchObject({ livres: 1 });
    expect(free(of([]), [[1, null]], of([], [2]))).toMatchObject({ livres: 0 });
  });

  it('are used after the own ones, of each', () => {
    expect(free(of([[1, null]], [1]), [[1, null]], of([[1, null]], [1]))).toMatchObject({ livres: 1 });
    expect(free(of([[1, null]]), [[1, null]], of([[1, null]], [1, 2]))).toMatchObject({ livres: 1 });
  });

  it("do not include the others' own ones", () => {
    expect(free(of([]), [], of([[5, null]]))).toMatchObject({ livres: 0 });
  });

  it('last until theirs expire', () => {
    expect(free(of([[1, 2]]), [[1, 9]], of([]))).toEqual({ livres: 2, ate: Date.parse(day(9)) });
    expect(free(of([[1, 2]]), [[1, 9]], of([], [1]))).toEqual({ livres: 1, ate: Date.parse(day(2)) });
  });
});

it('a make-up is used before credits that expire sooner', () => {
  const [plan, made] = standing([
    [1, 5],
    [1, 40],
  ]).lots;
  const has = { ...standing([], [3]), lots: [plan!, { ...made!, reposicao: true }] };
  expect(freeCredits(defaultBooking, has, now)).toEqual({ livres: 1, ate: Date.parse(day(5)) });
});

it('a session that begins after its credit has expired is refused', () => {
  const has = standing([[1, 5]]);
  const wanted = (inicio: string) => () => refuseObstacle(defaultBooking, has, { inicio, now });
  expect(wanted(day(4))).not.toThrow();
  expect(wanted(day(5))).toThrow(
    expect.objectContaining({ code: 'student_area.no_credit', detail: expect.stringContaining('vencem') }),
  );
});

it('a session can be moved until its credit expires, and one without a credit to any time', () => {
  const until = (has: ReturnType<typeof standing>, before: number) =>
    movableUntil(defaultBooking, has, { before: day(before), now });
  expect(until(standing([[1, 5]]), 4)).toBe(Date.parse(day(5)));
  expect(until(standing([[1, 5]]), 6)).toBe(Infinity);
  expect(until(standing([]), 4)).toBe(Infinity);
});

describe("a student's habit", () => {
  const zone = 'America/Sao_Paulo';
  /** In March 2030, in Brasília; the 5th and the 12th are Tuesdays. */
  const on = (date: number, hour: number) => new Date(Date.UTC(2030, 2, date, hour + 3)).toISOString();
  const trained = (date: number, hour: number, location_id: string | null = 'gym') => ({
    inicio: on(date, hour),
    location_id,
  });
  const free = (date: number, hour: number, locais: string[] | null = null) => ({
    inicio: on(date, hour),
    locais,
  });

  it('is the weekday and hour of most sessions, where most of these were', () => {
    const last = [trained(5, 7), trained(12, 7, 'park'), trained(19, 7), trained(20, 9, 'park')];
    const times = [free(25, 7), free(26, 9), free(26, 7), free(27, 9)];
    expect(habit(times, last, zone)).toEqual({ inicio: on(26, 7), location_id: 'gym' });
    const places = ['beach', 'gym', 'park'].map((id) => ({ id }));
    expect(usualFirst(places, last).map(({ id }) => id)).toEqual(['gym', 'park', 'beach']);
  });

  it('is proposed only where that time is free, and the place in reach', () => {
    const last = [trained(5, 7), trained(12, 7)];
    expect(habit([free(19, 8)], last, zone)).toBeNull();
    expect(habit([free(19, 7, ['park']), free(26, 7, ['gym'])], last, zone)?.inicio).toBe(on(26, 7));
  });

  it('does not come from one session', () => {
    expect(habit([free(12, 7)], [trained(5, 7), trained(6, 8)], zone)).toBeNull();
    expect(habit([free(12, 7)], [], zone)).toBeNull();
  });
});
