import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideAdd,
  decideRemove,
  decideRestore,
  decideSetWay,
  decideUpdate,
  location,
  type LocationEvent,
} from './location.js';

const location_id = '5b6f0b0e-55a6-4b53-8b5b-2f6a54f2b7d1';
const fields = {
  nome: 'Academia Centro',
  endereco: 'Rua Direita, 10, Centro, São Paulo, SP',
  cep: '01310100',
};
const added: LocationEvent = { type: 'LocationAdded', data: { location_id, ...fields } };
const deactivated: LocationEvent = { type: 'LocationDeactivated', data: { location_id } };
const removed: LocationEvent = { type: 'LocationRemoved', data: { location_id } };

const refusal = (code: string) => expect.objectContaining({ code });

describe('a location', () => {
  it('is added active, or inactive when asked', () => {
    expect(decideAdd(location_id, { ...fields, is_active: true, deslocamentos: [] })).toEqual([added]);
    expect(decideAdd(location_id, { ...fields, is_active: false, deslocamentos: [] })).toEqual([
      added,
      deactivated,
    ]);
  });

  it('records only changed fields', () => {
    expect(decideUpdate(given(location, added), { nome: 'Academia Centro', endereco: null })).toEqual([
      { type: 'LocationUpdated', data: { location_id, endereco: null } },
    ]);
    expect(decideUpdate(given(location, added), { is_active: true })).toEqual([]);
  });

  it('is changed back only while what was changed stands', () => {
    const edited = decideUpdate(given(location, added), { endereco: null });
    const back = { endereco: fields.endereco, se_ainda: { endereco: null } };
    expect(decideUpdate(given(location, added, ...edited), back)).toHaveLength(1);
    expect(() => decideUpdate(given(location, added), back)).toThrow(refusal('changed_since'));
  });

  it('is deactivated and activated', () => {
    expect(decideUpdate(given(location, added), { is_active: false })).toEqual([deactivated]);
    expect(decideUpdate(given(location, added, deactivated), { is_active: true })).toEqual([
      { type: 'LocationReactivated', data: { location_id } },
    ]);
  });

  it('is removed only while no session refers to it, and restored unchanged', () => {
    expect(decideRemove(given(location, added, deactivated), false)).toEqual([removed]);
    expect(() => decideRemove(given(location, added), true)).toThrow(refusal('locations.in_use'));
    const [restored] = decideRestore(given(location, added, deactivated, removed));
    expect(given(location, added, deactivated, removed, restored!)).toEqual(
      given(location, added, deactivated),
    );
    expect(decideRestore(given(location, added))).toEqual([]);
  });

  it('is not found before it was added or after it was removed', () => {
    expect(() => decideUpdate(given(location), { nome: 'Parque' })).toThrow(refusal('locations.not_found'));
    expect(() => decideRemove(given(location, added, removed), false)).toThrow(
      refusal('locations.not_found'),
    );
    expect(() => decideRestore(given(location))).toThrow(refusal('locations.not_found'));
  });
});

describe('the travel time to another location', () => {
  const para = '3c5d7e9f-1a2b-4c3d-8e4f-5a6b7c8d9e0f';
  const way = (minutos: number): LocationEvent => ({
    type: 'LocationWaySet',
    data: { location_id, para, minutos },
  });

  it('is recorded where it changes, and removed by 0 minutes', () => {
    expect(decideSetWay(given(location, added), para, 40)).toEqual([way(40)]);
    const known = given(location, added, way(40));
    expect(known).toMatchObject({ deslocamentos: { [para]: 40 } });
    expect(decideSetWay(known, para, 40)).toEqual([]);
    expect(decideSetWay(known, para, 0)).toEqual([way(0)]);
    expect(given(location, added, way(40), way(0))).toEqual(given(location, added));
  });

  it('is refused from a location to itself and from an unknown one', () => {
    expect(() => decideSetWay(given(location, added), location_id, 5)).toThrow(
      refusal('locations.same_place'),
    );
    expect(() => decideSetWay(given(location, added, removed), para, 5)).toThrow(
      refusal('locations.not_found'),
    );
  });
});
