import { describe, expect, it } from '@jest/globals';
import { blocks, questions, readAnswer } from './questions.js';

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
