import { addDays, monthOf, startOfWeek, type Day, type Month } from '../../lib/dates.js';

/** Spec 1, section 9. */
const MONTH_DAYS = 42;
const MINI_MONTH_DAYS = 35;

export const weeksOf = <Cell>(cells: readonly Cell[]): Cell[][] =>
  Array.from({ length: cells.length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7));

/** Six weeks from the Sunday on or before the first of the month. */
export function monthGrid(month: Month): Day[] {
  const first = startOfWeek(`${month}-01`);
  return Array.from({ length: MONTH_DAYS }, (_, index) => addDays(first, index));
}

/** The days of a month in five weeks, or in six where its last days need another one; null for cells without a day. */
export function miniMonth(month: Month): (Day | null)[] {
  const cells = monthGrid(month).map((day) => (monthOf(day) === month ? day : null));
  return cells.slice(0, cells[MINI_MONTH_DAYS] ? MONTH_DAYS : MINI_MONTH_DAYS);
}

export const monthsOf = (year: string): Month[] =>
  Array.from({ length: 12 }, (_, index) => `${year}-${String(index + 1).padStart(2, '0')}`);

/** Spec 1, section 2: number of entries in a cell of the month. */
const MOST_SESSIONS = 2;
const MOST_ITEMS = 3;

export interface CellItems<Session, Task> {
  sessions: Session[];
  tasks: Task[];
  /** Number of entries that are not shown. */
  more: number;
}

/** The entries that a cell shows, of a day's `count` sessions, of which only the first are loaded, and of its tasks. */
export function cellItems<Session, Task>(
  first: readonly Session[],
  count: number,
  tasks: readonly Task[],
): CellItems<Session, Task> {
  const sessions = first.slice(0, MOST_SESSIONS);
  const shown = tasks.slice(0, MOST_ITEMS - sessions.length);
  return { sessions, tasks: shown, more: count - sessions.length + tasks.length - shown.length };
}
