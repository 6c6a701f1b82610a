import { expect, it } from '@jest/globals';
import { expenseLine, incomeLine } from './carne-leao-web.js';

const income = (more: object = {}) =>
  incomeLine({
    data: '2026-11-05',
    valor: 123_456,
    descricao: 'Mensalidade de março',
    pagador: 'Ana Prado',
    documento: '52998224725',
    aluno: 'ANA PRADO',
    ...more,
  });
const BEGIN = '05/11/2026;R01.001.001;224;1234,56;;Mensalidade de marco;';

it.each([
  ['a student who pays', {}, 'PF;52998224725;52998224725'],
  ['somebody who pays for the student', { aluno: 'Bia Prado' }, 'PF;52998224725;;S'],
  ["a payer who is nobody's student", { aluno: null }, 'PF;52998224725;;S'],
  ['a payer without a receipt', { pagador: null, documento: null }, 'PF;;;S'],
  ['a company', { documento: '11222333000181' }, 'PJ;;;;11222333000181;N'],
  ['a company with letters in its CNPJ', { documento: '12ABC34501DE35' }, 'PJ;;;;12ABC34501DE35;N'],
])('a receita of %s has the fields of the layout', (_who, more, end) => {
  expect(income(more)).toBe(BEGIN + end);
});

it('an expense has the account of the cash book, and no empty fields at its end', () => {
  const rent = { data: '2026-11-05', valor: 180_000, descricao: null };
  expect(expenseLine({ ...rent, categoria: 'aluguel' })).toBe('05/11/2026;P10.01.00002;1800,00;Despesa');
  expect(expenseLine({ ...rent, categoria: 'academia', descricao: 'Academia' })).toBe(
    '05/11/2026;P10.01.00002;1800,00;Academia',
  );
});

it('a history cannot break its line, nor be a formula, and has 255 characters at most', () => {
  const field = (descricao: string) => income({ descricao }).split(';')[5];
  expect(field('=1+1; "Żółć"\r\n💪 fim')).toBe('1+1 Zolc fim');
  expect(field('a'.repeat(300))).toBe('a'.repeat(255));
  expect(field('💪')).toBe('Servico prestado');
});
