import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { availabilityErrors } from './availability.api.js';
import { SetAvailability, SetAvailabilityException } from './availability.commands.js';
import { AvailabilityController } from './availability.controller.js';
import { availabilityHistory } from './availability.history.js';
import { availability as projection } from './availability.projection.js';
import { ListFreeTimes, ShowAvailability } from './availability.queries.js';
import { availability } from './availability.js';

@Module({
  controllers: [AvailabilityController],
  providers: [
    SetAvailability.Handler,
    SetAvailabilityException.Handler,
    ShowAvailability.Handler,
    ListFreeTimes.Handler,
  ],
})
export class AvailabilityModule {
  static readonly feature: Feature = {
    aggregates: [availability],
    projections: [projection],
    history: availabilityHistory,
    errors: availabilityErrors,
  };
}
