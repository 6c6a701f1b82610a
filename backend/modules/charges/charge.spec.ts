import { describe, expect, it } from '@jest/globals';
import { given } from '../../../test/support/given.js';
import {
  charge,
  type ChargeEvent,
  decideCancel,
  decideChange,
  decideClaim,
  decidePay,
  decidePromise,
  decideRemind,
  decideRestore,
  decideReversePayment,
  decideSend,
  dueOf,
  existingCharge,
  type KnownCharge,
  settles,
  standingPayment,
} from './charge.js';
import { noTerms } from './charge-terms.api.js';
import { stepOf } from './days.js';
import { decideRefund } from './refund.js';

const about = { charge_id: 'c', student_id: 's' };
const issued: ChargeEvent = {
  type: 'ChargeIssued',
  data: {
    ...about,
    origem: 'plano',
    plano_id: 'p',
    session_id: null,
    mes: null,
    descricao: 'Pacote',
    valor: 40_000,
    vencimento: '2026-11-20',
    creditos: 10,
    termos: null,
    validade_dias: null,
    txid: 'R0',
    link_id: 'l',
    token_hash: 'h',
  },
};
const pays = (payment_id: string, valor: number, falta: number): ChargeEvent => ({
  type: 'ChargePaid',
  data: {
    ...about,
    payment_id,
    transaction_id: `t-${payment_id}`,
    valor,
    data: '2026-11-19',
    falta,
    lot_id: null,
    multa: 0,
    juros: 0,
    desconto: 0,
    dispensado: 0,
    metodo_pagamento: 'pix',
  },
});
const payment = (valor: number) => ({
  payment_id: 'new',
  transaction_id: 't',
  valor,
  data: '2026-11-19',
  metodo_pagamento: 'pix' as const,
});
const known = (...events: ChargeEvent[]) => existingCharge(given(charge, issued, ...events));
const refusal = (code: string) => expect.objectContaining({ code });

describe('paying', () => {
  it('leaves the rest open', () => {
    const [event] = decidePay(known(), payment(15_000), null);
    expect(event?.data).toMatchObject({ valor: 15_000, falta: 25_000 });
    expect(dueOf(known(pays('one', 15_000, 25_000)))).toBe(25_000);
  });

  it('accepts no more than the amount due', () => {
    expect(() => decidePay(known(pays('one', 15_000, 25_000)), payment(25_001), null)).toThrow(
      refusal('charges.more_than_due'),
    );
  });

  it('is refused once the charge is paid or cancelled', () => {
    expect(() => decidePay(known(pays('one', 40_000, 0)), payment(1), null)).toThrow(
      refusal('charges.already_paid'),
    );
    const cancelled = known({
      type: 'ChargeCancelled',
      data: { ...about, session_id: null, com_sessao: null },
    });
    expect(() => decidePay(cancelled, payment(1), null)).toThrow(refusal('charges.cancelled'));
  });
});

it('a former promise comes back only while the one that replaced it stands', () => {
  const promised = (dia: string | null): ChargeEvent => ({ type: 'ChargePromised', data: { ...about, dia } });
  const back = { dia: null, se_ainda: '2026-11-27' };
  expect(decidePromise(known(promised('2026-11-27')), back)).toEqual([promised(null)]);
  expect(() => decidePromise(known(promised('2026-11-27'), promised('2026-12-01')), back)).toThrow(
    refusal('changed_since'),
  );
});

it('settles the charge and grants the credits with the last payment', () => {
  const partly = known(pays('one', 15_000, 25_000));
  expect([settles(known(), payment(40_000)), settles(partly, payment(25_000))]).toEqual([true, true]);
  expect([settles(known(), payment(39_999)), settles(partly, payment(24_999))]).toEqual([false, false]);
  expect(settles(known(...decideCancel(known())), payment(40_000))).toBe(false);
});

it('fine and interest raise the amount of the charge with the payment, and leave it with the payment', () => {
  const termos = { ...noTerms, multa: 200, juros: 100 };
  const late = existingCharge(given(charge, { ...issued, data: { ...issued.data, termos } }));
  const on = (valor: number) => ({ ...payment(valor), data: '2026-12-20' });
  expect(() => decidePay(late, on(41_201), null)).toThrow(refusal('charges.more_than_due'));
  const [paid] = decidePay(late, on(41_200), 'lot');
  expect(paid?.data).toMatchObject({ multa: 800, juros: 400, dispensado: 0, falta: 0 });
  const settled = existingCharge(charge.evolve(late, paid!));
  expect([settled.valor, dueOf(settled)]).toEqual([41_200, 0]);
  const ids = { estorno_id: 'e', creditos_retirados: 0 };
  const [undone] = decideReversePayment(settled, standingPayment(settled, 'new'), ids);
  const open = existingCharge(charge.evolve(settled, undone!));
  expect([open.valor, dueOf(open)]).toEqual([40_000, 40_000]);
  // A refund gives the fine and interest back first; undone, the rest leaves the amount alone.
  const wanted = { valor: 900, creditos: 0, motivo: 'acordo', valor_atual: 41_200 };
  const refund = decideRefund(settled, standingPayment(settled, 'new'), wanted, {
    estorno_id: 'r',
    transaction_id: 'after',
  });
  const kept = existingCharge(
    charge.evolve(settled, { type: 'ChargeRefunded', data: { ...refund, creditos_expirados: 0 } }),
  );
  const [rest] = decideReversePayment(kept, standingPayment(kept, 'new'), ids);
  const again = existingCharge(charge.evolve(kept, rest!));
  expect([kept.valor, again.valor, dueOf(again)]).toEqual([40_300, 40_000, 40_000]);
});

describe('a refund', () => {
  const ids = { estorno_id: 'e', transaction_id: 'after' };
  const wanted = { valor: 15_000, creditos: 4, motivo: 'mudou de cidade', valor_atual: 40_000 };
  const refunded = (state: KnownCharge, more: Partial<typeof wanted> = {}) =>
    decideRefund(state, state.pagamentos[0]!, { ...wanted, ...more }, ids);
  const paid = () => known(granting(pays('one', 40_000, 0)));
  const granting = ({ data }: ChargeEvent) =>
    ({ type: 'ChargePaid', data: { ...data, lot_id: 'lot' } }) as ChargeEvent;

  it('records the kept part as a new receita, which becomes the amount of the charge', () => {
    expect(refunded(paid())).toMatchObject({
      valor: 15_000,
      creditos_retirados: 4,
      valor_cobrado: 25_000,
      resta: { transaction_id: 'after', valor: 25_000 },
    });
    expect(refunded(paid(), { valor: 40_000 })).toMatchObject({ resta: null, valor_cobrado: 0 });
  });

  it('is refused for more than was paid or granted, for an outdated amount, and for an unpaid charge', () => {
    const code = (state: KnownCharge, more: Partial<typeof wanted>) => () => refunded(state, more);
    expect(code(paid(), { valor: 40_001 })).toThrow(refusal('charges.more_than_paid'));
    expect(code(paid(), { creditos: 11 })).toThrow(refusal('charges.more_credits'));
    expect(code(known(pays('one', 40_000, 0)), { creditos: 1 })).toThrow(refusal('charges.more_credits'));
    expect(code(paid(), { valor_atual: 39_999 })).toThrow(refusal('charges.payment_changed'));
    expect(code(known(pays('one', 15_000, 25_000)), {})).toThrow(refusal('charges.not_paid'));
  });
});

describe('an undone payment', () => {
  const reversed: ChargeEvent = {
    type: 'ChargePaymentReversed',
    data: {
      ...about,
      payment_id: 'one',
      transaction_id: 't-one',
      valor: 15_000,
      estorno_id: 'e',
      falta: 40_000,
      creditos_retirados: 0,
      acrescimo: 0,
    },
  };

  it('makes the charge due again and is removed', () => {
    const state = known(pays('one', 15_000, 25_000), reversed);
    expect(dueOf(state)).toBe(40_000);
    expect(() => standingPayment(state, 'one')).toThrow(refusal('charges.payment_not_found'));
  });
});

describe('changing and cancelling', () => {
  it('records the former values', () => {
    expect(decideChange(known(), { valor: 35_000, vencimento: '2026-11-20' })).toEqual([
      { type: 'ChargeChanged', data: { ...about, valor: 35_000, antes: { valor: 40_000 } } },
    ]);
    expect(decideChange(known(), { descricao: 'Pacote' })).toEqual([]);
  });

  it('is refused for a partly paid charge', () => {
    const partly = known(pays('one', 15_000, 25_000));
    expect(() => decideChange(partly, { valor: 1 })).toThrow(refusal('charges.has_payments'));
    expect(() => decideCancel(partly)).toThrow(refusal('charges.has_payments'));
    expect(decideChange(partly, { vencimento: '2026-12-01' })).toHaveLength(1);
  });

  it('a former value is restored only if the changed value was not changed again', () => {
    const [dearer] = decideChange(known(), { valor: 45_000 });
    const back = { valor: 40_000, se_ainda: { valor: 45_000 } };
    expect(decideChange(known(dearer!), back)).toEqual([
      { type: 'ChargeChanged', data: { ...about, valor: 40_000, antes: { valor: 45_000 } } },
    ]);
    const [moved] = decideChange(known(dearer!), { vencimento: '2026-12-01' });
    expect(decideChange(known(dearer!, moved!), back)).toHaveLength(1);
    const [again] = decideChange(known(dearer!), { valor: 50_000 });
    expect(() => decideChange(known(dearer!, again!), back)).toThrow(refusal('changed_since'));
  });

  it('happens once, and can be undone', () => {
    const [cancelled] = decideCancel(known());
    expect(decideCancel(known(cancelled!))).toEqual([]);
    expect(decideRestore(known(cancelled!))).toHaveLength(1);
    expect(decideRestore(known())).toEqual([]);
  });
});

it('"Já paguei" is recorded once until a payment is recorded', () => {
  const [claimed] = decideClaim(known());
  expect(decideClaim(known(claimed!))).toEqual([]);
  expect(decideClaim(known(claimed!, pays('one', 15_000, 25_000)))).toHaveLength(1);
  expect(decideClaim(known(pays('one', 40_000, 0)))).toEqual([]);
  expect(() => decideClaim(known(...decideCancel(known())))).toThrow(refusal('charges.link_not_valid'));
});

it('is sent once, while something is left to pay', () => {
  const [sent] = decideSend(known(), '2026-11-20');
  expect(decideSend(known(sent!), '2026-11-21')).toEqual([]);
  expect(decideSend(known(pays('one', 40_000, 0)), '2026-11-20')).toEqual([]);
  expect(decideSend(known(...decideCancel(known())), '2026-11-20')).toEqual([]);
});

it('each step of the ladder is sent once, by mail or WhatsApp, and none after payment', () => {
  const step = { degrau: 0, canal: 'email' as const, dia: '2026-11-20' };
  const [reminded] = decideRemind(known(), step);
  expect(decideRemind(known(reminded!), step)).toEqual([]);
  expect(decideRemind(known(reminded!), { ...step, canal: 'whatsapp' })).toEqual([]);
  expect(decideRemind(known(reminded!), { ...step, degrau: 3 })).toHaveLength(1);
  expect(decideRemind(known(pays('one', 40_000, 0)), step)).toEqual([]);
  const [moved] = decideChange(known(reminded!), { vencimento: '2026-12-20' });
  expect(decideRemind(known(reminded!, moved!), step)).toHaveLength(1);
});

it('is on a step of the ladder from 3 days before its due date to 14 days after it', () => {
  const days = ['16', '17', '19', '20', '22', '23', '26', '27'].map((day) => `2026-11-${day}`);
  expect(days.map((today) => stepOf('2026-11-20', today))).toEqual([null, -3, -3, 0, 0, 3, 3, 7]);
  expect([stepOf('2026-11-20', '2026-12-04'), stepOf('2026-11-20', '2026-12-05')]).toEqual([7, null]);
});
