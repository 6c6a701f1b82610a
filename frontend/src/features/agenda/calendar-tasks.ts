import type { ComponentType } from 'react';
import type { Day } from '../../lib/dates.js';

/** Component of another feature for the tasks of some days of the calendar: folded on the phone. */
export type DayTasks = ComponentType<{
  days: readonly Day[];
  isFolded: boolean;
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
