import { describe, expect, it } from '@jest/globals';
import { describeError } from './logger.js';

describe('what is logged of an error', () => {
  it('leaves out the words of the database, which quote values', () => {
    const error = Object.assign(new Error('invalid input syntax for type uuid: "maria@exemplo.com"'), {
      severity: 'ERROR',
      code: '23505',
      constraint: 'users_email_key',
      detail: 'Key (email)=(maria@exemplo.com) already exists.',
    });
    const described = describeError(new Error('could not sign up', { cause: error }));
    expect(JSON.stringify(described)).not.toContain('maria');
    expect(described).toMatchObject({
      message: 'could not sign up',
      cause: { code: '23505', constraint: 'users_email_key', stack: expect.stringContaining('    at ') },
    });
  });
});
