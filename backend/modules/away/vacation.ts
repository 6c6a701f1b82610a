import type { Aggregate } from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import { shortDate } from '../../platform/portuguese.js';
import type { Away } from './student-pause.js';

/** The dates of a vacation in the tenant's zone, both included. */
interface Days {
  vacation_id: string;
  start_date: string;
  end_date: string;
}

/** A session that a vacation moved, with its old times. */
export interface MovedSession {
  session_id: string;
  inicio: string;
  fim: string;
  inicio_antes: string;
  fim_antes: string;
}

/** `dias`: only where the lots did not move by the vacation's days; null: by different numbers of days. */
export interface ExtendedCredits {
  student_id: string;
  lotes: string[];
  dias?: number | null;
}

/** The effects of a vacation, apart from blocking its days. */
export interface VacationEffects {
  /** Sessions. */
  canceladas: string[];
  movidas: MovedSession[];
  /** Lots whose expiry moved. */
  creditos: ExtendedCredits[];
  dias: number;
}

/** Events of blocked days, which every booking checks. */
export type VacationCalendarEvent =
  | { type: 'VacationActivated'; data: Days & { description: string | null } }
  | { type: 'VacationRemoved'; data: Days }
  | { type: 'VacationRestored'; data: Days }
  | { type: 'VacationUndone'; data: Days };

export type VacationEvent = {
  type: 'VacationApplied';
  /** `desfazer_ate`: until when it can be undone: the earliest time of an effect; null without effects. */
  data: VacationEffects & { vacation_id: string; desfazer_ate: string | null };
};

interface KnownVacation extends Days {
  description: string | null;
  status: 'active' | 'removed' | 'undone';
}

/** All vacations, by start. */
export type VacationCalendar = KnownVacation[];

/** The stream's id is the tenant's. */
export const vacationCalendar: Aggregate<VacationCalendar, VacationCalendarEvent> = {
  name: 'vacation-calendar',
  initialState: [],
  evolve(state, { type, data }) {
    const become = (status: KnownVacation['status']) =>
      state.map((one) => (one.vacation_id === data.vacation_id ? { ...one, status } : one));
    switch (type) {
      case 'VacationActivated':
        return [...state, { ...data, status: 'active' as const }].toSorted((one, other) =>
          one.start_date < other.start_date ? -1 : 1,
        );
      case 'VacationRemoved':
        return become('removed');
      case 'VacationRestored':
        return become('active');
      case 'VacationUndone':
        return become('undone');
    }
  },
  events: {
    VacationActivated: {
      schemaVersion: 1,
      personal: { person: (_data, tenantId) => tenantId, fields: ['description'] },
    },
    VacationRemoved: { schemaVersion: 1 },
    VacationRestored: { schemaVersion: 1 },
    VacationUndone: { schemaVersion: 1 },
  },
};

/** Undefined until it is activated; the stream's id is the vacation's. */
export const vacation: Aggregate<VacationEffects | undefined, VacationEvent> = {
  name: 'vacation',
  initialState: undefined,
  evolve(_state, { type, data }) {
    switch (type) {
      case 'VacationApplied': {
        const { canceladas, movidas, creditos, dias } = data;
        return { canceladas, movidas, creditos, dias };
      }
    }
  },
  events: { VacationApplied: { schemaVersion: 1, uses: 'nothing new' } },
};

/** The active vacations, which block their days. */
export const activeVacations = (calendar: VacationCalendar): VacationCalendar =>
  calendar.filter(({ status }) => status === 'active');

/** The days of vacations, also of removed ones, whose effects stay. */
export const daysAway = (calendar: VacationCalendar): Away[] =>
  calendar
    .filter(({ status }) => status !== 'undone')
    .map(({ start_date, end_date }) => ({ desde: start_date, ate: end_date }));

const daysOf = ({ vacation_id, start_date, end_date }: Days): Days => ({ vacation_id, start_date, end_date });

export function decideActivate(
  calendar: VacationCalendar,
  wanted: Days & { description: string | null },
): VacationCalendarEvent[] {
  refuseOverlap(calendar, wanted);
  return [{ type: 'VacationActivated', data: wanted }];
}

/** Unblocks the days; the effects on sessions stay. */
export function decideRemove(calendar: VacationCalendar, id: string): VacationCalendarEvent[] {
  const known = knownVacation(calendar, id);
  if (known.status === 'undone') throw new Problem('vacations.not_found');
  return known.status === 'removed' ? [] : [{ type: 'VacationRemoved', data: daysOf(known) }];
}

/** Undoes a removal. */
export function decideRestore(calendar: VacationCalendar, id: string): VacationCalendarEvent[] {
  const known = knownVacation(calendar, id);
  if (known.status !== 'removed') throw new Problem('vacations.not_removed');
  refuseOverlap(calendar, known);
  return [{ type: 'VacationRestored', data: daysOf(known) }];
}

/** Undoes the vacation as a whole. */
export function decideUndo(calendar: VacationCalendar, id: string): VacationCalendarEvent[] {
  const known = knownVacation(calendar, id);
  if (known.status !== 'active') throw new Problem('vacations.not_found');
  return [{ type: 'VacationUndone', data: daysOf(known) }];
}

function knownVacation(calendar: VacationCalendar, id: string): KnownVacation {
  const known = calendar.find(({ vacation_id }) => vacation_id === id);
  if (!known) throw new Problem('vacations.not_found');
  return known;
}

function refuseOverlap(
  calendar: VacationCalendar,
  { start_date, end_date }: Omit<Days, 'vacation_id'>,
): void {
  const other = activeVacations(calendar).find(
    (one) => one.start_date <= end_date && one.end_date >= start_date,
  );
  if (!other) return;
  const detail = `Já há férias de ${shortDate(other.start_date)} a ${shortDate(other.end_date)}.`;
  throw new Problem('vacations.overlap', {
    detail,
    errors: [{ pointer: '/start_date', detail: 'Já há férias nesses dias' }],
  });
}
