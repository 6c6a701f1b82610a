import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import { balance, creditAccount, type CreditEvent, decideConsume, usableLots } from './credit-account.js';
import { decideMakeUp, decideTakeMakeUpBack, makeUpFor, mostMakeUps } from './make-up.js';

const student_id = '7b0f3f5e-7f43-4d0c-9a37-0d6a6b0c8c11';
const zone = 'America/Sao_Paulo';
const now = new Date('2026-11-02T13:00:00.000Z');
const terms = {
  rules: { ativo: true, teto_percent: 25, prazo_meses: 1 },
  creditos_do_plano: 8,
  timezone: zone,
};
const origin = (entry_id: string, at = now) => ({ student_id, entry_id, now: at });
const of = (session_id: string, inicio = '2026-11-20T13:00:00.000Z') => ({ session_id, inicio });

const granted = (lot_id: string, quantidade: number, expires_at: string | null): CreditEvent => ({
  type: 'CreditsGranted',
  data: {
    student_id,
    entry_id: lot_id,
    at: now.toISOString(),
    lot_id,
    quantidade,
    plano_id: 'plan',
    expira_em: expires_at && expires_at.slice(0, 10),
    expires_at,
    timezone: zone,
  },
});
const plan = granted('plan', 8, '2026-12-01T03:00:00.000Z');

describe('a session that its student cancels in time', () => {
  it('turns the credit that it would have used into a make-up, valid until the end of the next month', () => {
    const events = decideMakeUp(given(creditAccount, plan), origin('made'), of('s1'), terms);
    expect(events).toEqual([
      {
        type: 'MakeUpGranted',
        data: {
          student_id,
          entry_id: 'made',
          at: now.toISOString(),
          lot_id: 'made',
          origem: 'plan',
          session_id: 's1',
          mes: '2026-11-01',
          timezone: zone,
          expira_em: '2026-12-31',
          expires_at: '2027-01-01T03:00:00.000Z',
        },
      },
    ]);
    const after = given(creditAccount, plan, ...events);
    expect(balance(after, now)).toBe(8);
    expect(usableLots(after, now).map(({ lot_id, remaining }) => [lot_id, remaining])).toEqual([
      ['made', 1],
      ['plan', 7],
    ]);
    expect(balance(after, new Date('2026-12-15T12:00:00.000Z'))).toBe(1);
  });

  it.each([
    ['the rules are off', { ...terms, rules: { ...terms.rules, ativo: false } }, [plan], of('s1'), null],
    ['the student has no plan', { ...terms, creditos_do_plano: 0 }, [plan], of('s1'), 'limit'],
    ['there is no credit', terms, [], of('s1'), null],
    ['the credit never expires', terms, [granted('plan', 8, null)], of('s1'), null],
    ['the credit counts longer', terms, [granted('plan', 8, '2027-01-01T03:00:00.000Z')], of('s1'), null],
    ['no credit would count by then', terms, [plan], of('s1', '2026-12-02T13:00:00.000Z'), null],
  ])('gives no make-up where %s', (_, with_, before, session, expected) => {
    expect(makeUpFor(given(creditAccount, ...before), session, with_, now)).toBe(expected);
    expect(decideMakeUp(given(creditAccount, ...before), origin('made'), session, with_)).toEqual([]);
  });

  it("gives one make-up, within the limit of the session's month in the tenant's zone", () => {
    let state = given(creditAccount, plan);
    const cancel = (session_id: string, inicio?: string) => {
      const events = decideMakeUp(state, origin(`of-${session_id}`), of(session_id, inicio), terms);
      state = events.reduce((all, event) => creditAccount.evolve(all, event), state);
      return events.length;
    };
    expect([cancel('s1'), cancel('s1'), cancel('s2'), cancel('s3')]).toEqual([1, 0, 1, 0]);
    // 22:30 on the 30th in São Paulo.
    expect(cancel('s4', '2026-12-01T01:30:00.000Z')).toBe(0);
    expect(cancel('s5', '2026-10-30T13:00:00.000Z')).toBe(0);
  });

  it.each([
    [8, 25, 2],
    [10, 25, 2],
    [3, 25, 1],
    [12, 100, 12],
    [0, 100, 0],
  ])(
    'a plan of %i credits and a limit of %i %% allow %i a month',
    (creditos_do_plano, teto_percent, most) => {
      expect(mostMakeUps({ ...terms, creditos_do_plano, rules: { ...terms.rules, teto_percent } })).toBe(
        most,
      );
    },
  );

  it.each([
    [0, '2026-11-20T13:00:00.000Z', '2026-11-30'],
    [1, '2026-12-20T13:00:00.000Z', '2027-01-31'],
    [3, '2026-11-20T13:00:00.000Z', '2027-02-28'],
  ])(
    'valid for %i further months, a make-up for a session on %s is valid until %s',
    (prazo_meses, inicio, expira_em) => {
      const brief = granted('plan', 8, new Date(Date.parse(inicio) + 3_600_000).toISOString());
      const rules = { ...terms.rules, prazo_meses };
      const made = makeUpFor(given(creditAccount, brief), of('s1', inicio), { ...terms, rules }, now);
      expect(made).toMatchObject({ expira_em });
    },
  );
});

describe('a session that is scheduled again', () => {
  const made = decideMakeUp(given(creditAccount, plan), origin('made'), of('s1'), terms);
  const state = given(creditAccount, plan, ...made);

  it('returns the credit of its make-up to the original lot, and may give another make-up', () => {
    const events = decideTakeMakeUpBack(state, origin('back'), 's1');
    const after = given(creditAccount, plan, ...made, ...events);
    expect(after).toEqual(given(creditAccount, plan));
    expect(decideMakeUp(after, origin('again'), of('s1'), terms)).toHaveLength(1);
  });

  it('returns it to a lot that has been empty since', () => {
    const one = granted('plan', 1, '2026-12-01T03:00:00.000Z');
    const events = decideMakeUp(given(creditAccount, one), origin('made'), of('s1'), terms);
    const back = decideTakeMakeUpBack(given(creditAccount, one, ...events), origin('back'), 's1');
    expect(given(creditAccount, one, ...events, ...back)).toEqual(given(creditAccount, one));
  });

  it('does not take back a make-up that was used, or whose lot has expired', () => {
    const used = decideConsume(state, origin('use'), { causa: 'sessao', session_id: 's2' });
    const after = given(creditAccount, plan, ...made, ...(used as CreditEvent[]));
    expect(decideTakeMakeUpBack(after, origin('back'), 's1')).toEqual([]);
    const late = new Date('2026-12-01T03:00:00.000Z');
    expect(decideTakeMakeUpBack(state, origin('back', late), 's1')).toEqual([]);
    expect(decideTakeMakeUpBack(state, origin('back'), 's9')).toEqual([]);
  });
});
