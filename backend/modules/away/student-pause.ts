import { addDays, differenceInCalendarDays, format, parseISO } from 'date-fns';
import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';

/** Calendar days on which a student does not train, because of a pause or a vacation; both are included. */
export interface Away {
  desde: string;
  ate: string;
}

/** Maximum of days of a pause. */
const MOST_PAUSED_DAYS = 366;

export type StudentPauseEvent =
  /** A pause begins, or the current one gets another last day. `lotes`: the lots that ran when it began. */
  | { type: 'StudentPaused'; data: { student_id: string; lotes: string[] } & Away }
  /** The pause ended early: `ate` was its last day, or the day before its first if it had no days. */
  | { type: 'StudentResumed'; data: { student_id: string; ate: string } };

/** The last pause, and those before it. */
type StudentPauseState = (Away & { lotes: string[]; antes: Away[] }) | undefined;

/** While paused, a student's credits do not expire and no month is billed; the stream's id is the student's. */
export const studentPause: Aggregate<StudentPauseState, StudentPauseEvent> = {
  name: 'student-pause',
  initialState: undefined,
  evolve(state, { type, data }) {
    switch (type) {
      case 'StudentPaused': {
        const { desde, ate, lotes } = data;
        const isNew = state !== undefined && state.desde !== desde;
        const antes = isNew ? [...state.antes, { desde: state.desde, ate: state.ate }] : (state?.antes ?? []);
        return { desde, ate, lotes, antes };
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

/** All pauses of a student. */
export const pausesOf = (state: StudentPauseState): Away[] =>
  state ? [...state.antes, { desde: state.desde, ate: state.ate }] : [];

/** Pauses from today on, or moves the last day of the current pause. `running`: the lots that expire later. */
export function decidePause(
  state: StudentPauseState,
  wanted: { student_id: string; ate: string },
  { today, running }: { today: string; running: string[] },
): StudentPauseEvent[] {
  const { student_id, ate } = wanted;
  const current = isPausedOn(state, today) ? state : undefined;
  const { desde, lotes } = current ?? { desde: today, lotes: running };
  if (ate < today || differenceInCalendarDays(parseISO(ate), parseISO(desde)) >= MOST_PAUSED_DAYS)
    throw new Problem('student_pauses.wrong_end', {
      errors: [{ pointer: '/ate', detail: 'Informe um dia de hoje até daqui a um ano' }],
    });
  if (current?.ate === ate) return [];
  return [{ type: 'StudentPaused', data: { student_id, desde, ate, lotes } }];
}

/** Ends the current pause; today is no longer part of it. */
export function decideResume(
  state: StudentPauseState,
  student_id: string,
  today: string,
): StudentPauseEvent[] {
  if (!isPausedOn(state, today)) throw new Problem('student_pauses.not_paused');
  return [
    { type: 'StudentResumed', data: { student_id, ate: format(addDays(parseISO(today), -1), 'yyyy-MM-dd') } },
  ];
}
