import {
  type Aggregate,
  changedFields,
  type PersonalFields,
  refuseChanged,
} from '../../platform/event-store/aggregate.js';
import { Problem } from '../../platform/http/problem.js';
import type { MinutesTo } from '../availability/ways.js';
import type { LocationChanges, NewLocation } from './locations.api.js';

/** Where the trainer works; `nome` is null once the trainer is forgotten. */
export interface LocationFields {
  nome: string | null;
  endereco: string | null;
  /** Eight digits. */
  cep: string | null;
}

export type LocationEvent =
  | { type: 'LocationAdded'; data: { location_id: string } & LocationFields }
  /** Only the fields that changed. */
  | { type: 'LocationUpdated'; data: { location_id: string } & Partial<LocationFields> }
  | { type: 'LocationDeactivated'; data: { location_id: string } }
  | { type: 'LocationReactivated'; data: { location_id: string } }
  | { type: 'LocationRemoved'; data: { location_id: string } }
  | { type: 'LocationRestored'; data: { location_id: string } }
  /** Travel time in minutes to another location, recorded at both; 0: removed. */
  | { type: 'LocationWaySet'; data: { location_id: string; para: string; minutos: number } };

export type LocationState =
  | { status: 'unknown' }
  | ({
      status: 'existing' | 'removed';
      location_id: string;
      is_active: boolean;
      deslocamentos: MinutesTo;
    } & LocationFields);
export type ExistingLocation = Exclude<LocationState, { status: 'unknown' }>;

const personal: PersonalFields<Partial<LocationFields>> = {
  person: (_data, tenantId) => tenantId,
  fields: ['nome', 'endereco', 'cep'],
};

export const location: Aggregate<LocationState, LocationEvent> = {
  name: 'location',
  initialState: { status: 'unknown' },
  evolve(state, { type, data }) {
    if (type === 'LocationAdded') return { status: 'existing', is_active: true, deslocamentos: {}, ...data };
    if (state.status === 'unknown') return state;
    switch (type) {
      case 'LocationUpdated':
        return { ...state, ...data };
      case 'LocationDeactivated':
        return { ...state, is_active: false };
      case 'LocationReactivated':
        return { ...state, is_active: true };
      case 'LocationRemoved':
        return { ...state, status: 'removed' };
      case 'LocationRestored':
        return { ...state, status: 'existing' };
      case 'LocationWaySet': {
        const { [data.para]: _, ...others } = state.deslocamentos;
        const { para, minutos } = data;
        return { ...state, deslocamentos: minutos === 0 ? others : { ...others, [para]: minutos } };
      }
    }
  },
  events: {
    LocationAdded: { schemaVersion: 1, personal },
    LocationUpdated: { schemaVersion: 1, personal },
    LocationDeactivated: { schemaVersion: 1 },
    LocationReactivated: { schemaVersion: 1 },
    LocationRemoved: { schemaVersion: 1 },
    LocationRestored: { schemaVersion: 1 },
    LocationWaySet: { schemaVersion: 1 },
  },
};

/** The location. @throws Problem 404 where it does not exist or was removed */
export function existingLocation(state: LocationState): ExistingLocation {
  if (state.status !== 'existing') throw new Problem('locations.not_found');
  return state;
}

export function decideAdd(
  location_id: string,
  { is_active, deslocamentos: _, ...fields }: NewLocation,
): LocationEvent[] {
  const added: LocationEvent = { type: 'LocationAdded', data: { location_id, ...fields } };
  return is_active ? [added] : [added, { type: 'LocationDeactivated', data: { location_id } }];
}

export function decideUpdate(
  state: LocationState,
  { is_active, deslocamentos: _, se_ainda, ...wanted }: LocationChanges,
): LocationEvent[] {
  const current = existingLocation(state);
  refuseChanged<LocationFields & { is_active: boolean }>('O local', current, se_ainda);
  const { location_id } = current;
  const changes = changedFields<LocationFields>(current, wanted);
  const events: LocationEvent[] = [];
  if (Object.keys(changes).length > 0)
    events.push({ type: 'LocationUpdated', data: { location_id, ...changes } });
  if (is_active !== undefined && is_active !== current.is_active) {
    events.push({ type: is_active ? 'LocationReactivated' : 'LocationDeactivated', data: { location_id } });
  }
  return events;
}

/** `inUse`: sessions refer to the location. */
export function decideRemove(state: LocationState, inUse: boolean): LocationEvent[] {
  const { location_id } = existingLocation(state);
  if (inUse) throw new Problem('locations.in_use');
  return [{ type: 'LocationRemoved', data: { location_id } }];
}

export function decideRestore(state: LocationState): LocationEvent[] {
  if (state.status === 'unknown') throw new Problem('locations.not_found');
  return state.status === 'existing'
    ? []
    : [{ type: 'LocationRestored', data: { location_id: state.location_id } }];
}

/** @throws Problem 422 for a travel time from a location to itself */
export function decideSetWay(state: LocationState, para: string, minutos: number): LocationEvent[] {
  const { location_id, deslocamentos } = existingLocation(state);
  if (para === location_id) throw new Problem('locations.same_place');
  if ((deslocamentos[para] ?? 0) === minutos) return [];
  return [{ type: 'LocationWaySet', data: { location_id, para, minutos } }];
}
