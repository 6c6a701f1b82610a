import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { stateProjection, rowProjection } from '../../platform/projections/projection.js';
import { studentPause } from './student-pause.js';
import { vacation, vacationCalendar, type VacationCalendarEvent, type VacationEffects } from './vacation.js';

interface VacationRow {
  start_date: string;
  end_date: string;
  description: string | null;
  status: 'active' | 'removed' | 'undone';
}

/** Vacations, including removed and undone ones. */
const vacations = rowProjection<VacationRow, VacationCalendarEvent>({
  name: 'vacations',
  topic: 'availability',
  table: 'vacations',
  students: 'all',
  events: ['VacationActivated', 'VacationRemoved', 'VacationRestored', 'VacationUndone'],
  keys: ({ data }) => [data.vacation_id],
  evolve(row, { type, data }) {
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
const vacationEffects = stateProjection(vacation, {
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

/** The last pause of each student, under the student's id. */
const studentPauses = stateProjection(studentPause, {
  name: 'student-pauses',
  topic: 'students',
  table: 'student_pauses',
  students: ({ student_id }) => [student_id as string],
  evolve(row: { desde: string; ate: string } | undefined, event) {
    const rest = { lotes: [], antes: [], sem_sessoes_ate: null, canceladas: [], ultima: null };
    const after = studentPause.evolve(row && { ...row, ...rest }, event);
    return after ? { desde: after.desde, ate: after.ate } : null;
  },
});

/** Who is away when: pauses of students and vacations of the trainer, which credits, charges and the agenda go by. */
@Module({})
export class AwayModule {
  static readonly feature: Feature = {
    aggregates: [studentPause, vacationCalendar, vacation],
    projections: [studentPauses, vacations, vacationEffects],
    ownData: {
      trainer: {
        pausas: 'select id as student_id, desde, ate from student_pauses order by id',
        ferias: `select v.id, v.start_date, v.end_date, v.description, v.status, e.canceladas, e.movidas, e.creditos, e.dias
          from vacations v left join vacation_effects e on e.tenant_id = v.tenant_id and e.id = v.id
          order by v.start_date, v.id`,
      },
      student: { pausa: 'select desde, ate from student_pauses where id = $1' },
    },
  };
}
