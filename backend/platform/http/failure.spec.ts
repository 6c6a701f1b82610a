import { ForbiddenException, NotFoundException } from '@nestjs/common';
import { describe, expect, it } from '@jest/globals';
import { toProblem } from './failure.js';
import { platformErrors } from './common.api.js';
import { mergeErrorTables, Problem, problemBody } from './problem.js';

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
    ['a transaction that took too long', postgres('25P04'), 'busy'],
    ['a server that only reads', postgres('25006'), 'busy'],
    ['a broken connection', postgres('08006'), 'busy'],
    ['a missing right', postgres('42501'), 'database.not_allowed'],
    ['a missing value', postgres('23502'), 'database.value_missing'],
    ['a table that is not there', postgres('42P01'), 'internal'],
    ['an absent server', Object.assign(new Error(''), { code: 'ECONNREFUSED' }), 'busy'],
    ['an exhausted pool', new Error('timeout exceeded when trying to connect'), 'busy'],
    ['a server that does not complete the handshake', new Error('timeout expired'), 'busy'],
    ['a server that does not answer', new Error('Query read timeout'), 'busy'],
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

  /**
   * The specification's table of database codes and messages. Codes of its hosted service (PGRST…) are replaced by their
   * meaning. The database's own messages are never shown.
   */
  it.each([
    [
      '42501: permission denied',
      postgres('42501'),
      'Sem permissão para esta ação. Confira seu login e tente de novo',
    ],
    [
      'PGRST301: permission denied by policies',
      new ForbiddenException(),
      'Você não tem permissão para esta ação',
    ],
    ['22P02: invalid id or format', postgres('22P02'), 'Há campos inválidos'],
    ['23502: required field missing', postgres('23502'), 'Falta preencher um campo obrigatório'],
    ['23505: value already exists', postgres('23505'), 'Este valor já existe'],
    ['23503: linked records', postgres('23503'), 'Não é possível remover: há registros vinculados'],
    ['PGRST116, PGRST204: no such record', new NotFoundException(), 'Não encontrado'],
    ['PGRST000: no connection', postgres('08006'), 'Serviço ocupado. Tente de novo em instantes'],
    ['PGRST001, UNKNOWN and others', postgres('XX000'), 'Ocorreu um erro inesperado.'],
  ])('says %s', (_code, failure, title) => {
    expect(problemBody(toProblem(failure), platformErrors, 'https://rende.example', 'x')).toMatchObject({
      title,
      detail: undefined,
    });
  });

  it.each([
    ['23502', { column: 'nome' }, 'Falta preencher um campo obrigatório: nome'],
    ['23505', { constraint: 'students_cpf_key' }, 'Este valor já existe: students_cpf_key'],
    ['23502', { column: 'Ana <ana@exemplo.com>' }, undefined],
    ['23505', {}, undefined],
  ])('of %s names only the column or constraint: %p', (code, names, detail) => {
    const values = { detail: 'Key (email)=(ana@exemplo.com) already exists.', table: 'students' };
    const body = problemBody(
      toProblem(Object.assign(postgres(code), names, values)),
      platformErrors,
      'https://rende.example',
      'x',
    );
    expect(body.detail).toBe(detail);
    expect(JSON.stringify(body)).not.toMatch(/ana@|words of the database/);
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
