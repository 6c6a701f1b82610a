import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { location } from './location.js';
import { locationErrors } from './locations.api.js';
import { AddLocation, RemoveLocation, RestoreLocation, UpdateLocation } from './locations.commands.js';
import { LocationsController } from './locations.controller.js';
import { locationHistory } from './locations.history.js';
import { locations } from './locations.projection.js';
import { GetLocationHandler, ListLocationsHandler } from './locations.queries.js';

@Module({
  controllers: [LocationsController],
  providers: [
    AddLocation.Handler,
    UpdateLocation.Handler,
    RemoveLocation.Handler,
    RestoreLocation.Handler,
    ListLocationsHandler,
    GetLocationHandler,
  ],
})
export class LocationsModule {
  static readonly feature: Feature = {
    aggregates: [location],
    projections: [locations],
    history: locationHistory,
    errors: locationErrors,
  };
}
