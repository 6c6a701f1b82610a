import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { holidays } from './holiday-calendar.js';
import { holidaysApi, holidayErrors } from './holidays.api.js';
import { AddHoliday, SwitchHoliday, RemoveHoliday, RestoreHoliday } from './holidays.commands.js';
import { holidayHistory } from './holidays.history.js';
import { holidays as projection } from './holidays.projection.js';
import { ListHolidays } from './holidays.queries.js';

@Module(
  serve(holidaysApi, {
    list: ListHolidays,
    add: AddHoliday,
    switch: SwitchHoliday,
    remove: RemoveHoliday,
    restore: RestoreHoliday,
  }),
)
export class HolidaysModule {
  static readonly feature: Feature = {
    aggregates: [holidays],
    projections: [projection],
    history: holidayHistory,
    ownData: { trainer: { feriados: `select proprios, ligados from holidays` } },
    errors: holidayErrors,
  };
}
