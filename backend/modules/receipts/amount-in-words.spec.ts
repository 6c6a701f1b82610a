import { describe, expect, it } from '@jest/globals';
import { amountInWords } from './amount-in-words.js';

describe('amountInWords', () => {
  it.each([
    [0, 'zero reais'],
    [1, 'um centavo'],
    [2, 'dois centavos'],
    [10, 'dez centavos'],
    [14, 'quatorze centavos'],
    [21, 'vinte e um centavos'],
    [99, 'noventa e nove centavos'],
    [1_00, 'um real'],
    [1_01, 'um real e um centavo'],
    [2_00, 'dois reais'],
    [3_50, 'três reais e cinquenta centavos'],
    [16_00, 'dezesseis reais'],
    [19_90, 'dezenove reais e noventa centavos'],
    [20_00, 'vinte reais'],
    [31_00, 'trinta e um reais'],
    [100_00, 'cem reais'],
    [101_00, 'cento e um reais'],
    [110_00, 'cento e dez reais'],
    [119_99, 'cento e dezenove reais e noventa e nove centavos'],
    [200_00, 'duzentos reais'],
    [320_00, 'trezentos e vinte reais'],
    [555_55, 'quinhentos e cinquenta e cinco reais e cinquenta e cinco centavos'],
    [999_00, 'novecentos e noventa e nove reais'],
    [1_000_00, 'mil reais'],
    [1_001_00, 'mil e um reais'],
    [1_050_00, 'mil e cinquenta reais'],
    [1_100_00, 'mil e cem reais'],
    [1_200_00, 'mil e duzentos reais'],
    [1_234_56, 'mil duzentos e trinta e quatro reais e cinquenta e seis centavos'],
    [1_101_00, 'mil cento e um reais'],
    [2_000_00, 'dois mil reais'],
    [2_005_00, 'dois mil e cinco reais'],
    [10_000_00, 'dez mil reais'],
    [15_300_00, 'quinze mil e trezentos reais'],
    [21_021_21, 'vinte e um mil e vinte e um reais e vinte e um centavos'],
    [100_000_00, 'cem mil reais'],
    [123_456_00, 'cento e vinte e três mil quatrocentos e cinquenta e seis reais'],
    [1_000_000_00, 'um milhão de reais'],
    [1_000_000_01, 'um milhão de reais e um centavo'],
    [1_000_001_00, 'um milhão e um reais'],
    [1_200_000_00, 'um milhão e duzentos mil reais'],
    [1_001_000_00, 'um milhão e mil reais'],
    [2_000_000_00, 'dois milhões de reais'],
    [
      2_345_678_90,
      'dois milhões trezentos e quarenta e cinco mil seiscentos e setenta e oito reais e noventa centavos',
    ],
    [100_000_000_00, 'cem milhões de reais'],
  ])('writes %i cents as %s', (cents, words) => {
    expect(amountInWords(cents)).toBe(words);
  });

  it.each([-1, 0.5, 100_000_000_000])('refuses %d', (cents) => {
    expect(() => amountInWords(cents)).toThrow(RangeError);
  });
});
