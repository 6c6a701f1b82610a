import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { DateException, DayRow, ExceptionRows, NewWeek, WeekRow } from './availability.api.js';

export type AvailabilityEvent =
  /** The whole week. */
  | { type: 'AvailabilitySet'; data: { horarios: WeekRow[] } }
  /** All exceptions of one date; without rows the date is like the week. */
  | { type: 'AvailabilityExceptionSet'; data: DateException };

export interface AvailabilityState {
  horarios: WeekRow[];
  /** How often the week was saved. */
  versao: number;
  /** By date. */
  excecoes: DateException[];
}

/** A trainer's working hours; the stream's id is the tenant's. */
export const availability: Aggregate<AvailabilityState, AvailabilityEvent> = {
  name: 'availability',
  initialState: { horarios: [], versao: 0, excecoes: [] },
  evolve(state, { type, data }) {
    switch (type) {
      case 'AvailabilitySet':
        return { ...state, horarios: data.horarios, versao: state.versao + 1 };
      case 'AvailabilityExceptionSet': {
        const others = state.excecoes.filter((exception) => exception.data !== data.data);
        const excecoes = data.horarios.length === 0 ? others : [...others, data];
        return { ...state, excecoes: excecoes.toSorted((one, other) => (one.data < other.data ? -1 : 1)) };
      }
    }
  },
  events: { AvailabilitySet: { schemaVersion: 1 }, AvailabilityExceptionSet: { schemaVersion: 1 } },
};

/** Replaces the week; 409 if the week was changed since it was loaded. */
export function decideSetWeek(
  state: AvailabilityState,
  { horarios, versao = state.versao }: NewWeek,
): AvailabilityEvent[] {
  const sorted = horarios.toSorted((one, other) => one.day_of_week - other.day_of_week || byTime(one, other));
  if (sameRows(sorted, state.horarios)) return [];
  if (versao !== state.versao) throw changedElsewhere();
  return [{ type: 'AvailabilitySet', data: { horarios: sorted } }];
}

const changedElsewhere = () =>
  new Problem('availability.changed', {
    detail: 'Os horários mudaram em outra janela. Confira como estão agora e salve de novo.',
  });

/** Future dates that have exceptions. */
const MOST_EXCEPTIONS = 200;

/** `today`: the calendar date in the tenant's zone. 409 if the change is based on rows that were changed meanwhile. */
export function decideSetException(
  state: AvailabilityState,
  { data, horarios, se_ainda }: DateException & ExceptionRows,
  today: string,
): AvailabilityEvent[] {
  const sorted = horarios.toSorted(byTime);
  const current = state.excecoes.find((exception) => exception.data === data)?.horarios ?? [];
  if (sameRows(sorted, current)) return [];
  if (se_ainda && !sameRows(se_ainda.toSorted(byTime), current)) throw changedElsewhere();
  const coming = state.excecoes.filter((exception) => exception.data >= today && exception.data !== data);
  if (horarios.length > 0 && coming.length >= MOST_EXCEPTIONS)
    throw new Problem('availability.too_many_exceptions', {
      detail: `Remova exceções antigas: são no máximo ${MOST_EXCEPTIONS} datas.`,
    });
  return [{ type: 'AvailabilityExceptionSet', data: { data, horarios: sorted } }];
}

const byTime = (one: DayRow, other: DayRow) =>
  one.start_time < other.start_time ? -1 : one.start_time > other.start_time ? 1 : 0;

function sameRows(one: readonly DayRow[], other: readonly DayRow[]): boolean {
  const text = (rows: readonly DayRow[]) =>
    rows.map((row) => {
      const { day_of_week } = row as Partial<WeekRow>;
      return [day_of_week, row.start_time, row.end_time, row.is_blocked].join(' ');
    });
  return text(one).join() === text(other).join();
}
