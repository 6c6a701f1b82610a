import type { ComponentType } from 'react';
import type { Day } from '../../lib/dates.js';

/** What another feature shows of tasks in a week of the calendar: of one of its days, or of all. */
export type DayTasks = ComponentType<{
  week: readonly Day[];
  day?: Day | undefined;
  onDay: (day: Day) => void;
}>;

/** A task as a month's cell names it. */
export interface NamedTask {
  id: string;
  titulo: string;
  concluida: boolean;
}

/** The tasks of the days from `first` to `last`, by day. */
export type UseTasks = (first: Day, last: Day) => ReadonlyMap<Day, readonly NamedTask[]>;
