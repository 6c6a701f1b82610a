import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideAdd,
  decideRemove,
  decideRestore,
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
    expect(decideAdd(location_id, { ...fields, is_active: true })).toEqual([added]);
    expect(decideAdd(location_id, { ...fields, is_active: false })).toEqual([added, deactivated]);
  });

  it('records only what changes', () => {
    expect(decideUpdate(given(location, added), { nome: 'Academia Centro', endereco: null })).toEqual([
      { type: 'LocationUpdated', data: { location_id, endereco: null } },
    ]);
    expect(decideUpdate(given(location, added), { is_active: true })).toEqual([]);
  });

  it('is switched off and on', () => {
    expect(decideUpdate(given(location, added), { is_active: false })).toEqual([deactivated]);
    expect(decideUpdate(given(location, added, deactivated), { is_active: true })).toEqual([
      { type: 'LocationReactivated', data: { location_id } },
    ]);
  });

  it('is removed while no session takes place there, and restored as it was', () => {
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
