import { describe, expect, it } from '@jest/globals';
import { blocks, doubtAbout, isChosen, questions, readAnswer, toggled, understood } from './questions.js';

it('the onboarding has eleven questions in four blocks', () => {
  expect(blocks.map(({ title }) => title)).toEqual([
    'Estrutura de atendimento',
    'Rotina financeira',
    'Gestão de agenda',
    'Objetivos financeiros',
  ]);
  expect(new Set(questions.map(({ field }) => field)).size).toBe(11);
});

describe('an answer', () => {
  it.each<[string, number | null]>([
    ['1.234,56', 123_456],
    ['1234,56', 123_456],
    ['1234.56', 123_456],
    ['R$ 1.500', 150_000],
    ['uns 400 reais', 40_000],
    ['uns 400.', 40_000],
    ['0', 0],
    ['1,234', null],
    ['entre 300 e 400', null],
    ['não sei', null],
    ['10 mil', 1_000_000],
    ['mais ou menos 1,5 mil por mês', 150_000],
    ['uns R$ 10k', 1_000_000],
    ['10 mil reais', 1_000_000],
    ['12 000', 1_200_000],
    ['10 milhões', null],
    ['2 mil e quinhentos', null],
    ['2 dúzias', null],
    ['30%', null],
    ['o dobro de 500', null],
    ['-500', null],
    ['R$ -500', null],
    ['- R$ 500', null],
    ['maio - 500', null],
  ])('with an amount is read right: %s', (typed, cents) => {
    expect(readAnswer('money', typed)).toBe(cents);
  });

  it.each<[string, number | null]>([
    ['20', 20],
    ['uns 20 alunos', 20],
    ['1.200', 1200],
    ['20 ou 30', null],
    ['2,5', null],
    ['1 dúzia', null],
    ['1 mil', 1000],
    ['muitos', null],
    ['-3', null],
  ])('with a number is read right: %s', (typed, number) => {
    expect(readAnswer('count', typed)).toBe(number);
  });

  it.each<[string, boolean | null]>([
    ['sim', true],
    ['S', true],
    ['Claro!', true],
    ['com certeza', true],
    ['acho que sim', true],
    ['não', false],
    ['nao', false],
    ['n', false],
    ['Não, às vezes', false],
    ['nunca', false],
    ['talvez', null],
    ['às vezes', null],
    ['só se pedirem', null],
  ])('of yes or no is read right: %s', (typed, yes) => {
    expect(readAnswer('yes-no', typed)).toBe(yes);
  });

  it('with several items becomes a list in lower case', () => {
    expect(readAnswer('list', ' Pix, Cartão ,, dinheiro ')).toEqual(['pix', 'cartão', 'dinheiro']);
    expect(readAnswer('list', ' , ')).toBeNull();
  });
});

it('a choice is put into the answer and taken out of it, beside what was typed', () => {
  expect(toggled('', 'Pix')).toBe('Pix');
  expect(toggled('boleto, pix', 'Cartão')).toBe('boleto, pix, Cartão');
  expect(toggled('boleto, pix', 'Pix')).toBe('boleto');
  expect([isChosen('boleto, pix', 'Pix'), isChosen('boleto', 'Pix')]).toEqual([true, false]);
});

it('every choice is understood', () => {
  for (const { kind, choices = [] } of questions)
    for (const choice of choices) expect(readAnswer(kind, choice)).not.toBeNull();
});

const asked = (field: string) => questions.find((question) => question.field === field)!;
const plain = (words: string | null) => words && words.replaceAll('\u00a0', ' ');

it('an amount is echoed as it was understood, a goal for six months with its month', () => {
  const echo = (field: string, typed: string) => plain(understood(asked(field), typed));
  expect(echo('ticket_medio_mensal', '1.500')).toBe('R$ 1.500,00, certo?');
  expect(echo('faturamento_mensal_medio', '8k')).toBe('R$ 8.000,00, certo?');
  expect(echo('meta_faturamento_6meses', '60 mil')).toBe(
    'R$ 60.000,00 em 6 meses, certo? Dá R$ 10.000,00 por mês.',
  );
  expect(echo('meta_faturamento_6meses', 'não sei')).toBeNull();
  expect(echo('alunos_ativos', '20')).toBeNull();
});

it.each<[string, number, number, string | null]>([
  ['meta_faturamento_6meses', 1_000, 0, 'R$ 1,67 por mês? Confira.'],
  [
    ...(['meta_faturamento_6meses', 1_000_000, 800_000] as const),
    'R$ 1.666,67 por mês, menos que os R$ 8.000,00 de hoje? Confira.',
  ],
  ['meta_faturamento_6meses', 6_000_000, 800_000, null],
  ['meta_faturamento_6meses', 0, 800_000, null],
  ['faturamento_mensal_medio', 800, 0, 'R$ 8,00 por mês? Confira.'],
  ['faturamento_mensal_medio', 0, 0, null],
  ['ticket_medio_mensal', 4_000_000, 0, 'R$ 40.000,00 por aluno? Confira.'],
  ['ticket_medio_mensal', 40_000, 0, null],
  ['alunos_ativos', 1, 0, null],
])('%s of %d cents, with a revenue of %d, is doubted: %s', (field, cents, revenue, words) => {
  expect(plain(doubtAbout(asked(field).field, cents, revenue))).toBe(words);
});
