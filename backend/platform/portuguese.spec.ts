import { expect, it } from '@jest/globals';
import { brl, dayAndTime, firstName, shortDate, timeOf } from './portuguese.js';

it('writes amounts with their sign, dots and a comma', () => {
  expect([0, 5, 123_456, -123_456_789].map(brl)).toEqual([
    'R$\u00a00,00',
    'R$\u00a00,05',
    'R$\u00a01.234,56',
    '-R$\u00a01.234.567,89',
  ]);
});

it('writes times in the given zone', () => {
  expect(dayAndTime('2026-11-26T02:05:00Z', 'America/Sao_Paulo')).toBe('qua., 25 de nov. de 2026, 23:05');
  expect(dayAndTime('2026-11-26T10:05:00Z', 'America/Manaus')).toBe('qui., 26 de nov. de 2026, 6:05');
  expect(timeOf(new Date('2018-11-04T03:00:00Z'), 'America/Sao_Paulo')).toBe('1:00');
});

it('writes calendar dates without shifting them by a zone', () => {
  expect(shortDate('2026-11-05')).toBe('05/11/2026');
});

it('speaks to a person by the first name, and to a company by all but its legal form', () => {
  const names = ['Ana Souza', 'Ana', 'Padaria do Bairro Ltda', 'Souza & Filhos S/A.', 'Studio Vila, ME'];
  expect(names.map(firstName)).toEqual(['Ana', 'Ana', 'Padaria do Bairro', 'Souza & Filhos', 'Studio Vila']);
  const twice = ['Padaria do Bairro Ltda - ME', 'Padaria do Bairro LTDA-ME', 'Padaria do Bairro Ltda. – EPP'];
  expect(new Set(twice.map(firstName))).toEqual(new Set(['Padaria do Bairro']));
  expect(['Maria de Sa', 'MARIA JOSÉ SA', 'ME', '-ME'].map(firstName)).toEqual([
    'Maria',
    'MARIA',
    'ME',
    '-ME',
  ]);
});
