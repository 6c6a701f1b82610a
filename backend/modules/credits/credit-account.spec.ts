import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Problem } from '../../platform/http/problem.js';
import { given } from '../../../test/support/given.js';
import {
  balance,
  creditAccount,
  type CreditEvent,
  type CreditState,
  decideAdjust,
  decideConsume,
  decideConsumeByHand,
  decideGrant,
  decideMove,
  decideOpen,
  decideRemoveAll,
  decideReturn,
  usableLots,
} from './credit-account.js';
import type { Away } from '../away/student-pause.js';

const student_id = '7b0f3f5e-7f43-4d0c-9a37-0d6a6b0c8c11';
const session_id = '0d1c8f0a-9f5e-4f66-8d2e-7c1f4f3f9a01';
const plan = { id: '1f2b7a52-44ab-4a50-8a0b-3f6d9bb4e0f2', creditos: 10, validade_dias: 30 };
const zone = 'America/Sao_Paulo';
const now = new Date('2026-11-02T13:00:00.000Z');
const day = 24 * 60 * 60 * 1000;
const days = (n: number) => new Date(now.getTime() + n * day);

const origin = (entry_id: string, at = now) => ({ student_id, entry_id, now: at });
const cause = { causa: 'sessao' as const, session_id };
const refusal = (code: string) => expect.objectContaining({ code });

function granted(lot_id: string, quantidade: number, expires_at: Date | null): CreditEvent {
  return {
    type: 'CreditsGranted',
    data: {
      student_id,
      entry_id: lot_id,
      at: now.toISOString(),
      lot_id,
      quantidade,
      plano_id: plan.id,
      expira_em: null,
      expires_at: expires_at && expires_at.toISOString(),
      timezone: zone,
    },
  };
}

const lotOf = (events: CreditEvent[] | 'none') =>
  events === 'none'
    ? 'none'
    : events.map(({ data }) => ('lot_id' in data ? data.lot_id : 'lotes' in data && data.lotes));

describe('credits from before Rende', () => {
  const open = (entry_id: string, expira_em: string | null) =>
    decideOpen(origin(entry_id), { quantidade: 4, expira_em }, zone);

  it("open a lot until the end of its last day in the trainer's zone, today at the earliest", () => {
    const state = given(creditAccount, ...open('lot-1', '2026-11-02'), ...open('lot-2', null));
    expect(usableLots(state, now)).toMatchObject([
      { lot_id: 'lot-1', remaining: 4, expires_at: '2026-11-03T03:00:00.000Z' },
      { lot_id: 'lot-2', remaining: 4, expires_at: null },
    ]);
    expect(() => open('lot-1', '2026-11-01')).toThrow(refusal('credits.already_expired'));
  });

  it('are all removed at once, except expired ones', () => {
    const state = given(creditAccount, ...open('lot-1', '2026-11-02'), ...open('lot-2', null));
    const taken = decideRemoveAll(state, origin('e', days(1)), 'Importação desfeita');
    expect(taken).toMatchObject([{ data: { quantidade: -4, lotes: [{ lot_id: 'lot-2', quantidade: -4 }] } }]);
    expect(decideRemoveAll(given(creditAccount), origin('e'), 'x')).toEqual([]);
  });
});

describe('granting', () => {
  it("opens a lot of the plan's credits until the end of its last day in the trainer's zone", () => {
    expect(decideGrant(origin('lot-1'), plan, zone)).toEqual([
      {
        type: 'CreditsGranted',
        data: {
          student_id,
          entry_id: 'lot-1',
          at: '2026-11-02T13:00:00.000Z',
          lot_id: 'lot-1',
          quantidade: 10,
          plano_id: plan.id,
          sem_ausencias: { expira_em: '2026-12-02', desde: '2026-11-02' },
          expira_em: '2026-12-02',
          expires_at: '2026-12-03T03:00:00.000Z',
          timezone: zone,
        },
      },
    ]);
  });

  it.each([
    // Late in the evening of the 2nd in Manaus, already the 3rd in UTC.
    ['2026-11-03T03:30:00.000Z', 'America/Manaus', '2026-12-02', '2026-12-03T04:00:00.000Z'],
    // The night of 4 November 2018 began at 01:00 in São Paulo.
    ['2018-10-04T12:00:00.000Z', 'America/Sao_Paulo', '2018-11-03', '2018-11-04T03:00:00.000Z'],
    ['2028-01-31T12:00:00.000Z', 'America/Sao_Paulo', '2028-03-01', '2028-03-02T03:00:00.000Z'],
  ])('counts calendar days from %s in %s', (at, timezone, expira_em, expires_at) => {
    const [event] = decideGrant(origin('lot-1', new Date(at)), plan, timezone);
    expect(event?.data).toMatchObject({ expira_em, expires_at, timezone });
  });

  it('opens a lot that never expires if the plan has no validity', () => {
    const [event] = decideGrant(origin('lot-1'), { ...plan, validade_dias: null }, zone);
    expect(event?.data).toMatchObject({ expira_em: null, expires_at: null });
  });

  it('refuses a plan without credits', () => {
    expect(() => decideGrant(origin('lot-1'), { ...plan, creditos: 0 }, zone)).toThrow(
      refusal('credits.plan_without_credits'),
    );
  });
});

describe('the order of use', () => {
  it('is the first to expire, then the oldest, and what never expires last', () => {
    const state = given(
      creditAccount,
      granted('forever', 1, null),
      granted('late', 1, days(20)),
      granted('soon', 1, days(10)),
      granted('soon too', 1, days(10)),
    );
    expect(usableLots(state, now).map(({ lot_id }) => lot_id)).toEqual([
      'soon',
      'soon too',
      'late',
      'forever',
    ]);
  });

  it('skips lots that are used up or expired', () => {
    const state = given(
      creditAccount,
      granted('expired', 5, now),
      granted('empty', 0, days(1)),
      granted('good', 2, null),
    );
    expect(lotOf(decideConsume(state, origin('use'), cause))).toEqual(['good']);
    expect(balance(state, now)).toBe(2);
    expect(balance(state, new Date(now.getTime() - 1))).toBe(7);
  });
});

describe('a session', () => {
  const ten = given(creditAccount, granted('lot', 10, days(30)));

  it('uses one credit of a named lot', () => {
    expect(decideConsume(ten, origin('use'), cause)).toEqual([
      {
        type: 'CreditConsumed',
        data: {
          student_id,
          entry_id: 'use',
          at: now.toISOString(),
          lot_id: 'lot',
          causa: 'sessao',
          session_id,
          motivo: null,
        },
      },
    ]);
  });

  it('never uses two', () => {
    const used = folded(ten, decideConsume(ten, origin('use'), cause));
    expect(balance(used, now)).toBe(9);
    expect(decideConsume(used, origin('again'), cause)).toEqual([]);
  });

  it("gets 'none' if there is no credit to use", () => {
    expect(decideConsume(given(creditAccount), origin('use'), cause)).toBe('none');
  });

  it('returns its credit to the lot from which it came', () => {
    const used = folded(ten, decideConsume(ten, origin('use'), cause));
    const returned = decideReturn(used, origin('return'), session_id);
    expect(lotOf(returned)).toEqual(['lot']);
    expect(folded(used, returned)).toEqual(ten);
  });

  it('returns nothing if it holds no credit', () => {
    expect(decideReturn(ten, origin('return'), session_id)).toBe('none');
    const used = folded(ten, decideConsume(ten, origin('use'), cause));
    const returned = folded(used, decideReturn(used, origin('return'), session_id));
    expect(decideReturn(returned, origin('again'), session_id)).toBe('none');
  });

  it('returns an expired credit to an expired lot', () => {
    const used = folded(ten, decideConsume(ten, origin('use'), cause));
    const late = days(31);
    expect(balance(folded(used, decideReturn(used, origin('return', late), session_id)), late)).toBe(0);
  });
});

describe('using a credit by hand', () => {
  it('records the reason', () => {
    const [event] = decideConsumeByHand(
      given(creditAccount, granted('lot', 1, null)),
      origin('use'),
      'Aula na praia',
    );
    expect(event?.data).toMatchObject({
      lot_id: 'lot',
      causa: 'manual',
      session_id: null,
      motivo: 'Aula na praia',
    });
  });

  it('is refused at zero', () => {
    const spent = given(creditAccount, granted('lot', 1, now));
    expect(() => decideConsumeByHand(spent, origin('use'), 'Aula')).toThrow(
      expect.objectContaining({ code: 'credits.none_available', detail: 'No credits available' }),
    );
  });
});

describe('adjusting', () => {
  const state = given(creditAccount, granted('late', 3, days(20)), granted('soon', 2, days(10)));

  it('adds a lot that never expires', () => {
    const adjusted = decideAdjust(state, origin('gift'), { quantidade: 2, motivo: 'Cortesia' });
    expect(lotOf(adjusted)).toEqual([[{ lot_id: 'gift', quantidade: 2 }]]);
    expect(folded(state, adjusted).lots.at(-1)).toEqual({
      lot_id: 'gift',
      remaining: 2,
      expira_em: null,
      expires_at: null,
      sessions: [],
    });
  });

  it('takes from the lots in their order of use', () => {
    const adjusted = decideAdjust(state, origin('fix'), { quantidade: -3, motivo: 'Lançado em dobro' });
    expect(lotOf(adjusted)).toEqual([
      [
        { lot_id: 'soon', quantidade: -2 },
        { lot_id: 'late', quantidade: -1 },
      ],
    ]);
    expect(balance(folded(state, adjusted), now)).toBe(2);
  });

  it('can take all credits, but not more', () => {
    expect(
      balance(folded(state, decideAdjust(state, origin('fix'), { quantidade: -5, motivo: 'x' })), now),
    ).toBe(0);
    expect(() => decideAdjust(state, origin('fix'), { quantidade: -6, motivo: 'x' })).toThrow(
      refusal('credits.not_enough'),
    );
  });

  it('does not count expired credits', () => {
    expect(() => decideAdjust(state, origin('fix', days(15)), { quantidade: -4, motivo: 'x' })).toThrow(
      refusal('credits.not_enough'),
    );
  });
});

it('never lets a lot become negative in random sequences of commands', () => {
  const step = fc.record({
    kind: fc.constantFrom('grant', 'consume', 'return', 'hand', 'adjust'),
    amount: fc.integer({ min: -6, max: 6 }).filter((n) => n !== 0),
    session: fc.integer({ min: 0, max: 3 }),
    wait: fc.integer({ min: 0, max: 12 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
      let state: CreditState = creditAccount.initialState;
      let elapsed = 0;
      steps.forEach(({ kind, amount, session, wait }, n) => {
        elapsed += wait;
        const at = origin(`entry-${n}`, days(elapsed));
        const before = balance(state, at.now);
        const events = attempt(() => {
          if (kind === 'grant') return decideGrant(at, { ...plan, creditos: Math.abs(amount) }, zone);
          if (kind === 'consume')
            return decideConsume(state, at, { causa: 'sessao', session_id: `s${session}` });
          if (kind === 'return') return decideReturn(state, at, `s${session}`);
          if (kind === 'hand') return decideConsumeByHand(state, at, 'x');
          return decideAdjust(state, at, { quantidade: amount, motivo: 'x' });
        });
        state = folded(state, events);
        if (kind === 'adjust' && events.length > 0) expect(balance(state, at.now)).toBe(before + amount);
        for (const { remaining } of state.lots) expect(remaining).toBeGreaterThanOrEqual(0);
      });
    }),
  );
});

function folded(state: CreditState, events: CreditEvent[] | 'none'): CreditState {
  return events === 'none'
    ? state
    : events.reduce((folding, event) => creditAccount.evolve(folding, event), state);
}

function attempt(decide: () => CreditEvent[] | 'none'): CreditEvent[] {
  try {
    const events = decide();
    return events === 'none' ? [] : events;
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}

// Raise the fold's number here when the folded state changes: snapshots of the old fold are then ignored.
it('matches the state of fold 7', () => {
  const used = decideConsume(given(creditAccount, granted('lot-1', 3, days(9))), origin('use'), cause);
  const adjusted = decideAdjust({ lots: [] }, origin('lot-2'), { quantidade: 2, motivo: 'Cortesia' });
  const events = [granted('lot-1', 3, days(9)), ...(used as CreditEvent[]), ...adjusted];
  expect([creditAccount.fold, given(creditAccount, ...events)]).toEqual([
    7,
    {
      lots: [
        {
          lot_id: 'lot-1',
          remaining: 2,
          expira_em: null,
          expires_at: '2026-11-11T13:00:00.000Z',
          sessions: [session_id],
        },
        { lot_id: 'lot-2', remaining: 2, expira_em: null, expires_at: null, sessions: [] },
      ],
    },
  ]);
});

describe('a lot that is empty', () => {
  const consumed = (lot_id: string, session_id: string | null): CreditEvent => ({
    type: 'CreditConsumed',
    data: {
      student_id,
      entry_id: `of-${lot_id}`,
      at: now.toISOString(),
      lot_id,
      session_id,
      causa: session_id === null ? 'manual' : 'sessao',
      motivo: null,
    },
  });

  it('is dropped from the state if no session holds one of its credits', () => {
    expect(given(creditAccount, granted('lot-1', 1, null), consumed('lot-1', null))).toEqual({ lots: [] });
  });

  it('stays while a session holds one of its credits, which may be returned', () => {
    const events = [granted('lot-1', 1, days(5)), consumed('lot-1', session_id)];
    const returned = decideReturn(given(creditAccount, ...events), origin('entry-2'), session_id);
    expect(lotOf(returned)).toEqual(['lot-1']);
    const [lot] = given(creditAccount, ...events, ...(returned as CreditEvent[])).lots;
    expect(lot).toEqual({
      lot_id: 'lot-1',
      remaining: 1,
      expira_em: null,
      expires_at: days(5).toISOString(),
      sessions: [],
    });
  });
});

describe('days away', () => {
  const until = (desde: string, ate: string): Away => ({ desde, ate });
  const vacation = until('2026-11-20', '2026-11-29');
  const lots = decideGrant(origin('lot-1'), plan, zone);
  const move = (
    state: CreditState,
    [before, after]: [Away[], Away[]],
    { at = now, lotes }: { at?: Date; lotes?: string[] } = {},
  ) =>
    decideMove(state, origin('line', at), {
      before,
      after,
      ...(lotes && { lotes }),
      vacation_id: 'v',
      timezone: zone,
    });
  const lastDays = (events: CreditEvent[] | 'expired', ...before: CreditEvent[]) =>
    events === 'expired'
      ? events
      : given(creditAccount, ...before, ...events).lots.map(({ expira_em }) => expira_em);
  const of = (...events: CreditEvent[]) => given(creditAccount, ...events);

  it('move the last day of the lots that live through them, and back', () => {
    const forth = move(of(...lots, granted('lot-2', 3, null)), [[], [vacation]]) as CreditEvent[];
    expect(forth).toMatchObject([
      { data: { dias: 10, lotes: [{ lot_id: 'lot-1', expira_em: '2026-12-12' }] } },
    ]);
    expect(lastDays(move(of(...lots, ...forth), [[vacation], []]), ...lots, ...forth)).toEqual([
      '2026-12-02',
    ]);
    expect(move(of(...lots), [[], [until('2026-12-03', '2026-12-09')]])).toEqual([]);
    expect(move(of(...lots, ...forth), [[vacation], []], { at: days(35) })).toBe('expired');
  });

  it('give the same deadline in whichever order two vacations were saved', () => {
    const [first, second] = [until('2026-11-20', '2026-11-29'), until('2026-12-05', '2026-12-09')];
    const saved = (...order: [Away, Away]) => {
      const one = move(of(...lots), [[], [order[0]]]) as CreditEvent[];
      return lastDays(move(of(...lots, ...one), [[order[0]], order]), ...lots, ...one);
    };
    expect([saved(first, second), saved(second, first)]).toEqual([['2026-12-17'], ['2026-12-17']]);
  });

  it('are counted from the purchase on where credits are bought in the middle of them or before them', () => {
    const bought = (at: string, ...away: Away[]) =>
      decideGrant(origin('lot-1', new Date(at)), plan, zone, away).map(
        ({ data }) => 'expira_em' in data && data.expira_em,
      );
    const on25 = '2026-11-25T13:00:00.000Z';
    expect([bought(on25), bought(on25, vacation)]).toEqual([['2026-12-25'], ['2026-12-29']]);
    expect(bought('2026-11-02T13:00:00.000Z', vacation)).toEqual(['2026-12-12']);
  });

  it('that end early take from credits bought meanwhile only what these had of them', () => {
    const at = new Date('2026-11-25T13:00:00.000Z');
    const meanwhile = decideGrant(origin('lot-2', at), plan, zone, [vacation]);
    const ended = until('2026-11-20', '2026-11-27');
    const state = [...lots, ...(move(of(...lots), [[], [vacation]]) as CreditEvent[]), ...meanwhile];
    expect(lastDays(move(of(...state), [[vacation], [ended]], { at }), ...state)).toEqual([
      '2026-12-10',
      '2026-12-27',
    ]);
    const never = move(of(...state), [[vacation], []], { at, lotes: ['lot-1'] });
    expect(lastDays(never, ...state)).toEqual(['2026-12-02', '2026-12-25']);
  });

  it('do not shorten an older grant that had not counted them', () => {
    const [event] = lots;
    const { sem_ausencias: _unknown, ...older } = (event as Extract<CreditEvent, { type: 'CreditsGranted' }>)
      .data;
    const state = of({ type: 'CreditsGranted', data: older });
    expect(move(state, [[vacation], []], { lotes: [] })).toEqual([]);
    expect(move(state, [[vacation], []], { lotes: ['lot-1'] })).toMatchObject([{ data: { dias: -10 } }]);
  });
});
