import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { holidays } from './holiday-calendar.js';
import { holidayErrors } from './holidays.api.js';
import { AddHoliday, RemoveHoliday, RestoreHoliday, SwitchHoliday } from './holidays.commands.js';
import { HolidaysController } from './holidays.controller.js';
import { holidayHistory } from './holidays.history.js';
import { holidays as projection } from './holidays.projection.js';
import { ListHolidays } from './holidays.queries.js';

@Module({
  controllers: [HolidaysController],
  providers: [
    AddHoliday.Handler,
    RemoveHoliday.Handler,
    RestoreHoliday.Handler,
    SwitchHoliday.Handler,
    ListHolidays.Handler,
  ],
})
export class HolidaysModule {
  static readonly feature: Feature = {
    aggregates: [holidays],
    projections: [projection],
    history: holidayHistory,
    errors: holidayErrors,
  };
}
