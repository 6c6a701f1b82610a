import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { cancellationPolicy, type CancellationPolicySet, decideSet } from './cancellation-policy.js';
import { defaultPolicy } from './policies.api.js';

const location_id = '5b6f0b0e-55a6-4b53-8b5b-2f6a54f2b7d1';
const terms = { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true };
const set: CancellationPolicySet = { type: 'CancellationPolicySet', data: { location_id, ...terms } };

describe('a cancellation policy', () => {
  it('is 24 hours, without fee and without a credit, until one is set', () => {
    expect(given(cancellationPolicy)).toEqual({
      cancel_limite_horas: 24,
      taxa_percent: 0,
      queima_credito: false,
      own: false,
    });
  });

  it('is set for a location', () => {
    expect(decideSet(given(cancellationPolicy), location_id, terms)).toEqual([set]);
    expect(given(cancellationPolicy, set)).toEqual({ ...terms, own: true });
  });

  it('records nothing when it is set to its current terms', () => {
    expect(decideSet(given(cancellationPolicy, set), location_id, terms)).toEqual([]);
  });

  it('is recorded when it is set to the default terms for the first time', () => {
    expect(decideSet(given(cancellationPolicy), location_id, defaultPolicy)).toHaveLength(1);
  });
});
