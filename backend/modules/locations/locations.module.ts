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
import { postalCodeErrors, postalCodesApi } from './postal-codes.api.js';
import { FindPostalCode, PostalCodes } from './postal-codes.service.js';

/**
 * Travel times between two locations (`LocationWaySet`, recorded at both) stay free before and after sessions at the other
 * location: in the times offered to students and visitors, who cannot book others (`availability/ways.ts`), and in those offered
 * to the trainer, who may. Commands look up the locations of sessions only where the location has travel times.
 *
 * Postal codes (`postal-codes` in `locations`) are looked up by the server at the configured public providers, one after
 * another, within a second and a half, and stored in a table without a tenant. Only the code is sent, from the server's address;
 * `off` (`VIACEP_URL`, `BRASILAPI_URL`) keeps it on the machine, and addresses are typed.
 */
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
    serve(postalCodesApi, { find: FindPostalCode }),
    { providers: [PostalCodeProviders, PostalCodes] },
  ),
)
export class LocationsModule {
  static readonly feature: Feature = {
    aggregates: [location],
    projections: [locations],
    history: locationHistory,
    ownData: {
      trainer: {
        locais: `select id, nome, endereco, cep, is_active, deslocamentos, status = 'removed' as excluido, criado_em
          from locations order by criado_em, id`,
      },
    },
    errors: { ...locationErrors, ...postalCodeErrors },
  };
}
