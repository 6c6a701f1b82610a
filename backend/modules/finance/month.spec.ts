import { describe, expect, it } from '@jest/globals';
import { DEFAULT_GOAL, monthBefore, monthOf, type MonthTotals, summarize } from './month.js';

const totals = (recebido: number, despesas: number, receitas: number): MonthTotals => ({
  lancamentos: receitas + 1,
  receitas,
  recebido,
  despesas,
  imposto: 0,
  reserva: 0,
  operacional: 0,
  retirada: 0,
});
const goals = { meta: DEFAULT_GOAL, meta_reserva: 100_000 };
const shares = { imposto: 10, reserva: 20, operacional: 30, retirada: 40 };
const facts = {
  sem_cobranca: 0,
  previsto: 0,
  ainda_entra: 0,
  vencido: 0,
  goals,
  shares,
  today: '2026-11-21',
};
const november = (current?: MonthTotals, previous?: MonthTotals, more: Partial<typeof facts> = {}) =>
  summarize('2026-11', current, previous, { ...facts, ...more });

describe('a month', () => {
  it('sums up what came in and went out', () => {
    expect(november(totals(750_050, 50_000, 7), totals(500_000, 100_000, 5))).toMatchObject({
      lucro: 700_050,
      ticket_medio: 107_150,
      aderencia: 75,
      reserva_sugerida: 150_010,
      meta: 1_000_000,
      meta_reserva: 100_000,
      variacao: { lucro: 75, ticket_medio: 7.2, aderencia: 50 },
    });
  });

  it('rounds half a tenth of a percent up', () => {
    expect(november(totals(142_500, 0, 1)).aderencia).toBe(14.3);
    expect(november(totals(114_250, 0, 1), totals(100_000, 0, 1)).variacao.lucro).toBe(14.3);
  });

  it('has no average, reserve or comparison if it is empty', () => {
    expect(november()).toMatchObject({
      recebido: 0,
      lucro: 0,
      ticket_medio: null,
      aderencia: 0,
      reserva_sugerida: 0,
      meta_reserva: 0,
      variacao: { lucro: null, ticket_medio: null, aderencia: null },
    });
  });

  it('compares with the absolute value of a loss', () => {
    const { variacao } = november(totals(100, 0, 1), totals(0, 200, 0));
    expect(variacao).toEqual({ lucro: 150, ticket_medio: null, aderencia: null });
  });

  it('is compared with nothing while it is still to come', () => {
    const { variacao } = november(totals(100, 0, 1), totals(50, 0, 1), { today: '2026-10-31' });
    expect(variacao).toEqual({ lucro: null, ticket_medio: null, aderencia: null });
  });

  it('suggests no reserve if reversals make the total negative', () => {
    expect(november(totals(-500, 0, 0))).toMatchObject({ reserva_sugerida: 0, lucro: -500 });
  });
});

describe('days that are left', () => {
  it.each([
    ['2026-10-31', 30],
    ['2026-11-01', 30],
    ['2026-11-21', 10],
    ['2026-11-30', 1],
    ['2026-12-01', 0],
  ])('on %s are %i', (today, left) => {
    expect(november(undefined, undefined, { today }).dias_restantes).toBe(left);
  });
});

it("a month begins in the tenant's zone", () => {
  expect(monthOf(new Date('2026-12-01T02:59:59Z'), 'America/Sao_Paulo')).toBe('2026-11');
  expect(monthOf(new Date('2026-12-01T03:00:00Z'), 'America/Sao_Paulo')).toBe('2026-12');
});

it('January follows December', () => {
  expect(monthBefore('2026-01')).toBe('2025-12');
  expect(monthBefore('2026-11')).toBe('2026-10');
});
