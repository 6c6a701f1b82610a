import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  billedMonth,
  decideEnd,
  decideFollow,
  decideSet,
  isDue,
  monthlyPlan,
  type MonthlyPlanEvent,
  type PlanChange,
  unbilledMonth,
} from './monthly-plan.js';

const timezone = 'America/Sao_Paulo';
const terms = { plano_id: 'p', valor: 40_000, desde: '2026-11-01', ate: null, vence_dia: 5 };
const at = (now: string) => ({ now: new Date(now), timezone });
const first = (now: string, more: Partial<typeof terms> = {}) =>
  given(monthlyPlan, ...decideSet(undefined, 's', { ...terms, ...more }, at(now)))?.primeiro_mes;

it('a month is billed from day 1 at 6:00 in the zone on', () => {
  expect(billedMonth(new Date('2026-12-01T08:59:59Z'), timezone)).toBe('2026-11-01');
  expect(billedMonth(new Date('2026-12-01T09:00:00Z'), timezone)).toBe('2026-12-01');
  expect(billedMonth(new Date('2027-01-01T02:00:00Z'), timezone)).toBe('2026-12-01');
});

describe('an agreement', () => {
  it('applies from the next cycle, or from the month in which it begins', () => {
    expect(first('2026-11-21T12:00:00Z')).toBe('2026-12-01');
    expect(first('2026-11-01T08:00:00Z')).toBe('2026-11-01');
    expect(first('2026-11-21T12:00:00Z', { desde: '2027-02-01' })).toBe('2027-02-01');
    expect(first('2026-11-21T12:00:00Z', { desde: '2027-02-02' })).toBe('2027-03-01');
  });

  it('changes, or begins later, from the next cycle on', () => {
    const set = given(monthlyPlan, ...decideSet(undefined, 's', terms, at('2026-11-21T12:00:00Z')));
    const changed = (more: Partial<typeof terms>, now: string) =>
      decideSet(set, 's', { ...terms, ...more }, at(now)).map(({ data }) => data);
    expect(changed({ valor: 50_000 }, '2026-12-03T12:00:00Z')).toMatchObject([
      { valor: 50_000, primeiro_mes: '2027-01-01' },
    ]);
    expect(changed({ desde: '2027-03-01' }, '2026-11-22T12:00:00Z')).toMatchObject([
      { primeiro_mes: '2027-03-01' },
    ]);
    expect(changed({}, '2026-12-03T12:00:00Z')).toEqual([]);
  });
});

it('an agreement that was ended comes back only while no other one was made', () => {
  const at21 = at('2026-11-21T12:00:00Z');
  const set = decideSet(undefined, 's', terms, at21);
  const ended = [...set, ...decideEnd(given(monthlyPlan, ...set))];
  const back = { ...terms, se_ainda: null };
  expect(decideSet(given(monthlyPlan, ...ended), 's', back, at21)).toHaveLength(1);
  const newer = decideSet(given(monthlyPlan, ...ended), 's', { ...terms, valor: 50_000 }, at21);
  expect(() => decideSet(given(monthlyPlan, ...ended, ...newer), 's', back, at21)).toThrow(
    expect.objectContaining({ code: 'changed_since' }),
  );
});

describe('with the plan of a student', () => {
  const at21 = at('2026-11-21T12:00:00Z');
  const { plano_id: _own, ...mensalidade } = terms;
  const monthly = { plan_id: 'p', tipo: 'mensal', valor: 40_000 } as const;
  const pack = { plan_id: 'q', tipo: 'pacote', valor: 40_000 } as const;
  const agreed = given(monthlyPlan, ...decideSet(undefined, 's', terms, at21));
  const follow = (state: typeof agreed, change: Partial<PlanChange>) =>
    decideFollow(
      state,
      { student_id: 's', de: null, para: undefined, mensalidade: undefined, ...change },
      at21,
    ).map(({ type, data }) => ({ type, ...data }));
  const coded = (code: string) => expect.objectContaining({ code });

  it('a monthly one comes with its agreement', () => {
    expect(follow(undefined, { para: monthly, mensalidade })).toMatchObject([
      { type: 'MonthlyPlanSet', plano_id: 'p', valor: 40_000, primeiro_mes: '2026-12-01' },
    ]);
    expect(() => follow(undefined, { para: monthly })).toThrow(coded('charges.no_terms'));
    expect(() => follow(undefined, { para: pack, mensalidade })).toThrow(coded('charges.not_monthly'));
    const another = { ...mensalidade, plano_id: 'r' };
    expect(() => follow(undefined, { para: monthly, mensalidade: another })).toThrow(
      coded('charges.not_monthly'),
    );
    expect(follow(undefined, { para: pack })).toEqual([]);
  });

  it('none is asked for where there is one for this plan, or nothing to bill', () => {
    expect(follow(agreed, { para: monthly })).toEqual([]);
    expect(() => follow(agreed, { para: monthly, mensalidade: null })).toThrow(coded('charges.no_terms'));
    expect(follow(undefined, { para: { ...monthly, valor: 0 } })).toEqual([]);
    expect(() => follow(agreed, { para: { ...monthly, plan_id: 'r' } })).toThrow(coded('charges.no_terms'));
  });

  it('ends when its plan is left, but not when another one is', () => {
    expect(follow(agreed, { de: 'p', para: pack })).toMatchObject([{ type: 'MonthlyPlanEnded' }]);
    expect(follow(agreed, { de: 'p' })).toMatchObject([{ type: 'MonthlyPlanEnded' }]);
    expect(follow(agreed, { de: 'q' })).toEqual([]);
  });

  it('comes back with an undo, unless another one was made since', () => {
    const ended = given(monthlyPlan, ...decideSet(undefined, 's', terms, at21), ...decideEnd(agreed));
    const back = {
      de: 'q',
      para: monthly,
      mensalidade: terms,
      se_ainda: { plano_id: 'q', mensalidade: null },
    };
    expect(follow(ended, back)).toMatchObject([{ type: 'MonthlyPlanSet', plano_id: 'p' }]);
    expect(() => follow(agreed, back)).toThrow(coded('changed_since'));
  });

  it('goes with an undo, unless it was changed since', () => {
    const away = { de: 'p', mensalidade: null, se_ainda: { plano_id: 'p', mensalidade } };
    expect(follow(agreed, away)).toMatchObject([{ type: 'MonthlyPlanEnded' }]);
    const changed = given(monthlyPlan, ...decideSet(agreed, 's', { ...terms, valor: 50_000 }, at21));
    expect(() => follow(changed, away)).toThrow(coded('changed_since'));
  });

  it('stays with an undo that does not name it, and is not changed by one that does not say what it undoes', () => {
    expect(follow(undefined, { de: 'q', para: monthly, se_ainda: { plano_id: 'q' } })).toEqual([]);
    const blind = { de: 'q', para: monthly, se_ainda: { plano_id: 'q' }, mensalidade };
    expect(() => follow(undefined, blind)).toThrow(coded('changed_since'));
    expect(follow(agreed, { de: 'q', para: pack, se_ainda: { plano_id: 'q' } })).toEqual([]);
  });
});

describe('a month', () => {
  const set = decideSet(undefined, 's', { ...terms, ate: null }, at('2026-11-21T12:00:00Z'));
  const billed: MonthlyPlanEvent = {
    type: 'MonthlyPlanBilled',
    data: { student_id: 's', mes: '2026-12-01', charge_id: 'c', proximo_mes: '2027-01-01' },
  };
  const billedYear: MonthlyPlanEvent = { ...billed, data: { ...billed.data, proximo_mes: '2027-12-01' } };

  it('is due once', () => {
    const state = given(monthlyPlan, ...set);
    expect([isDue(state, '2026-11-01'), isDue(state, '2026-12-01'), isDue(state, '2027-01-01')]).toEqual([
      false,
      true,
      false,
    ]);
    const after = given(monthlyPlan, ...set, billed);
    expect([isDue(after, '2026-12-01'), isDue(after, '2027-01-01')]).toEqual([false, true]);
  });

  it('is not billed again after a new agreement with a clock that was set back', () => {
    const before = given(monthlyPlan, ...set, billed);
    const ended = given(monthlyPlan, ...set, billed, ...decideEnd(before));
    for (const state of [before, ended]) {
      const [again] = decideSet(state, 's', { ...terms, valor: 1 }, at('2026-11-21T12:00:00Z'));
      expect(again?.data).toMatchObject({ valor: 1, primeiro_mes: '2027-01-01' });
    }
  });

  it('of a billed period is not billed again, unless the agreement ended and another one begins in it', () => {
    const year = given(monthlyPlan, ...set, billedYear);
    const at3 = at('2027-01-03T12:00:00Z');
    const next = (state: typeof year, more: Partial<typeof terms>) =>
      decideSet(state, 's', { ...terms, valor: 1, ...more }, at3).map(({ data }) => data);
    const [changed, moved] = [next(year, {}), next(year, { desde: '2027-02-01' })];
    expect([changed, moved]).toMatchObject([
      [{ primeiro_mes: '2027-12-01' }],
      [{ primeiro_mes: '2027-12-01' }],
    ]);
    const ended = given(monthlyPlan, ...set, billedYear, ...decideEnd(year));
    expect(next(ended, {})).toMatchObject([{ primeiro_mes: '2027-12-01' }]);
    expect(next(ended, { desde: '2027-01-10' })).toMatchObject([{ primeiro_mes: '2027-02-01' }]);
  });

  it('that was billed before two students were merged is not billed again after a change', () => {
    const merged: MonthlyPlanEvent = {
      type: 'MonthlyPlanSet',
      data: {
        student_id: 's',
        ...terms,
        primeiro_mes: '2027-02-01',
        cobrado: { ultimo_mes: '2026-11-01', seguinte: '2027-02-01' },
      },
    };
    const changed = decideSet(
      given(monthlyPlan, merged),
      's',
      { ...terms, valor: 50_000 },
      at('2026-11-21T12:00:00Z'),
    );
    expect(changed).toMatchObject([{ data: { valor: 50_000, primeiro_mes: '2027-02-01' } }]);
  });

  it('whose share was billed before two students were merged is not offered again', () => {
    const agreed = { student_id: 's', ...terms, desde: '2026-11-10', primeiro_mes: '2026-12-01' };
    const merged = (cobrado: { ultimo_mes: string | null; seguinte: string | null }) =>
      given(monthlyPlan, { type: 'MonthlyPlanSet', data: { ...agreed, cobrado } });
    expect(unbilledMonth(merged({ ultimo_mes: null, seguinte: null }), '2026-11-21')).toBe('2026-11-01');
    const billed = { ultimo_mes: '2026-11-01', seguinte: '2026-12-01' };
    expect(unbilledMonth(merged(billed), '2026-11-21')).toBeNull();
  });

  it('is not due after the end', () => {
    const ended = given(monthlyPlan, ...set, ...decideEnd(given(monthlyPlan, ...set)));
    expect(isDue(ended, '2026-12-01')).toBe(false);
    const [until] = decideSet(undefined, 's', { ...terms, ate: '2026-11-30' }, at('2026-11-21T12:00:00Z'));
    expect(isDue(given(monthlyPlan, until!), '2026-12-01')).toBe(false);
  });
});
