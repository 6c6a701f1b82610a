import { rowProjection, stateProjection } from '../../platform/projections/projection.js';
import { vacation, type VacationCalendarEvent, type VacationEffects } from './vacation.js';

interface VacationRow {
  start_date: string;
  end_date: string;
  description: string | null;
  status: 'active' | 'removed' | 'undone';
}

/** Vacations, including removed and undone ones. */
export const vacations = rowProjection<VacationRow>({
  name: 'vacations',
  topic: 'availability',
  table: 'vacations',
  students: 'all',
  events: [
    'VacationActivated',
    'VacationRemoved',
    'VacationRestored',
    'VacationUndone',
  ] satisfies VacationCalendarEvent['type'][],
  keys: ({ data }) => [data.vacation_id as string],
  evolve(row, event) {
    const { type, data } = event as unknown as VacationCalendarEvent;
    switch (type) {
      case 'VacationActivated': {
        const { start_date, end_date, description } = data;
        return { start_date, end_date, description, status: 'active' };
      }
      case 'VacationRemoved':
        return row ? { ...row, status: 'removed' } : null;
      case 'VacationRestored':
        return row ? { ...row, status: 'active' } : null;
      case 'VacationUndone':
        return row ? { ...row, status: 'undone' } : null;
    }
  },
});

type EffectsRow = VacationEffects & { desfazer_ate: string | null };

/** The effects of each vacation on sessions and credits. */
export const vacationEffects = stateProjection(vacation, {
  name: 'vacation-effects',
  topic: 'availability',
  table: 'vacation_effects',
  students: 'all',
  evolve(_row: EffectsRow | undefined, event) {
    const { type, data } = event;
    switch (type) {
      case 'VacationApplied': {
        const { canceladas, movidas, creditos, dias, desfazer_ate } = data;
        return { canceladas, movidas, creditos, dias, desfazer_ate };
      }
    }
  },
});
