import { expect, it } from '@jest/globals';
import { habitsOf } from './habits.api.js';

const session = (location_id: string | null, minutes: number, service?: string) => ({
  location_id,
  servico: service
    ? { id: service, usa_credito: true, nome: service, cor: 'azul' as const, endereco: null }
    : null,
  inicio: '2026-11-26T10:00:00.000Z',
  fim: new Date(Date.parse('2026-11-26T10:00:00.000Z') + minutes * 60_000).toISOString(),
});

it('a student usually trains what, where and as long as in most of the latest sessions', () => {
  expect(
    habitsOf([
      session('park', 60),
      session('gym', 45, 'duo'),
      session('gym', 45, 'duo'),
      session(null, 90, 'duo'),
    ]),
  ).toEqual({
    service_id: 'duo',
    location_id: 'gym',
    minutes: 45,
  });
  expect(habitsOf([session('park', 60), session('gym', 45)])).toEqual({
    service_id: null,
    location_id: 'park',
    minutes: 60,
  });
  expect(habitsOf([])).toEqual({ service_id: null, location_id: null, minutes: null });
});
