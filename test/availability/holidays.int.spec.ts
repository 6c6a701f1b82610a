import { beforeEach, expect, it } from '@jest/globals';
import type { HolidayList } from '../../backend/modules/holidays/holidays.api.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

let trainer: Trainer;

const app = await sharedApp();

beforeEach(async () => {
  trainer = await signUp(app);
});

const list = async (from: string, to: string) =>
  (await trainer.api.get<HolidayList>('/holidays', { query: { from, to } })).body.items;

it('holidays are switched, and own ones added, removed and restored', async () => {
  const christmas = { id: 'natal', nome: 'Natal', data: '2030-12-25', tipo: 'nacional', anual: true };
  expect(await list('2030-12-01', '2030-12-31')).toEqual([{ ...christmas, ativo: true }]);
  await trainer.api.put('/holidays/natal', { ativo: false });
  expect(await list('2030-12-01', '2030-12-31')).toEqual([{ ...christmas, ativo: false }]);

  const own = { nome: 'Aniversário da cidade', data: '2031-01-25', anual: true };
  const { id } = (await trainer.api.post('/holidays', own)).body;
  const shown = { ...own, id, tipo: 'proprio', ativo: true };
  expect(await list('2031-01-10', '2031-01-31')).toEqual([shown]);
  expect(await list('2032-01-10', '2032-01-31')).toEqual([{ ...shown, data: '2032-01-25' }]);
  await trainer.api.put(`/holidays/${id}`, { ativo: false });
  expect(await list('2031-01-10', '2031-01-31')).toEqual([{ ...shown, ativo: false }]);
  await trainer.api.delete(`/holidays/${id}`);
  expect(await list('2031-01-10', '2031-01-31')).toEqual([]);
  await trainer.api.post(`/holidays/${id}/restore`);
  expect(await list('2031-01-10', '2031-01-31')).toHaveLength(1);
  await expectRebuildToEqualLive(app, 'holidays');
});

it.each([
  ['PUT', '/holidays/dia-do-personal', { ativo: true }, 404],
  ['DELETE', '/holidays/5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e', undefined, 404],
  ['POST', '/holidays', { nome: '', data: '2030-12-24', anual: false }, 400],
  ['GET', '/holidays?from=2030-01-01&to=2032-01-01', undefined, 400],
])('%s %s is refused as invalid', async (method, path, body, status) => {
  const answer = await trainer.api.request(method, `/api/v1${path}`, body ? { body } : {});
  expect(answer.status).toBe(status);
});
