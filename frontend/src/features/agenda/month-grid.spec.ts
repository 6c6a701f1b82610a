import { describe, expect, it } from '@jest/globals';
import { addDays, monthOf } from '../../lib/dates.js';
import { cellItems, miniMonth, monthGrid, monthsOf, weeksOf } from './month-grid.js';

const weekday = (day: string) => new Date(`${day}T00:00:00Z`).getUTCDay();

describe("the month's grid", () => {
  it.each([
    ['2026-11', '2026-11-01', '2026-12-12'],
    ['2026-08', '2026-07-26', '2026-09-05'],
    ['2026-02', '2026-02-01', '2026-03-14'],
  ])('of %s has 42 days from Sunday %s to %s', (month, first, last) => {
    const days = monthGrid(month);
    expect(days).toHaveLength(42);
    expect([days[0], days.at(-1)]).toEqual([first, last]);
    expect(weekday(days[0]!)).toBe(0);
    expect(days).toEqual(days.map((_, index) => addDays(first, index)));
    expect(weeksOf(days)).toHaveLength(6);
  });
});

describe("the year's mini-months", () => {
  it('have every day of the month once, in order, each under its weekday', () => {
    for (const month of ['2023', '2024', '2025', '2026', '2027'].flatMap(monthsOf)) {
      const cells = miniMonth(month);
      const days = cells.filter((day) => day !== null);
      expect(days).toEqual(monthGrid(month).filter((day) => monthOf(day) === month));
      cells.forEach((day, index) => day && expect([month, weekday(day)]).toEqual([month, index % 7]));
    }
  });

  it.each([
    ['2026-02', 5],
    ['2026-11', 5],
    ['2026-08', 6],
  ])('show %s in %i weeks', (month, weeks) => {
    expect(weeksOf(miniMonth(month))).toHaveLength(weeks);
  });
});

describe('a cell of the month', () => {
  const tasks = ['pagar aluguel', 'ligar para Ana', 'comprar elásticos'];

  it.each([
    ['nothing', [], 0, [], { sessions: [], tasks: [], more: 0 }],
    ['one session and one task', ['Ana'], 1, ['a'], { sessions: ['Ana'], tasks: ['a'], more: 0 }],
    ['two of five sessions', ['Ana', 'Bia'], 5, [], { sessions: ['Ana', 'Bia'], tasks: [], more: 3 }],
    [
      'two sessions and the first task, three in all',
      ['Ana', 'Bia'],
      2,
      tasks,
      { sessions: ['Ana', 'Bia'], tasks: tasks.slice(0, 1), more: 2 },
    ],
    ['three tasks alone', [], 0, [...tasks, 'mais uma'], { sessions: [], tasks, more: 1 }],
  ])('shows %s', (_, first, count, of, items) => {
    expect(cellItems<string, string>(first, count, of)).toEqual(items);
  });
});
