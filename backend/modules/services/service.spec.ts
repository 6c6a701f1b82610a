import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  agreed,
  decideCreate,
  decideRemove,
  decideRestore,
  decideUpdate,
  offeredService,
  service,
  type ServiceEvent,
} from './service.js';

const service_id = '3c1d2f60-8a55-4b0e-9a3c-6e2d1b7f9a10';
const fields = {
  nome: 'Avaliação',
  duracao_min: 30,
  valor: 15_000,
  usa_credito: false,
  cor: 'verde' as const,
  locais: null,
  endereco: null,
  na_pagina: true,
  para_alunos: false,
};
const created: ServiceEvent = { type: 'ServiceCreated', data: { service_id, ...fields } };
const deactivated: ServiceEvent = { type: 'ServiceDeactivated', data: { service_id } };
const removed: ServiceEvent = { type: 'ServiceRemoved', data: { service_id } };

const refusal = (code: string) => expect.objectContaining({ code });

describe('a service', () => {
  it('is created with its fields, and changed back only while what was changed stands', () => {
    expect(decideCreate(service_id, fields)).toEqual([created]);
    const edited = decideUpdate(given(service, created), { valor: 18_000, duracao_min: 30 });
    expect(edited).toEqual([{ type: 'ServiceUpdated', data: { service_id, valor: 18_000 } }]);
    const back = { valor: 15_000, se_ainda: { valor: 18_000 } };
    expect(decideUpdate(given(service, created, ...edited), back)).toMatchObject([
      { data: { valor: 15_000 } },
    ]);
    expect(() => decideUpdate(given(service, created), back)).toThrow(refusal('changed_since'));
  });

  it('has either locations and the public page, or the address of a meeting, also by two changes', () => {
    const onPage = given(service, created);
    const link = { endereco: 'https://meet.example.com/abc' };
    expect(() => decideUpdate(onPage, link)).toThrow(refusal('broken_rule'));
    const online = decideUpdate(onPage, { ...link, na_pagina: false });
    for (const change of [{ locais: [service_id] }, { na_pagina: true }])
      expect(() => decideUpdate(given(service, created, ...online), change)).toThrow(refusal('broken_rule'));
  });

  it('is booked while it is offered, and the session keeps price, credit and address', () => {
    expect(agreed(offeredService(given(service, created)))).toEqual({
      service_id,
      valor: 15_000,
      usa_credito: false,
    });
    const online = given(service, {
      ...created,
      data: { ...created.data, endereco: 'https://meet.example.com/abc' },
    });
    expect(agreed(offeredService(online))).toMatchObject({ endereco: 'https://meet.example.com/abc' });
    expect(() => offeredService(given(service, created, deactivated))).toThrow(refusal('services.inactive'));
    expect(() => offeredService(given(service, created, removed))).toThrow(refusal('services.not_found'));
  });

  it('is deactivated and reactivated, removed only while no session has it, and restored unchanged', () => {
    expect(decideUpdate(given(service, created), { is_active: false })).toEqual([deactivated]);
    expect(decideUpdate(given(service, created, deactivated), { is_active: true })).toEqual([
      { type: 'ServiceReactivated', data: { service_id } },
    ]);
    expect(decideRemove(given(service, created), false)).toEqual([removed]);
    expect(() => decideRemove(given(service, created), true)).toThrow(refusal('services.in_use'));
    const [restored] = decideRestore(given(service, created, removed));
    expect(given(service, created, removed, restored!)).toEqual(given(service, created));
  });
});
