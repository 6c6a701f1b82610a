import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { vacationsApi, vacationErrors } from './vacations.api.js';
import { ActivateVacation, RemoveVacation, RestoreVacation, UndoVacation } from './vacations.commands.js';
import { vacationHistory } from './vacations.history.js';
import { vacationEffects, vacations } from './vacations.projection.js';
import { PreviewVacation, ListVacations, ListVacationMessages } from './vacations.queries.js';

@Module(
  together(
    serve(vacationsApi, {
      preview: PreviewVacation,
      list: ListVacations,
      activate: ActivateVacation,
      remove: RemoveVacation,
      restore: RestoreVacation,
      undo: UndoVacation,
      messages: ListVacationMessages,
    }),
  ),
)
export class VacationsModule {
  static readonly feature: Feature = {
    projections: [vacations, vacationEffects],
    history: vacationHistory,
    ownData: {
      trainer: {
        ferias: `select v.id, v.start_date, v.end_date, v.description, v.status, e.canceladas, e.movidas, e.creditos, e.dias
          from vacations v left join vacation_effects e on e.tenant_id = v.tenant_id and e.id = v.id
          order by v.start_date, v.id`,
      },
    },
    errors: vacationErrors,
  };
}
