import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { vacation, vacationCalendar } from './vacation.js';
import { vacationErrors } from './vacations.api.js';
import { ActivateVacation, RemoveVacation, RestoreVacation, UndoVacation } from './vacations.commands.js';
import { VacationsController } from './vacations.controller.js';
import { vacationHistory } from './vacations.history.js';
import { vacationEffects, vacations } from './vacations.projection.js';
import { ListVacationMessages, ListVacations, PreviewVacationHandler } from './vacations.queries.js';

@Module({
  controllers: [VacationsController],
  providers: [
    ActivateVacation.Handler,
    UndoVacation.Handler,
    RemoveVacation.Handler,
    RestoreVacation.Handler,
    ListVacations.Handler,
    PreviewVacationHandler,
    ListVacationMessages.Handler,
  ],
})
export class VacationsModule {
  static readonly feature: Feature = {
    aggregates: [vacationCalendar, vacation],
    projections: [vacations, vacationEffects],
    history: vacationHistory,
    errors: vacationErrors,
  };
}
