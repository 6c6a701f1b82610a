import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { location } from './location.js';
import { locationErrors } from './locations.api.js';
import { AddLocation, RemoveLocation, RestoreLocation, UpdateLocation } from './locations.commands.js';
import { LocationsController } from './locations.controller.js';
import { locationHistory } from './locations.history.js';
import { locations } from './locations.projection.js';
import { GetLocation, ListLocations } from './locations.queries.js';
import { PostalCodeProviders } from './postal-code-providers.service.js';
import { postalCodeErrors } from './postal-codes.api.js';
import { PostalCodesController } from './postal-codes.controller.js';
import { PostalCodes } from './postal-codes.service.js';

@Module({
  controllers: [LocationsController, PostalCodesController],
  providers: [
    AddLocation.Handler,
    UpdateLocation.Handler,
    RemoveLocation.Handler,
    RestoreLocation.Handler,
    ListLocations.Handler,
    GetLocation.Handler,
    PostalCodeProviders,
    PostalCodes,
  ],
})
export class LocationsModule {
  static readonly feature: Feature = {
    aggregates: [location],
    projections: [locations],
    history: locationHistory,
    errors: { ...locationErrors, ...postalCodeErrors },
  };
}
