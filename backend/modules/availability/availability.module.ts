import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve } from '../../platform/http/serve.js';
import { availabilityApi, availabilityErrors } from './availability.api.js';
import { SetAvailability, SetAvailabilityException } from './availability.commands.js';
import { availabilityHistory } from './availability.history.js';
import { availability as projection } from './availability.projection.js';
import { ShowAvailability } from './availability.queries.js';
import { availability } from './availability.js';

@Module(
  serve(availabilityApi, {
    show: ShowAvailability,
    set: SetAvailability,
    setException: SetAvailabilityException,
  }),
)
export class AvailabilityModule {
  static readonly feature: Feature = {
    aggregates: [availability],
    projections: [projection],
    history: availabilityHistory,
    ownData: { trainer: { disponibilidade: `select horarios, excecoes from availability` } },
    errors: availabilityErrors,
  };
}
