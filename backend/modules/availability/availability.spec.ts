import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { availability, type AvailabilityEvent, decideSetException } from './availability.js';

const data = '2026-11-28';
const morning = { start_time: '08:00', end_time: '12:00', is_blocked: false };
const evening = { start_time: '18:00', end_time: '20:00', is_blocked: false };
const set = (...horarios: (typeof morning)[]): AvailabilityEvent => ({
  type: 'AvailabilityExceptionSet',
  data: { data, horarios },
});

it('an exception is refused if the rows of its date were changed since they were read', () => {
  const undo = { data, horarios: [], se_ainda: [morning] };
  const today = '2026-11-25';
  expect(decideSetException(given(availability, set(morning)), undo, today)).toEqual([set()]);
  const newer = given(availability, set(morning), set(morning, evening));
  expect(() => decideSetException(newer, undo, today)).toThrow(
    expect.objectContaining({ code: 'availability.changed' }),
  );
  expect(decideSetException(newer, { ...undo, se_ainda: [evening, morning] }, today)).toEqual([set()]);
  expect(decideSetException(given(availability), undo, today)).toEqual([]);
});
