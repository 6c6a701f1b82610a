import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  decideEnd,
  decideSet,
  isDue,
  recurringExpense,
  type RecurringExpenseEvent,
} from './recurring-expense.js';
import type { RecurringExpenseTerms } from './recurring-expenses.api.js';

const timezone = 'America/Sao_Paulo';
const terms: RecurringExpenseTerms = {
  descricao: 'Aluguel',
  valor: 180_000,
  metodo_pagamento: 'pix',
  categoria: 'aluguel',
  vence_dia: 5,
  desde: '2026-11-01',
  ate: null,
};
const at = (now: string) => ({ now: new Date(now), timezone });
const set = (now: string, more: Partial<RecurringExpenseTerms> = {}) =>
  decideSet(undefined, 'e', { ...terms, ...more }, at(now));
const first = (...args: Parameters<typeof set>) => given(recurringExpense, ...set(...args))?.proximo_mes;
const recorded = (mes: string): RecurringExpenseEvent => ({
  type: 'RecurringExpenseRecorded',
  data: { expense_id: 'e', mes, transaction_id: 't' },
});

describe('a new one', () => {
  it('begins on its first due day on or after the day from which it applies', () => {
    expect(first('2026-11-05T08:59:59Z')).toBe('2026-11-01');
    expect(first('2026-11-05T09:00:00Z')).toBe('2026-12-01');
    expect(first('2026-11-21T12:00:00Z', { vence_dia: 25 })).toBe('2026-11-01');
    expect(first('2026-11-01T12:00:00Z', { desde: '2027-02-05' })).toBe('2027-02-01');
    expect(first('2026-11-01T12:00:00Z', { desde: '2027-02-06' })).toBe('2027-03-01');
  });
});

it('one that was ended comes back only while it was not started again', () => {
  const now = at('2026-11-21T12:00:00Z');
  const begun = set('2026-11-21T12:00:00Z');
  const ended = [...begun, ...decideEnd(given(recurringExpense, ...begun))];
  const back = { ...terms, se_ainda: null };
  expect(decideSet(given(recurringExpense, ...ended), 'e', back, now)).toHaveLength(1);
  const newer = decideSet(given(recurringExpense, ...ended), 'e', { ...terms, valor: 190_000 }, now);
  expect(() => decideSet(given(recurringExpense, ...ended, ...newer), 'e', back, now)).toThrow(
    expect.objectContaining({ code: 'changed_since' }),
  );
});

describe('a change', () => {
  const change = (events: RecurringExpenseEvent[], now: string, more: Partial<RecurringExpenseTerms>) =>
    given(
      recurringExpense,
      ...events,
      ...decideSet(given(recurringExpense, ...events), 'e', { ...terms, ...more }, at(now)),
    );

  it('of the day does not record a month twice', () => {
    const events = [...set('2026-11-02T12:00:00Z'), recorded('2026-11-01')];
    expect(change(events, '2026-11-06T12:00:00Z', { vence_dia: 28 })?.proximo_mes).toBe('2026-12-01');
  });

  it('to a day that has passed does not skip the month that is still to be recorded', () => {
    const events = [
      ...set('2026-09-26T12:00:00Z', { desde: '2026-09-01', vence_dia: 20 }),
      recorded('2026-10-01'),
    ];
    const moved = { desde: '2026-09-01', vence_dia: 5 };
    const next = (more: object = {}) =>
      change(events, '2026-11-10T12:00:00Z', { ...moved, ...more })?.proximo_mes;
    expect(next()).toBe('2026-11-01');
    // Not before it applies.
    expect(next({ desde: '2026-11-06' })).toBe('2026-12-01');
    // An expense that had ended, or that begins later, begins like a new one.
    const over = set('2026-09-26T12:00:00Z', { desde: '2026-09-01', vence_dia: 20, ate: '2026-10-19' });
    expect(change(over, '2026-11-10T12:00:00Z', moved)?.proximo_mes).toBe('2026-12-01');
    const later = set('2026-09-26T12:00:00Z', { desde: '2027-02-01' });
    expect(change(later, '2026-11-10T12:00:00Z', moved)?.proximo_mes).toBe('2026-12-01');
  });

  it('does not apply to months whose day has passed', () => {
    const events = [...set('2026-11-02T12:00:00Z'), recorded('2026-11-01'), recorded('2026-12-01')];
    expect(change(events, '2026-12-09T12:00:00Z', { valor: 1 })).toMatchObject({
      valor: 1,
      proximo_mes: '2027-01-01',
    });
  });

  it('without a difference records nothing, and an ended expense can begin again', () => {
    const events = set('2026-11-02T12:00:00Z');
    expect(decideSet(given(recurringExpense, ...events), 'e', terms, at('2026-11-03T12:00:00Z'))).toEqual([]);
    const ended = [
      ...events,
      recorded('2026-11-01'),
      { type: 'RecurringExpenseEnded', data: { expense_id: 'e' } },
    ];
    expect(change(ended as RecurringExpenseEvent[], '2026-11-03T12:00:00Z', {})).toMatchObject({
      ativa: true,
      proximo_mes: '2026-12-01',
    });
  });
});

describe('a month', () => {
  it('is due once, and not after the end', () => {
    const state = given(recurringExpense, ...set('2026-11-02T12:00:00Z', { ate: '2026-12-04' }));
    expect([isDue(state, '2026-10-01'), isDue(state, '2026-11-01'), isDue(state, '2026-12-01')]).toEqual([
      false,
      true,
      false,
    ]);
    const after = given(
      recurringExpense,
      ...set('2026-11-02T12:00:00Z', { ate: '2026-12-04' }),
      recorded('2026-11-01'),
    );
    expect([isDue(after, '2026-11-01'), isDue(after, '2026-12-01')]).toEqual([false, false]);
    const ended = given(recurringExpense, ...set('2026-11-02T12:00:00Z'), ...decideEnd(state));
    expect(isDue(ended, '2026-11-01')).toBe(false);
    expect(decideEnd(ended)).toEqual([]);
  });
});
