import { expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { decideAccept, generalTerms } from './general-terms.js';

it('each version of the terms is accepted once', () => {
  const [first] = decideAccept(given(generalTerms), '2025-01-01');
  expect(first).toEqual({ type: 'GeneralTermsAccepted', data: { versao: '2025-01-01' } });
  expect(decideAccept(given(generalTerms, first!), '2025-01-01')).toEqual([]);
  expect(decideAccept(given(generalTerms, first!), '2026-03-01')).toHaveLength(1);
});
