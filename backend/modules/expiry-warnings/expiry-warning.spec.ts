import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decidePrepare,
  decideSent,
  decideUnsent,
  expiryWarning,
  type ExpiryWarningEvent,
} from './expiry-warning.js';

const wanted = {
  warning_id: '3f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d51',
  student_id: '5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e',
  expira_em: '2030-01-14',
  por_email: true,
};
const expires_at = '2030-01-15T03:00:00.000Z';
const { por_email: _, ...about } = { ...wanted, expires_at };
const prepared: ExpiryWarningEvent = { type: 'ExpiryWarningPrepared', data: { ...wanted, expires_at } };
const sent: ExpiryWarningEvent = { type: 'ExpiryWarningSent', data: about };
const unsent: ExpiryWarningEvent = { type: 'ExpiryWarningUnsent', data: about };

describe('a warning of credits that expire', () => {
  it('is prepared once', () => {
    expect(decidePrepare(undefined, { ...wanted, expires_at })).toEqual([prepared]);
    expect(decidePrepare(given(expiryWarning, prepared), { ...wanted, expires_at })).toEqual([]);
  });

  it('is marked as sent and unsent, each once', () => {
    expect(decideSent(given(expiryWarning, prepared))).toEqual([sent]);
    expect(decideSent(given(expiryWarning, prepared, sent))).toEqual([]);
    expect(decideUnsent(given(expiryWarning, prepared, sent))).toEqual([unsent]);
    expect(decideUnsent(given(expiryWarning, prepared))).toEqual([]);
    expect(() => decideSent(undefined)).toThrow(
      expect.objectContaining({ code: 'expiry-warnings.not_found' }),
    );
  });
});
