import { expect, it } from '@jest/globals';
import { habitsOf } from './habits.api.js';

const session = (location_id: string | null, minutes: number) => ({
  location_id,
  inicio: '2026-11-26T10:00:00.000Z',
  fim: new Date(Date.parse('2026-11-26T10:00:00.000Z') + minutes * 60_000).toISOString(),
});

it('a student usually trains where and as long as in most of the latest sessions', () => {
  expect(habitsOf([session('park', 60), session('gym', 45), session('gym', 45), session(null, 90)])).toEqual({
    location_id: 'gym',
    minutes: 45,
  });
  expect(habitsOf([session('park', 60), session('gym', 45)])).toEqual({ location_id: 'park', minutes: 60 });
  expect(habitsOf([])).toEqual({ location_id: null, minutes: null });
});
