import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { given } from '../../../test/support/given.js';
import { Problem } from '../../platform/http/problem.js';
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
  decideReturn,
  usableLots,
} from './credit-account.js';
import {
  creditTransfer,
  type CreditTransferEvent,
  decideTransfer,
  decideUndoTransfer,
} from './credit-transfer.js';
import type { Away } from '../away/student-pause.js';
import { daysLater, deadline } from './deadlines.js';
import { decideMakeUp, decideTakeMakeUpBack } from './make-up.js';

/** Compares the account with a model that stores each credit separately and never drops a lot. */

const zone = 'America/Sao_Paulo';
const DAY = 86_400_000;
const start = Date.parse('2026-11-02T13:00:00.000Z');
const student_id = '7b0f3f5e-7f43-4d0c-9a37-0d6a6b0c8c11';
const terms = {
  rules: { ativo: true, teto_percent: 25, prazo_meses: 1 },
  creditos_do_plano: 8,
  timezone: zone,
};

interface Credit {
  lot: string;
  /** The session that holds it, `spent` by hand, or free. */
  use: string | null;
  made?: { session: string; mes: string; from: string };
}

/** São Paulo is three hours behind all year. */
const midnight = (year: number, month: number, day: number) => Date.UTC(year, month, day, 3);
const local = (at: number) => new Date(at - 3 * 3_600_000);
const dayOf = (at: number) => local(at).toISOString().slice(0, 10);

class Model {
  credits: Credit[] = [];
  /** Expiry of each lot, in the order of opening. */
  readonly ends = new Map<string, number>();

  free(now: number): Credit[] {
    const order = [...this.ends.keys()];
    return this.credits
      .filter(({ lot, use }) => use === null && this.ends.get(lot)! > now)
      .sort(
        (a, b) =>
          Number(b.made !== undefined) - Number(a.made !== undefined) ||
          Math.sign(Math.min(this.ends.get(a.lot)!, 1e15) - Math.min(this.ends.get(b.lot)!, 1e15)) ||
          order.indexOf(a.lot) - order.indexOf(b.lot),
      );
  }

  open(lot: string, quantity: number, end: number): void {
    this.ends.set(lot, end);
    for (let n = 0; n < quantity; n++) this.credits.push({ lot, use: null });
  }

  use(by: string, now: number): void {
    if (by !== 'spent' && this.credits.some(({ use }) => use === by)) return;
    const [first] = this.free(now);
    if (first) first.use = by;
  }

  give(session: string): void {
    const held = this.credits.find(({ use }) => use === session);
    if (held) held.use = null;
  }

  cancel(session: string, inicio: number, lot: string, now: number): void {
    const made = this.credits.flatMap((one) => (one.made ? [one.made] : []));
    if (made.some((one) => one.session === session)) return;
    const begins = local(inicio);
    const [year, month] = [begins.getUTCFullYear(), begins.getUTCMonth()];
    const end = midnight(year, month + 2, 1);
    const mes = begins.toISOString().slice(0, 7);
    const first = this.free(Math.max(now, inicio)).find((one) => !one.made);
    if (!first || this.ends.get(first.lot)! >= end) return;
    if (made.filter((one) => one.mes === mes).length >= 2) return;
    this.ends.set(lot, end);
    first.made = { session, mes, from: first.lot };
    first.lot = lot;
  }

  comeBack(session: string, now: number): void {
    const credit = this.credits.find(({ made }) => made?.session === session);
    if (!credit?.made || credit.use !== null || this.ends.get(credit.made.from)! <= now) return;
    credit.lot = credit.made.from;
    delete credit.made;
  }

  /** Takes so many credits away, or none if there are fewer. */
  send(quantity: number, now: number): Credit[] {
    const sent = this.free(now).filter(({ made }) => !made);
    if (sent.length < quantity) return [];
    const gone = sent.slice(0, quantity);
    this.credits = this.credits.filter((one) => !gone.includes(one));
    return gone;
  }

  /** The vacations, one after another. */
  away: Away[] = [];

  /** A vacation of so many days, today or right after the last one. */
  extend(days: number, now: number): void {
    const after = daysLater(this.away.at(-1)?.ate ?? '2000-01-01', 1);
    const today = dayOf(now);
    const desde = today > after ? today : after;
    this.away = [...this.away, { desde, ate: daysLater(desde, days - 1) }];
    // A lot ends at the midnight after its last day.
    for (const [lot, end] of this.ends)
      if (end > now && end !== Infinity && dayOf(end - 1) >= desde) this.ends.set(lot, end + days * DAY);
  }
}

const step = fc.record({
  kind: fc.constantFrom(
    ...(['grant', 'grant', 'consume', 'consume', 'return', 'hand', 'add', 'take'] as const),
    ...(['cancel', 'cancel', 'comeBack', 'extend', 'send', 'undoSend'] as const),
  ),
  amount: fc.integer({ min: 1, max: 5 }),
  session: fc.integer({ min: 0, max: 5 }),
  wait: fc.integer({ min: 0, max: 14 }),
  valid: fc.integer({ min: 1, max: 50 }),
});

it('agrees with a model of single credits in random sequences of commands', () => {
  let [makeUps, undone, extensions, ids] = [0, 0, 0, 0];
  fc.assert(
    fc.property(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), (steps) => {
      const model = new Model();
      /** The last transfer: its credits, and the recipient's account. */
      let sent: { credits: Credit[]; transfer: CreditTransferEvent[]; para: CreditState } | undefined;
      let state: CreditState = creditAccount.initialState;
      let now = start;
      steps.forEach(({ kind, amount, session, wait, valid }, n) => {
        now += wait * DAY;
        const session_id = `s${session}`;
        const entry_id = `entry-${n}`;
        const inicio = start + session * 9 * DAY;
        const origin = { student_id, entry_id, now: new Date(now) };
        const decide = (): CreditEvent[] | 'none' => {
          switch (kind) {
            case 'grant': {
              const { away } = model;
              const today = dayOf(now);
              const isAway = away.some(({ desde, ate }) => desde <= today && today <= ate);
              const last = deadline(daysLater(today, valid), daysLater(today, Number(isAway)), away);
              const [year, month, day] = last.split('-').map(Number);
              model.open(entry_id, amount, midnight(year!, month! - 1, day! + 1));
              const bought = { id: 'plan', creditos: amount, validade_dias: valid };
              return decideGrant(origin, bought, zone, away);
            }
            case 'consume':
              model.use(session_id, now);
              return decideConsume(state, origin, { causa: 'sessao', session_id });
            case 'return':
              model.give(session_id);
              return decideReturn(state, origin, session_id);
            case 'hand':
              model.use('spent', now);
              return decideConsumeByHand(state, origin, 'x');
            case 'add':
              model.open(entry_id, amount, Infinity);
              return decideAdjust(state, origin, { quantidade: amount, motivo: 'x' });
            case 'take':
              if (model.free(now).length >= amount)
                for (let taken = 0; taken < amount; taken++) model.use('spent', now);
              return decideAdjust(state, origin, { quantidade: -amount, motivo: 'x' });
            case 'cancel':
              model.cancel(session_id, inicio, entry_id, now);
              return decideMakeUp(
                state,
                origin,
                { session_id, inicio: new Date(inicio).toISOString() },
                terms,
              );
            case 'comeBack':
              model.comeBack(session_id, now);
              return decideTakeMakeUpBack(state, origin, session_id);
            case 'send': {
              const credits = model.send(amount, now);
              const moment = {
                now: origin.now,
                timezone: 'America/Sao_Paulo',
                newId: () => `${entry_id}-${ids++}`,
              };
              const wanted = { transfer_id: entry_id, de: student_id, para: 'other', motivo: 'x' };
              const made = decideTransfer(state, { ...wanted, quantidade: amount }, moment);
              sent = {
                credits,
                transfer: made.transfer,
                para: folded(creditAccount.initialState, made.para),
              };
              return made.de;
            }
            case 'undoSend': {
              if (!sent) return [];
              const { credits, para } = sent;
              const transfer = given(creditTransfer, ...sent.transfer)!;
              model.credits.push(...credits);
              sent = undefined;
              const moment = {
                now: origin.now,
                timezone: 'America/Sao_Paulo',
                newId: () => `${entry_id}-${ids++}`,
              };
              return decideUndoTransfer(transfer, { de: state, para }, moment).de;
            }
            case 'extend': {
              // The recipient's account is not extended here, so the transferred credits expire at other times now.
              sent = undefined;
              const before = model.away;
              model.extend(amount, now);
              const moved = { before, after: model.away, vacation_id: 'v', timezone: zone };
              return decideMove(state, origin, moved) as CreditEvent[];
            }
          }
        };
        for (const event of attempt(decide)) {
          state = creditAccount.evolve(state, event);
          if (event.type === 'MakeUpGranted') makeUps++;
          if (event.type === 'CreditsExtended') extensions++;
          if (event.type === 'CreditsReceived') undone++;
        }
        const free = model.free(now);
        expect(balance(state, new Date(now))).toBe(free.length);
        // Of lots with the same expiry either may be used first.
        const inOrder = usableLots(state, new Date(now)).flatMap(({ remaining, expires_at, reposicao }) =>
          Array<unknown>(remaining).fill([
            reposicao !== undefined,
            expires_at === null ? Infinity : Date.parse(expires_at),
          ]),
        );
        const expected = free.map(({ lot, made }) => [made !== undefined, model.ends.get(lot)]);
        expect(JSON.stringify(inOrder)).toBe(JSON.stringify(expected));
        expect(state.lots.every(({ remaining }) => remaining >= 0)).toBe(true);
      });
    }),
    { numRuns: 150 },
  );
  expect(Math.min(makeUps, undone, extensions)).toBeGreaterThan(0);
});

const folded = (state: CreditState, events: readonly CreditEvent[]): CreditState =>
  events.reduce((all, event) => creditAccount.evolve(all, event), state);

function attempt(decide: () => CreditEvent[] | 'none'): CreditEvent[] {
  try {
    const events = decide();
    return typeof events === 'string' ? [] : events;
  } catch (error) {
    if (error instanceof Problem) return [];
    throw error;
  }
}
