import { describe, expect, it } from '@jest/globals';
import * as z from 'zod/mini';
import { calendarDate, cents, id, instant, pageQuery, rule, text } from './common.api.js';
import { Problem } from './problem.js';
import { validate } from './read-request.js';

const booking = z
  .strictObject({
    student_id: id,
    inicio: instant,
    fim: instant,
    valor: z.optional(cents),
    observacoes: z.optional(text(0, 20)),
  })
  .check(rule(({ inicio, fim }) => fim > inicio, 'O fim deve ser depois do início', ['fim']));

const valid = {
  student_id: '7D4F5F5E-2F0B-4C64-9A3F-0A4C8E6A7C11',
  inicio: '2026-11-20T10:00:00-03:00',
  fim: '2026-11-20T14:00:00Z',
};

function problemOf(schema: z.ZodMiniType, value: unknown): Problem {
  try {
    validate(schema, value);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
  throw new Error('was taken');
}

describe('a text', () => {
  it.each([
    ['direction signs', 'Ana\u202e \u2066gnp.exe\u2069\u200f\u061c', 'Ana gnp.exe'],
    ['invisible signs', '\u200bA\ufeffn\u2060a\u200d S\u200couza', 'Ana Souza'],
    ['invisible signs around it', '\u200b Ana \u200e', 'Ana'],
    ['Arabic and Hebrew', 'ليلى שרה', 'ليلى שרה'],
    ['a joiner that Persian needs', 'می\u200cخواهم', 'می\u200cخواهم'],
    ['an emoji of several signs', 'Ana 👩🏽\u200d🚀', 'Ana 👩🏽\u200d🚀'],
    ['the flag of a region', '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}', '\u{1f3f4}\u{e0067}\u{e0062}\u{e007f}'],
    ['invisible signs of a flag without it', 'A\u{e0067}n\u{e0101}a', 'Ana'],
    ['soft hyphens and blank letters', 'A\u00adn\u3164a\uffa0', 'Ana'],
    ['joiners before what they cannot join', 'مي\u200c 100\u200d,00 👩\u200d', 'مي 100,00 👩'],
  ])('with %s is kept without what makes it look like another', (_what, typed, kept) => {
    expect(validate(text(2, 120), typed)).toBe(kept);
  });

  it('of invisible signs alone is too short', () => {
    expect(problemOf(text(2, 120), '\u200d\u200d\u202e\u202e').code).toBe('validation');
  });
});

describe('validation', () => {
  it('reads ids in lower case and instants in UTC', () => {
    expect(validate(booking, valid)).toEqual({
      student_id: '7d4f5f5e-2f0b-4c64-9a3f-0a4c8e6a7c11',
      inicio: '2026-11-20T13:00:00.000Z',
      fim: '2026-11-20T14:00:00.000Z',
    });
  });

  it('distinguishes malformed fields (400) from broken rules (422)', () => {
    const broken = problemOf(booking, { ...valid, fim: '2026-11-20T12:00:00Z' });
    expect(broken.code).toBe('broken_rule');
    expect(broken.errors).toEqual([{ pointer: '/fim', detail: 'O fim deve ser depois do início' }]);
    const malformed = problemOf(booking, {
      inicio: 'ontem',
      fim: valid.fim,
      valor: -1,
      nome: 'x',
      observacoes: 7,
    });
    expect(malformed.code).toBe('validation');
    expect(malformed.errors).toEqual([
      { pointer: '/student_id', detail: 'Campo obrigatório' },
      { pointer: '/inicio', detail: 'Informe data e hora válidas, com fuso horário' },
      { pointer: '/valor', detail: 'O valor mínimo é 0' },
      { pointer: '/observacoes', detail: 'Informe um texto' },
      { pointer: '/nome', detail: 'Campo desconhecido' },
    ]);
  });

  it.each([
    [calendarDate, '2025-02-29', 'Informe o dia como 25/12/2026'],
    [calendarDate, '1899-12-31', 'Informe uma data entre 1900 e 2100'],
    [instant, '2026-11-20T10:00:00', 'Informe data e hora válidas, com fuso horário'],
    [instant, '2026-13-01T10:00:00Z', 'Informe data e hora válidas, com fuso horário'],
    [instant, '0001-01-01T00:00:00Z', 'Informe uma data entre 1900 e 2100'],
    [instant, '9999-12-31T23:59:59Z', 'Informe uma data entre 1900 e 2100'],
    [cents, 1.5, 'Informe um número inteiro'],
    [cents, 2 ** 53, 'O valor máximo é 9007199254740991'],
    [cents, '10', 'Informe um número'],
    [id, '7d4f', 'Identificador inválido'],
    [text(2, 5), '  a  ', 'Use pelo menos 2 caracteres'],
    [text(2, 5, 'Nome deve ter pelo menos 2 caracteres'), 'a', 'Nome deve ter pelo menos 2 caracteres'],
    [text(2, 5, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'), ' ', 'Informe o nome'],
    [
      text(2, 5, 'Nome deve ter pelo menos 2 caracteres', 'Informe o nome'),
      'a',
      'Nome deve ter pelo menos 2 caracteres',
    ],
    [text(1, 5), ' ', 'Campo obrigatório'],
    [text(0, 5), 'abcdef', 'Use no máximo 5 caracteres'],
    [text(0, 5), 'a\u0007b', 'Há caracteres inválidos'],
    [z.enum(['pix', 'dinheiro']), 'cheque', 'Use um destes valores: pix, dinheiro'],
    [z.array(id).check(z.minLength(1)), [], 'Inclua pelo menos 1 item'],
    [z.boolean(), 'sim', 'Informe verdadeiro ou falso'],
  ])('says in Portuguese what is wrong: %#', (schema, value, detail) => {
    expect(problemOf(schema, value).errors?.map((error) => error.detail)).toEqual([detail]);
  });

  it.each([
    [{}, 50],
    [{ limit: '1' }, 1],
    [{ limit: '100' }, 100],
    [{ limit: '0' }, undefined],
    [{ limit: '101' }, undefined],
    [{ limit: '1.5' }, undefined],
    [{ limit: 'dez' }, undefined],
  ])('limits the length of a page: %j', (query, limit) => {
    const schema = z.strictObject(pageQuery);
    if (limit === undefined) expect(problemOf(schema, query).errors?.[0]?.pointer).toBe('/limit');
    else expect(validate(schema, query)).toEqual({ limit });
  });
});
