import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { given } from '../../../test/support/given.js';
import { allocate } from './allocation.js';
import { decideCorrect, decideRecord, decideReverse, transaction } from './transaction.js';

const defaultShares = { imposto: 10, reserva: 20, operacional: 30, retirada: 40 };

const terms = { ...defaultShares, today: '2026-11-05' };

const income = {
  tipo: 'receita',
  descricao: 'Mensalidade',
  valor: 32_001,
  metodo_pagamento: 'pix',
  data: '2026-11-05',
} as const;
const expense = { ...income, tipo: 'despesa', descricao: 'Aluguel da sala' } as const;
const purchase = 'd0000000-0000-4000-8000-000000000004';
const reversal = 'c0000000-0000-4000-8000-000000000003';

describe('allocations', () => {
  it('divide an amount by the default shares', () => {
    expect(allocate(10_000, defaultShares)).toEqual([
      { tipo: 'imposto', valor: 1000 },
      { tipo: 'reserva', valor: 2000 },
      { tipo: 'operacional', valor: 3000 },
      { tipo: 'retirada', valor: 4000 },
    ]);
  });

  it.each([
    [1, [0, 0, 0, 1]],
    [2, [0, 0, 1, 1]],
    [3, [0, 1, 1, 1]],
    [5, [1, 1, 1, 2]],
    [99_999, [10_000, 20_000, 30_000, 39_999]],
  ])('give the cents that are left of %i to the largest remainders', (valor, parts) => {
    expect(allocate(valor, defaultShares).map((part) => part.valor)).toEqual(parts);
  });

  it('always add up, each within a cent of its exact share', () => {
    const shares = fc
      .tuple(fc.nat(100), fc.nat(100), fc.nat(100))
      .map((cuts) => cuts.toSorted((a, b) => a - b))
      .map(([a = 0, b = 0, c = 0]) => ({
        imposto: a,
        reserva: b - a,
        operacional: c - b,
        retirada: 100 - c,
      }));
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000_000_000 }), shares, (valor, split) => {
        const parts = allocate(valor, split);
        expect(parts.reduce((sum, part) => sum + part.valor, 0)).toBe(valor);
        for (const part of parts) {
          expect(Math.abs(part.valor - (valor * split[part.tipo]) / 100)).toBeLessThan(1);
        }
      }),
    );
  });
});

describe('recording', () => {
  it('divides a receita', () => {
    const [event] = decideRecord(purchase, income, terms);
    expect(event).toEqual({
      type: 'TransactionRecorded',
      data: {
        transaction_id: purchase,
        ...income,
        alocacoes: allocate(32_001, defaultShares),
        student_id: null,
        categoria: null,
        corrige_id: null,
      },
    });
  });

  it.each([
    [income, 'O que está por vir é uma cobrança.'],
    [expense, 'O que está por vir é uma despesa recorrente.'],
  ])('refuses money of tomorrow', (entry, way) => {
    expect(() => decideRecord(purchase, { ...entry, data: '2026-11-06' }, terms)).toThrow(
      expect.objectContaining({ code: 'finance.after_today', detail: expect.stringContaining(way) }),
    );
  });

  it('does not divide a despesa', () => {
    expect(decideRecord(purchase, expense, terms)[0]!.data.alocacoes).toEqual([]);
  });
});

describe('reversing', () => {
  it("repeats the original's facts and date under an id of its own", () => {
    const [recorded] = decideRecord(purchase, income, terms);
    const { corrige_id: _none, ...entry } = recorded!.data as { corrige_id?: unknown };
    expect(decideReverse(given(transaction, recorded!), reversal)).toEqual([
      {
        type: 'TransactionReversed',
        data: { ...entry, estorno_id: reversal, motivo: null, corrigida_por: null },
      },
    ]);
  });

  it('is done only once', () => {
    const [recorded] = decideRecord(purchase, income, terms);
    const [reversed] = decideReverse(given(transaction, recorded!), reversal);
    expect(() => decideReverse(given(transaction, recorded!, reversed!), reversal)).toThrow(
      'finance.already_reversed',
    );
  });

  it('needs a transaction', () => {
    expect(() => decideReverse(given(transaction), reversal)).toThrow('finance.transaction_not_found');
  });
});

describe('correcting', () => {
  const ids = { estorno_id: reversal, transaction_id: 'e0000000-0000-4000-8000-000000000005' };
  const [recorded] = decideRecord(purchase, expense, terms);
  const state = given(transaction, recorded!);

  it('reverses with the reason, and records the replacement', () => {
    const wanted = { ...income, valor: 10_000, motivo: 'era receita' };
    const { reversed, recorded: after } = decideCorrect(state, wanted, ids, terms);
    expect(reversed[0]!.data).toMatchObject({ motivo: 'era receita', corrigida_por: ids.transaction_id });
    expect(after[0]!.data).toMatchObject({
      transaction_id: ids.transaction_id,
      corrige_id: purchase,
      tipo: 'receita',
      alocacoes: allocate(10_000, defaultShares),
    });
  });

  it('is refused if nothing would change', () => {
    expect(() => decideCorrect(state, { ...expense, motivo: 'nada' }, ids, terms)).toThrow(
      'finance.nothing_to_correct',
    );
  });
});
