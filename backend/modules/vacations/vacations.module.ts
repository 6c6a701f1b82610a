import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { definePrice } from '../audit/price.queries.js';
import { vacationsApi, vacationErrors } from './vacations.api.js';
import { ActivateVacation, RemoveVacation, RestoreVacation, UndoVacation } from './vacations.commands.js';
import { vacationHistory } from './vacations.history.js';
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
      undoPrice: definePrice<[string]>('PriceUndoVacation', UndoVacation),
      messages: ListVacationMessages,
    }),
  ),
)
export class VacationsModule {
  static readonly feature: Feature = {
    history: vacationHistory,
    errors: vacationErrors,
  };
}
