import { ForbiddenException, NotFoundException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { toProblem } from './failure.js';
import { mergeErrorTables, Problem } from './problem.js';

const postgres = (code: string) =>
  Object.assign(new Error('words of the database'), { code, severity: 'ERROR' });

describe('failures as problems', () => {
  it.each([
    ['a value that exists', postgres('23505'), 'already_exists'],
    ['linked records', postgres('23503'), 'still_linked'],
    ['text that is no id', postgres('22P02'), 'validation'],
    ['a deadlock', postgres('40P01'), 'busy'],
    ['too many connections', postgres('53300'), 'busy'],
    ['a server that stops', postgres('57P01'), 'busy'],
    ['a broken connection', postgres('08006'), 'busy'],
    ['a missing right', postgres('42501'), 'internal'],
    ['an absent server', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'busy'],
    ['an exhausted pool', new Error('timeout exceeded when trying to connect'), 'busy'],
    ['a server that does not say who it is', new Error('timeout expired'), 'busy'],
    ['a server that says nothing', new Error('Query read timeout'), 'busy'],
    ['a lost connection', new Error('Connection terminated unexpectedly'), 'busy'],
    [
      'a large body',
      Object.assign(new Error(), { code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }),
      'too_large',
    ],
    [
      'another media type',
      Object.assign(new Error(), { code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }),
      'unsupported_media_type',
    ],
    ['an unknown route', new NotFoundException(), 'not_found'],
    ['a refusing guard', new ForbiddenException(), 'forbidden'],
    ['a mistake of ours', new TypeError('x is not a function'), 'internal'],
    ['something thrown that is no error', 'texto', 'internal'],
  ])('reads %s', (_what, failure, code) => {
    expect(toProblem(failure)).toMatchObject({ code, cause: failure });
  });

  it('leaves a problem as it is', () => {
    const problem = new Problem('credits.none_available');
    expect(toProblem(problem)).toBe(problem);
  });

  it('refuses one code with two meanings', () => {
    const table = { 'x.y': { status: 409, title: 'Um' } };
    expect(mergeErrorTables([table, table])).toEqual(table);
    expect(() => mergeErrorTables([table, { 'x.y': { status: 422, title: 'Um' } }])).toThrow('x.y');
  });
});
