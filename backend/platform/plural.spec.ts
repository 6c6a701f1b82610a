import { expect, it } from '@jest/globals';
import { plural } from './plural.api.js';

it('counts one in the singular, and zero or many in the plural', () => {
  expect([0, 1, 2, 35].map((count) => plural(count, 'aluno cadastrado', 'alunos cadastrados'))).toEqual([
    '0 alunos cadastrados',
    '1 aluno cadastrado',
    '2 alunos cadastrados',
    '35 alunos cadastrados',
  ]);
});

it('separates thousands', () => {
  expect(plural(9_304, 'registro', 'registros')).toBe('9.304 registros');
});
