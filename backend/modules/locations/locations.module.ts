import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import { location } from './location.js';
import { locationsApi, locationErrors } from './locations.api.js';
import { AddLocation, UpdateLocation, RemoveLocation, RestoreLocation } from './locations.commands.js';
import { locationHistory } from './locations.history.js';
import { locations } from './locations.projection.js';
import { ListLocations, GetLocation } from './locations.queries.js';
import { PostalCodeProviders } from './postal-code-providers.service.js';
import { postalCodeErrors } from './postal-codes.api.js';
import { PostalCodesController } from './postal-codes.controller.js';
import { PostalCodes } from './postal-codes.service.js';

@Module(
  together(
    serve(locationsApi, {
      list: ListLocations,
      add: AddLocation,
      get: GetLocation,
      update: UpdateLocation,
      remove: RemoveLocation,
      restore: RestoreLocation,
    }),
    { controllers: [PostalCodesController], providers: [PostalCodeProviders, PostalCodes] },
  ),
)
export class LocationsModule {
  static readonly feature: Feature = {
    aggregates: [location],
    projections: [locations],
    history: locationHistory,
    errors: { ...locationErrors, ...postalCodeErrors },
  };
}
