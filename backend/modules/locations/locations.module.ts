import { Module } from '@nestjs/common';
import type { Feature } from '../../platform/features.js';
import { serve, together } from '../../platform/http/serve.js';
import type { HistoryWording, HistoryWords } from '../../platform/event-store/history.js';
import { stateProjection } from '../../platform/projections/projection.js';
import { searchable } from '../../platform/searchable.api.js';
import {
  location,
  type ExistingLocation,
  type LocationState,
  type LocationEvent,
  type LocationFields,
} from './location.js';
import { locationsApi, locationErrors, type Location } from './locations.api.js';
import { AddLocation, RemoveLocation, RestoreLocation, UpdateLocation } from './locations.commands.js';
import { PostalCodeProviders } from './postal-code-providers.service.js';
import { postalCodeErrors, postalCodesApi } from './postal-codes.api.js';
import { FindPostalCode, PostalCodes } from './postal-codes.service.js';
import type { Selectable } from 'kysely';
import { catalogue } from '../../platform/database/catalogue.js';
import type { Locations as StoredLocation } from '../../platform/database/schema.generated.js';
import type { MinutesTo } from '../availability/ways.js';

function shown(row: Selectable<StoredLocation>): Location {
  return {
    id: row.id,
    nome: row.nome ?? 'Local sem nome',
    endereco: row.endereco,
    cep: row.cep,
    is_active: row.is_active,
    deslocamentos: Object.entries(row.deslocamentos as MinutesTo).map(([location_id, minutos]) => ({
      location_id,
      minutos,
    })),
    criado_em: row.criado_em.toISOString(),
  };
}

const { List, Get } = catalogue('locations', { missing: 'locations.not_found', shown });

const labels: Record<keyof LocationFields, string> = { nome: 'nome', endereco: 'endereço', cep: 'CEP' };

const subjects = ({ location_id }: { location_id: string }) => [`location:${location_id}`];
const said = (words: string): HistoryWording => ({ subjects, words: () => words });

/** `nome (Academia Centro)`; an emptied field is named without a value. */
function changed(changes: Partial<LocationFields>): string {
  return Object.entries(labels)
    .filter(([field]) => field in changes)
    .map(([field, label]) => {
      const value = changes[field as keyof LocationFields];
      return value ? `${label} (${value})` : label;
    })
    .join(', ');
}

const locationHistory: HistoryWords<LocationEvent> = {
  LocationAdded: {
    subjects,
    words: ({ nome }) => (nome === null ? 'Cadastrou o local' : `Cadastrou o local ${nome}`),
  },
  LocationUpdated: { subjects, words: (changes) => `Alterou ${changed(changes)}` },
  LocationDeactivated: said('Inativou o local'),
  LocationReactivated: said('Reativou o local'),
  LocationRemoved: said('Excluiu o local'),
  LocationWaySet: {
    subjects,
    words: ({ minutos }) =>
      minutos === 0
        ? 'Removeu o tempo de deslocamento até outro local'
        : `Definiu ${minutos} min de deslocamento até outro local`,
  },
  LocationRestored: said('Desfez a exclusão do local'),
};

type LocationRow = ExistingLocation & { busca: string; criado_em: string };

/** Folded state of each location; removed locations keep their row, so that they can be restored. */
const locations = stateProjection(location, {
  name: 'locations',
  version: 3,
  topic: 'locations',
  table: 'locations',
  students: 'all',
  evolve(row: LocationRow | undefined, event) {
    const before: LocationState = row ?? location.initialState;
    const after = location.evolve(before, event);
    if (after.status === 'unknown') return null;
    return {
      ...after,
      busca: searchable(after.nome ?? ''),
      criado_em: row?.criado_em ?? event.recordedAt.toISOString(),
    };
  },
});

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
      list: List,
      add: AddLocation,
      get: Get,
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
