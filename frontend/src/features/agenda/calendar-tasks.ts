import type { ComponentType } from 'react';
import type { Day } from '../../lib/dates.js';

/** Component of another feature for the tasks of a week in the calendar, or of one of its days. */
export type DayTasks = ComponentType<{
  week: readonly Day[];
  day?: Day | undefined;
  onDay: (day: Day) => void;
}>;

/** A task in a cell of the month. */
export interface NamedTask {
  id: string;
  titulo: string;
  concluida: boolean;
}

/** The tasks of the days from `first` to `last`, by day. */
export type UseTasks = (first: Day, last: Day) => ReadonlyMap<Day, readonly NamedTask[]>;
