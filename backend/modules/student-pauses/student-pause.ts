import { addDays, differenceInCalendarDays, format, parseISO } from 'date-fns';
import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { MOST_PAUSED_DAYS } from './student-pauses.api.js';

/** Calendar days, both included. */
interface Days {
  desde: string;
  ate: string;
}

export type StudentPauseEvent =
  /** A pause begins, or the current one gets another last day. The expiry of `lotes` moves with it. */
  | { type: 'StudentPaused'; data: { student_id: string; lotes: string[] } & Days }
  /** The pause ended early: `ate` was its last day, or the day before its first if it had no days. */
  | { type: 'StudentResumed'; data: { student_id: string; ate: string } };

/** The last pause. */
type StudentPauseState = (Days & { lotes: string[] }) | undefined;

/** While paused, a student's credits do not expire and no month is billed; the stream's id is the student's. */
export const studentPause: Aggregate<StudentPauseState, StudentPauseEvent> = {
  name: 'student-pause',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'StudentPaused': {
        const { desde, ate, lotes } = data;
        return { desde, ate, lotes };
      }
      case 'StudentResumed':
        return state && { ...state, ate: data.ate };
    }
  },
  events: {
    StudentPaused: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    StudentResumed: { schemaVersion: 1, uses: 'nothing new' },
  },
};

export const isPausedOn = (state: StudentPauseState, day: string): boolean =>
  state !== undefined && state.desde <= day && day <= state.ate;

/** The last day of the pause that a day is part of. */
export const pausedUntil = (state: StudentPauseState, day: string): string | null =>
  state && isPausedOn(state, day) ? state.ate : null;

/** Events, and the number of days, which may be negative, by which the expiry of lots moves. */
interface Decision {
  events: StudentPauseEvent[];
  lotes: string[];
  dias: number;
}

const nothing: Decision = { events: [], lotes: [], dias: 0 };

const dayBefore = (day: string) => format(addDays(parseISO(day), -1), 'yyyy-MM-dd');
/** Days after `from` up to `to`. */
const daysBetween = (from: string, to: string) => differenceInCalendarDays(parseISO(to), parseISO(from));

/** Pauses from today on, or moves the last day of the current pause. `running`: the lots with a future expiry. */
export function decidePause(
  state: StudentPauseState,
  wanted: { student_id: string; ate: string },
  { today, running }: { today: string; running: string[] },
): Decision {
  const { student_id, ate } = wanted;
  const current = isPausedOn(state, today) ? state : undefined;
  const { desde, lotes } = current ?? { desde: today, lotes: running };
  if (ate < today || daysBetween(desde, ate) >= MOST_PAUSED_DAYS)
    throw new Problem('student_pauses.wrong_end', {
      errors: [{ pointer: '/ate', detail: 'Informe um dia de hoje até daqui a um ano' }],
    });
  if (current?.ate === ate) return nothing;
  const before = current?.ate ?? dayBefore(today);
  const paused: StudentPauseEvent = { type: 'StudentPaused', data: { student_id, desde, ate, lotes } };
  return { events: [paused], lotes, dias: daysBetween(before, ate) };
}

/** Ends the current pause; today is no longer part of it. */
export function decideResume(state: StudentPauseState, student_id: string, today: string): Decision {
  if (!state || !isPausedOn(state, today)) throw new Problem('student_pauses.not_paused');
  const ate = dayBefore(today);
  return {
    events: [{ type: 'StudentResumed', data: { student_id, ate } }],
    lotes: state.lotes,
    dias: daysBetween(state.ate, ate),
  };
}
