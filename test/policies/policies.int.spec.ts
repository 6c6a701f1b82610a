import { describe, expect, it } from '@jest/globals';
import type { PolicyPage } from '../../backend/modules/policies/policies.api.js';
import { countEvents } from '../support/database.js';
import { signUp } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const app = await sharedApp();
const trainer = await signUp(app);
const location = (await trainer.api.post('/locations', { nome: 'Academia Centro' })).body.id;

const strict = { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true };
const policies = async (query = {}) => (await trainer.api.get<PolicyPage>('/policies', { query })).body;

describe('the cancellation policy of a location', () => {
  it('is 24 hours, no fee and no credit until one is set', async () => {
    expect(await policies()).toEqual({
      items: [
        {
          location_id: location,
          location_nome: 'Academia Centro',
          cancel_limite_horas: 24,
          taxa_percent: 0,
          queima_credito: false,
          padrao: true,
        },
      ],
      next: null,
    });
  });

  it('can be set and changed', async () => {
    await trainer.api.put(`/locations/${location}/policy`, { ...strict, taxa_percent: 100 });
    await trainer.api.put(`/locations/${location}/policy`, strict);
    expect((await policies()).items).toEqual([expect.objectContaining({ ...strict, padrao: false })]);
  });

  it('set to its current terms records nothing', async () => {
    await trainer.api.put(`/locations/${location}/policy`, strict);
    const before = await countEvents();
    await trainer.api.put(`/locations/${location}/policy`, strict);
    expect(await countEvents()).toBe(before);
  });

  it('is listed in the order of the locations, in pages', async () => {
    await trainer.api.post('/locations', { nome: 'Água Branca' });
    const { items, next } = await policies({ limit: 1 });
    expect(items.map(({ location_nome }) => location_nome)).toEqual(['Academia Centro']);
    expect(await policies({ limit: 1, cursor: next })).toMatchObject({
      items: [{ location_nome: 'Água Branca', padrao: true }],
      next: null,
    });
  });

  it.each([
    [{ ...strict, cancel_limite_horas: -1 }, '/cancel_limite_horas'],
    [{ ...strict, cancel_limite_horas: 721 }, '/cancel_limite_horas'],
    [{ ...strict, taxa_percent: 101 }, '/taxa_percent'],
  ])('is refused as %j', async (terms, pointer) => {
    const { body } = await trainer.api.put(`/locations/${location}/policy`, terms, { status: 400 });
    expect(body).toMatchObject({ errors: [{ pointer }] });
  });
});

it('a rebuild gives the same policies', async () => {
  await policies();
  await expectRebuildToEqualLive(app, 'policies');
});
