import { describe, expect, it, jest } from '@jest/globals';
import { describeError, JsonLogger, readable, withoutPersons, LogBackoff } from './logger.js';

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

const failure = (code: string, msg = 'projecting failed') => ({ msg, err: { name: 'error', code } });

it('logs the first line of an outage, then lines at growing intervals, with the number of lines left out', () => {
  let now = 0;
  const backoff = new LogBackoff(() => now);
  const written: [number, number][] = [];
  for (; now < 3_600_000; now += 100) {
    const leftOut = backoff.leftOutBefore(failure('53100'));
    if (leftOut !== undefined) written.push([now / 1000, leftOut]);
  }
  expect(written.slice(0, 4)).toEqual([
    [0, 0],
    [1, 9],
    [3, 19],
    [7, 39],
  ]);
  expect(written).toHaveLength(15);
  const counted = written.reduce((sum, [, leftOut]) => sum + leftOut + 1, 0);
  expect(counted).toBeGreaterThan(30_000);
});

it('counts kinds of outages separately, and starts over after a quiet time', () => {
  let now = 0;
  const backoff = new LogBackoff(() => now);
  const failures = [failure('53100'), failure('53100', 'sweep failed'), failure('ECONNREFUSED')];
  expect(failures.map((each) => backoff.leftOutBefore(each))).toEqual([0, 0, 0]);
  expect(backoff.leftOutBefore(failure('53100'))).toBeUndefined();
  now = 60_000;
  expect(backoff.leftOutBefore(failure('53100'))).toBe(1);
  now = 61_000;
  expect(backoff.leftOutBefore(failure('53100'))).toBe(0);
});

it('finds the outage that caused another error, and logs every line about anything else', () => {
  const backoff = new LogBackoff(() => 0);
  const behind = { msg: 'request failed', err: { name: 'Problem', cause: { code: '53100' } } };
  const mistake = failure('23505');
  expect([behind, behind].map((each) => backoff.leftOutBefore(each))).toEqual([0, undefined]);
  expect([mistake, mistake, { msg: 'started' }].map((each) => backoff.leftOutBefore(each))).toEqual([
    0, 0, 0,
  ]);
});
