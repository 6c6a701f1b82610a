import { describe, expect, it, jest } from '@jest/globals';
import { describeError, JsonLogger, readable, withoutPersons } from './logger.js';

describe('what is logged of an error', () => {
  it('leaves out messages of the database, which quote values', () => {
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

it('lines of one outage are written at growing intervals, whichever logger writes them', () => {
  const now = jest.spyOn(Date, 'now').mockReturnValue(0);
  const logger = new JsonLogger('silent');
  const warn = jest.spyOn(logger.pino, 'warn').mockReturnValue();
  const line = { msg: 'sweep failed', err: { code: 'ECONNREFUSED' } };
  logger.warn(line, 'One');
  logger.warn(line, 'Other');
  now.mockReturnValue(1_000);
  logger.warn(line, 'One');

  expect(warn.mock.calls).toEqual([[{ context: 'One', ...line }], [{ context: 'One', ...line, leftOut: 1 }]]);
  jest.restoreAllMocks();
});

it('a line on a terminal is readable', () => {
  const time = '2026-11-27T12:00:00.000Z';
  const line = { level: 40, time, context: 'Mailer', msg: 'not sent', err: { code: 'ECONNREFUSED' } };
  expect(readable(JSON.stringify(line))).toBe(
    `${new Date(time).toLocaleTimeString('pt-BR')} WARN Mailer: not sent { err: { code: 'ECONNREFUSED' } }\n`,
  );
  expect(readable(JSON.stringify({ level: 30, time, msg: 'answered' }))).toMatch(/ INFO answered\n$/);
});

describe('what is logged of a line', () => {
  it('leaves out the personal fields of the line and of the objects in it', () => {
    const at = new Date(0);
    const line = {
      msg: 'sent',
      telefone: '11987654321',
      at,
      student: { id: 's1', nome: 'Ana' },
      ids: ['s1'],
    };
    expect(withoutPersons(line)).toEqual({ msg: 'sent', at, student: { id: 's1' }, ids: ['s1'] });
  });
});
