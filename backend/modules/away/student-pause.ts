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

/** What a change of a pause did with sessions, by which it can be undone. */
export interface SessionsPaused {
  mudanca_id: string;
  /** The last day on which the pause leaves no session in the agenda, also of series that are booked later; null: it keeps them. */
  sem_sessoes_ate: string | null;
  canceladas: string[];
  /** Sessions that the pause had cancelled and that are scheduled again. */
  reabertas: string[];
}

/** `cancelamento`: absent where a pause keeps the sessions. */
interface Changed {
  student_id: string;
  cancelamento?: SessionsPaused;
}

export type StudentPauseEvent =
  /** A pause begins, or the current one gets another last day. `lotes`: the lots that ran when it began. */
  | { type: 'StudentPaused'; data: Changed & { lotes: string[] } & Away }
  /** The pause ended early: `ate` was its last day, or the day before its first if it had no days. */
  | { type: 'StudentResumed'; data: Changed & { ate: string } };

export interface KnownPause extends Away {
  lotes: string[];
  sem_sessoes_ate: string | null;
  /** Sessions that it has cancelled and that were not scheduled again with it. */
  canceladas: string[];
  /** What its last change did with sessions, and until when there were none before. */
  ultima: (SessionsPaused & { sem_sessoes_antes: string | null }) | null;
}

/** The last pause, and those before it. */
type StudentPauseState = (KnownPause & { antes: Away[] }) | undefined;

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
        return { desde, ate, lotes, antes, ...sessionsAfter(isNew ? undefined : state, data) };
      }
      case 'StudentResumed':
        return state && { ...state, ate: data.ate, ...sessionsAfter(state, data) };
    }
  },
  events: {
    StudentPaused: { schemaVersion: 1, uses: ({ student_id }) => ({ student: student_id }) },
    StudentResumed: { schemaVersion: 1, uses: 'nothing new' },
  },
};

function sessionsAfter(before: StudentPauseState, { cancelamento }: Changed) {
  const { canceladas, reabertas, sem_sessoes_ate } = cancelamento ?? nothingPaused;
  const left = (before?.canceladas ?? []).filter((id) => !reabertas.includes(id));
  const ultima = cancelamento && { ...cancelamento, sem_sessoes_antes: before?.sem_sessoes_ate ?? null };
  return { sem_sessoes_ate, canceladas: [...left, ...canceladas], ultima: ultima ?? null };
}

const nothingPaused: Omit<SessionsPaused, 'mudanca_id'> = {
  canceladas: [],
  reabertas: [],
  sem_sessoes_ate: null,
};

export const isPausedOn = (state: StudentPauseState, day: string): boolean =>
  state !== undefined && state.desde <= day && day <= state.ate;

/** Whether a pause leaves no session in the agenda on that day. */
export const hasNoSessionsOn = (state: StudentPauseState, day: string): boolean =>
  isPausedOn(state, day) && day <= (state?.sem_sessoes_ate ?? '');

/** The last day of the pause that a day is part of. */
export const pausedUntil = (state: StudentPauseState, day: string): string | null =>
  state && isPausedOn(state, day) ? state.ate : null;

export const pausesOf = (state: StudentPauseState): Away[] =>
  state ? [...state.antes, { desde: state.desde, ate: state.ate }] : [];

/**
 * Pauses from today on, or moves the last day of the current pause. `running`: the lots that expire later. `cancelamento`: what that
 * does with sessions.
 */
export function decidePause(
  state: StudentPauseState,
  wanted: { student_id: string; ate: string; cancelamento?: SessionsPaused | undefined },
  { today, running }: { today: string; running: string[] },
): StudentPauseEvent[] {
  const { student_id, ate, cancelamento } = wanted;
  const current = isPausedOn(state, today) ? state : undefined;
  const { desde, lotes } = current ?? { desde: today, lotes: running };
  if (ate < today || differenceInCalendarDays(parseISO(ate), parseISO(desde)) >= MOST_PAUSED_DAYS)
    throw new Problem('student_pauses.wrong_end', {
      errors: [{ pointer: '/ate', detail: 'Informe um dia de hoje até daqui a um ano' }],
    });
  const keepsSessions =
    (cancelamento?.sem_sessoes_ate ?? null) === (current?.sem_sessoes_ate ?? null) &&
    !cancelamento?.canceladas.length &&
    !cancelamento?.reabertas.length;
  if (current?.ate === ate && keepsSessions) return [];
  return [{ type: 'StudentPaused', data: { student_id, desde, ate, lotes, ...only(cancelamento) } }];
}

/** Ends the current pause; today is no longer part of it. */
export function decideResume(
  state: StudentPauseState,
  wanted: { student_id: string; cancelamento?: SessionsPaused | undefined },
  today: string,
): StudentPauseEvent[] {
  const { student_id, cancelamento } = wanted;
  if (!isPausedOn(state, today)) throw new Problem('student_pauses.not_paused');
  const ate = format(addDays(parseISO(today), -1), 'yyyy-MM-dd');
  return [{ type: 'StudentResumed', data: { student_id, ate, ...only(cancelamento) } }];
}

const only = (cancelamento: SessionsPaused | undefined) => (cancelamento ? { cancelamento } : {});
