import { expect, it } from '@jest/globals';
import { aheadInWords, termsFor } from './charge-terms.js';
import { noTerms, owedInWords, owedOn, partsOf } from './charge-terms.api.js';

const usual = { ...noTerms, multa: 200, juros: 100 };
const due = '2026-11-20';
const charge = (more: object = {}) => ({
  falta: 15_000,
  vencimento: due,
  termos: usual,
  pagamentos: [],
  ...more,
});
const paid = (valor: number, data: string, estornado = false) => ({ valor, data, estornado });

it.each([
  ['on the due day', {}, due, [0, 0, 15_000]],
  ['one day late', {}, '2026-11-21', [300, 5, 15_305]],
  ['15 days late', {}, '2026-12-05', [300, 75, 15_375]],
  ['after February of a leap year', { vencimento: '2028-02-28' }, '2028-03-01', [300, 10, 15_310]],
  ['after February of another year', { vencimento: '2027-02-28' }, '2027-03-01', [300, 5, 15_305]],
  ['a year late', {}, '2027-11-20', [300, 1825, 17_125]],
  ['within the days of grace', { termos: { ...usual, carencia_dias: 3 } }, '2026-11-23', [0, 0, 15_000]],
  [
    'after them, from the due day on',
    { termos: { ...usual, carencia_dias: 3 } },
    '2026-11-24',
    [300, 20, 15_320],
  ],
  ['half a cent, up', { falta: 25, termos: { ...noTerms, multa: 200 } }, '2026-11-21', [1, 0, 26]],
  ['less than half a cent', { falta: 24, termos: { ...noTerms, multa: 200 } }, '2026-11-21', [0, 0, 24]],
  ['without terms', { termos: null }, '2027-11-20', [0, 0, 15_000]],
  [
    'a part paid before the due day',
    { falta: 5_000, pagamentos: [paid(10_000, '2026-11-10')] },
    '2026-12-20',
    [100, 50, 5_150],
  ],
  // The fine is of all 150; 100 of them for 15 days and 50 for 30.
  [
    'a part paid late',
    { falta: 5_000, pagamentos: [paid(10_000, '2026-12-05')] },
    '2026-12-20',
    [300, 100, 5_400],
  ],
  [
    'a payment that was undone',
    { pagamentos: [paid(10_000, '2026-12-01', true)] },
    '2026-12-05',
    [300, 75, 15_375],
  ],
  // 100 of 150 were undone; the other 50 had paid the fine of all, and the interest of all up to that day.
  [
    'a part undone, on the day on which the other one was paid',
    { falta: 10_000, pagamentos: [{ ...paid(5_450, '2026-12-20'), multa: 300, juros: 150 }] },
    '2026-12-20',
    [0, 0, 10_000],
  ],
  [
    'a part undone, ten days later',
    { falta: 10_000, pagamentos: [{ ...paid(5_450, '2026-12-20'), multa: 300, juros: 150 }] },
    '2026-12-30',
    [0, 33, 10_033],
  ],
  ['all paid', { falta: 0, pagamentos: [paid(15_000, due)] }, '2026-12-05', [0, 0, 0]],
])('what pays a charge, %s', (_when, more, day, [multa, juros, total]) => {
  expect(owedOn(charge(more), day)).toEqual({ multa, juros, desconto: 0, total });
});

it.each([
  ['percent, days before', { desconto_percentual: 500, desconto_dias: 5 }, '2026-11-15', 750],
  ['percent, too late', { desconto_percentual: 500, desconto_dias: 5 }, '2026-11-16', 0],
  ['an amount, up to the due day', { desconto_valor: 1_000 }, due, 1_000],
  ['an amount, after it', { desconto_valor: 1_000, carencia_dias: 3 }, '2026-11-21', 0],
  [
    'an amount that another payment had in part',
    { desconto_valor: 1_000 },
    due,
    400,
    { pagamentos: [{ ...paid(9_400, due), desconto: 600 }] },
  ],
  ['an amount of no less than the charge', { desconto_valor: 15_000 }, due, 0],
])('a discount of %s', (_when, terms, day, desconto, more: object = {}) => {
  const { total, ...owed } = owedOn(charge({ ...more, termos: { ...noTerms, ...terms } }), day);
  expect([owed.desconto, total]).toEqual([desconto, 15_000 - desconto]);
});

it('a payment of the amount settles the charge, and what more is due is waived; of more, the interest is paid first', () => {
  const late = owedOn(charge(), '2026-12-05');
  const none = { multa: 0, juros: 0, desconto: 0, dispensado: 0 };
  expect([15_375, 15_100, 15_000, 14_999].map((valor) => partsOf(valor, 15_000, late))).toEqual([
    { ...none, multa: 300, juros: 75, falta: 0 },
    { ...none, multa: 25, juros: 75, dispensado: 275, falta: 0 },
    { ...none, dispensado: 375, falta: 0 },
    { ...none, falta: 1 },
  ]);
  const early = owedOn(charge({ termos: { ...noTerms, desconto_valor: 1_000 } }), due);
  expect([14_000, 14_500, 15_000, 13_999].map((valor) => partsOf(valor, 15_000, early))).toEqual([
    { ...none, desconto: 1_000, falta: 0 },
    { ...none, desconto: 500, falta: 0 },
    { ...none, falta: 0 },
    { ...none, falta: 1_001 },
  ]);
});

it('is said part by part', () => {
  const words = owedInWords(15_000, owedOn(charge(), '2026-12-05')).replaceAll('\u00a0', ' ');
  expect(words).toBe(' Hoje: R$ 150,00 + multa R$ 3,00 + juros R$ 0,75 = R$ 153,75.');
  expect(owedInWords(15_000, owedOn(charge(), due))).toBe('');
});

it('what is ahead of an open charge is said until it has come', () => {
  const termos = { ...usual, carencia_dias: 2, desconto_percentual: 500, desconto_dias: 5 };
  const after = 'Depois de 22/11/2026: multa de 2%, juros de 1% ao mês.';
  expect(aheadInWords(charge({ termos }), '2026-11-15')).toEqual(['O desconto vale até 15/11/2026.', after]);
  expect(aheadInWords(charge({ termos }), '2026-11-22')).toEqual([after]);
  for (const more of [{ vencimento: '2026-11-01' }, { falta: 0 }, { termos: null }])
    expect(aheadInWords(charge({ termos, ...more }), '2026-11-22')).toEqual([]);
});

it('terms are not for the fee of a late cancellation, nor where all are off', () => {
  expect([termsFor(usual, 'mensalidade'), termsFor(usual, 'taxa')]).toEqual([usual, null]);
  expect(termsFor({ ...noTerms, carencia_dias: 5 }, 'avulsa')).toBeNull();
});
