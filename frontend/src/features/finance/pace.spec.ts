import { expect, it } from '@jest/globals';
import { paceOf, paceWords } from './pace.js';

it.each([
  ['goes on as until today', '2026-11', 1_500_000, 16, 3_000_000],
  ['is rounded to whole reais', '2026-11', 1_568_600, 3, 1_680_600],
  ['counts the days of its month', '2027-02', 1_400_000, 15, 2_800_000],
  ['says nothing in the first two days', '2026-11', 300_000, 29, null],
  ['says nothing about a month to come', '2026-12', 0, 31, null],
  ['says nothing about a month that has ended', '2026-10', 900_000, 0, null],
])('the pace of a month %s', (_, mes, recebido, dias_restantes, pace) => {
  expect(paceOf({ mes, recebido, dias_restantes })).toBe(pace);
});

it.each([
  [
    'a third of the goal with five days left',
    ...([600_000, 0, 5] as const),
    'Neste ritmo, o mês fecha em R$ 6.923,00, abaixo da meta. Faltam R$ 14.000,00 em 5 dias: R$ 2.800,00 por dia.',
  ],
  [
    'charges that do not reach the goal',
    ...([600_000, 500_000, 5] as const),
    'Neste ritmo, o mês fecha em R$ 6.923,00, abaixo da meta. Faltam R$ 14.000,00 em 5 dias: R$ 2.800,00 por dia. ' +
      'O que ainda entra não cobre: ainda faltariam R$ 9.000,00.',
  ],
  [
    'charges that reach the goal',
    ...([1_900_000, 100_000, 1] as const),
    'Neste ritmo, o mês fecha em R$ 19.000,00, abaixo da meta. Faltam R$ 1.000,00 em 1 dia, e o que ainda entra cobre.',
  ],
  [
    'a pace beyond the goal',
    ...([1_500_000, 0, 16] as const),
    'Neste ritmo, o mês fecha em R$ 30.000,00, acima da meta. Faltam R$ 5.000,00 em 16 dias: R$ 312,50 por dia.',
  ],
  ['a reached goal', ...([2_000_000, 500_000, 5] as const), 'Meta do mês alcançada.'],
  ['a month that has ended', ...([600_000, 0, 0] as const), ''],
])('%s is said in words', (_, recebido, ainda_entra, dias_restantes, words) => {
  const said = paceWords({ mes: '2026-11', recebido, ainda_entra, meta: 2_000_000, dias_restantes });
  expect(said.join(' ').replaceAll('\u00a0', ' ')).toBe(words);
});
