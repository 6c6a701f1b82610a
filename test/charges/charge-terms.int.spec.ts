import { createHmac, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeTerms } from '../../backend/modules/charges/charge-terms.api.js';
import type { ChargeDetail, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { PaymentPage } from '../../backend/modules/charges/payment-page.api.js';
import type { PixHook, UndecidedPage } from '../../backend/modules/charges/pix-notices.api.js';
import type { Why } from '../../backend/modules/audit/why.api.js';
import type { MonthSummary, TransactionPage } from '../../backend/modules/finance/finance.api.js';
import type { Forecast } from '../../backend/modules/finance/forecast.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { toldOf } from '../support/history.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date());
let trainer: Trainer;
let studentId: string;

const app = await sharedApp(clock);

const usual: ChargeTerms = {
  multa: 200,
  juros: 100,
  carencia_dias: 0,
  desconto_valor: 0,
  desconto_percentual: 500,
  desconto_dias: 5,
};

beforeEach(async () => {
  clock.at = new Date('2026-11-10T12:00:00Z');
  trainer = await signUp(app);
  studentId = (await trainer.api.post('/students', { nome: 'Ana Prado', whatsapp: '(11) 98877-6655' })).body
    .id;
  await trainer.api.put('/charge-terms', usual);
});

const issue = async (more: object = {}) =>
  (
    await trainer.api.post('/charges', {
      student_id: studentId,
      descricao: 'Novembro',
      valor: 15_000,
      vencimento: '2026-11-20',
      ...more,
    })
  ).body.id;
const get = async (id: string) => (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
const pay = async (id: string, valor: number, data: string) =>
  (await trainer.api.post<PaymentDone>(`/charges/${id}/payments`, { valor, data, metodo_pagamento: 'pix' }))
    .body;
const month = async (mes: string) => (await trainer.api.get<MonthSummary>(`/finance/months/${mes}`)).body;
const why = async (de: string) =>
  (await trainer.api.get<Why>('/why', { query: { de } })).body.elos.map(({ texto }) =>
    texto.replaceAll('\u00a0', ' '),
  );

it('hold for charges that are issued from then on, within what the law allows', async () => {
  const id = await issue();
  await trainer.api.put('/charge-terms', { ...usual, multa: 100, se_ainda: usual });
  await trainer.api.put('/charge-terms', { ...usual, se_ainda: usual }, { status: 409 });
  const later = await issue();
  clock.at = new Date('2026-11-21T12:00:00Z');
  expect([(await get(id)).hoje, (await get(later)).hoje]).toEqual([
    { multa: 300, juros: 5, desconto: 0, total: 15_305 },
    { multa: 150, juros: 5, desconto: 0, total: 15_155 },
  ]);
  for (const more of [{ multa: 201 }, { juros: 101 }])
    await trainer.api.put('/charge-terms', { ...usual, ...more }, { status: 400 });
  await trainer.api.put('/charge-terms', { ...usual, desconto_valor: 1 }, { status: 422 });
  expect(await toldOf(trainer.api, `pixkey:${trainer.tenantId}`)).toContain(
    'Definiu para as cobranças novas: multa de 1%, juros de 1% ao mês, desconto de 5% até 5 dias antes',
  );
});

describe('an overdue charge', () => {
  it('is settled by what the day makes of it, which the month and every why then say', async () => {
    const plano = { nome: 'Pacote', valor: 15_000, creditos: 4 };
    const plano_id = (await trainer.api.post('/plans', plano)).body.id;
    const id = await issue({ plano_id });
    clock.at = new Date('2026-12-05T12:00:00Z');
    expect((await get(id)).hoje).toEqual({ multa: 300, juros: 75, desconto: 0, total: 15_375 });
    expect((await get(id)).mensagem?.replaceAll('\u00a0', ' ')).toContain(
      'Hoje: R$ 150,00 + multa R$ 3,00 + juros R$ 0,75 = R$ 153,75. Para pagar:',
    );
    expect((await month('2026-11')).previsto).toBe(15_000);
    await trainer.api.post(
      `/charges/${id}/payments`,
      { valor: 15_376, data: '2026-12-05', metodo_pagamento: 'pix' },
      { status: 422 },
    );
    const before = new Date().toISOString();
    const { payment_id, quitada, creditos } = await pay(id, 15_375, '2026-12-05');
    expect([quitada, creditos]).toEqual([true, 4]);
    expect(await get(id)).toMatchObject({
      valor: 15_375,
      pago: 15_375,
      falta: 0,
      situacao: 'paga',
      pagamentos: [{ valor: 15_375, multa: 300, juros: 75, desconto: 0, dispensado: 0 }],
    });
    const months = [await month('2026-11'), await month('2026-12')];
    expect(months.map(({ previsto, recebido }) => [previsto, recebido])).toEqual([
      [15_375, 0],
      [0, 15_375],
    ]);
    expect(await why('expected:2026-11')).toEqual([
      'R$ 153,75 em 11/2026: a soma destas 2 partes.',
      'R$ 150,00: 1 cobrança.',
      'R$ 3,75: 1 cobrança alterada.',
    ]);
    const { transaction_id } = (await get(id)).pagamentos[0]!;
    for (const thing of [`charge:${id}`, `transaction:${transaction_id}`])
      expect(await why(thing)).toContain('Pagamento de R$ 153,75, com multa de R$ 3,00 e juros de R$ 0,75.');
    const receipt = await trainer.api.get<ShownReceipt>(`/transactions/${transaction_id}/receipt`);
    expect(receipt.body.sugestao.descricao.replaceAll('\u00a0', ' ')).toBe(
      'Novembro, com multa de R$ 3,00 e juros de R$ 0,75',
    );
    const { passos } = (
      await trainer.api.get<Forecast>('/finance/months/2026-11/forecast', { query: { at: before } })
    ).body;
    expect(passos.map(({ tipo, valor }) => [tipo, valor])).toEqual([
      ['pago_depois', -15_375],
      ['acrescimo', 375],
    ]);
    await trainer.api.post(`/charges/${id}/payments/${payment_id}/reverse`);
    expect(await get(id)).toMatchObject({ valor: 15_000, falta: 15_000, hoje: { total: 15_375 } });
    expect((await month('2026-11')).previsto).toBe(15_000);
    // What was given back is no discount.
    expect(await why('expected:2026-11')).toEqual([
      'R$ 150,00 em 11/2026: a soma desta parte.',
      'R$ 150,00: 1 cobrança.',
    ]);
    expect((await why(`charge:${id}`))[0]).toBe(
      'Venceu em 20/11/2026, há 15 dias, e falta pagar R$ 150,00. Hoje: R$ 150,00 + multa R$ 3,00 + juros R$ 0,75 = R$ 153,75.',
    );
    const { saldo } = (await trainer.api.get<CreditStatement>(`/students/${studentId}/credits`)).body;
    expect(saldo).toBe(0);
    await expectRebuildToEqualLive(app, 'charges');
    await expectRebuildToEqualLive(app, 'charge-terms');
  });

  it('is settled without fine and interest by its amount, and asks none for the day on which it was paid', async () => {
    const [waived, early] = [await issue(), await issue()];
    clock.at = new Date('2026-12-05T12:00:00Z');
    await pay(waived, 15_000, '2026-12-05');
    await pay(early, 15_000, '2026-11-20');
    expect([(await get(waived)).pagamentos, (await get(early)).pagamentos]).toMatchObject([
      [{ valor: 15_000, multa: 0, juros: 0, dispensado: 375 }],
      [{ valor: 15_000, multa: 0, juros: 0, dispensado: 0 }],
    ]);
    expect((await why(`charge:${waived}`)).join(' ')).toContain('sem R$ 3,75 de multa e juros');
  });

  it('has a new day, and neither fine nor interest, once it was moved', async () => {
    const id = await issue();
    clock.at = new Date('2026-12-05T12:00:00Z');
    await trainer.api.patch(`/charges/${id}`, { vencimento: '2026-12-10' });
    expect((await get(id)).hoje).toMatchObject({ multa: 0, juros: 0 });
  });

  it('is shown to its payer with the amount and the code of the day', async () => {
    await trainer.api.put('/settings/pix', {
      tipo: 'telefone',
      chave: '(11) 94321-4321',
      nome: 'Carla Souza',
      cidade: 'São Paulo',
    });
    const id = await issue();
    const token = (await get(id)).link!.split('/').at(-1)!;
    clock.at = new Date('2026-12-05T12:00:00Z');
    expect((await get(id)).pix).toContain('5406153.75');
    const path = `/api/v1/pay/${token}`;
    const { body } = await new Client(app.url).request<PaymentPage>('GET', path);
    expect([body.hoje.total, body.pix?.codigo]).toEqual([15_375, expect.stringContaining('5406153.75')]);
    const page = await (await fetch(`${app.url}/pagar/${token}`)).text();
    expect(page.replaceAll('\u00a0', ' ')).toContain('multa R$ 3,00');
  });
});

it('a Pix with the amount of its day, or of the day before, settles a charge; more is left to decide', async () => {
  const { url, segredo } = (await trainer.api.get<PixHook>('/settings/pix/webhook')).body;
  const arrive = async (txid: string, valor: string) => {
    const pix = { endToEndId: `E${randomUUID().replaceAll('-', '')}`.slice(0, 32), txid, valor };
    const bytes = JSON.stringify({ pix: [{ ...pix, horario: clock.at.toISOString() }] });
    const headers = { 'x-signature': createHmac('sha256', segredo).update(bytes).digest('hex') };
    await trainer.api.request('POST', new URL(url).pathname, { body: bytes, headers });
    // After a write of the trainer, the next read waits until the arrived Pix is projected too.
    await trainer.api.post('/plans', { nome: 'Outro', valor: 1, creditos: 0 });
  };
  const ids = [await issue(), await issue(), await issue()];
  clock.at = new Date('2026-12-05T12:00:00Z');
  for (const [at, valor] of ['153.75', '153.70', '160.00'].entries())
    await arrive(`R0${ids[at]!.replaceAll('-', '').slice(0, 23).toUpperCase()}`, valor);
  const paid = (await Promise.all(ids.map(get))).map(({ situacao, pago }) => [situacao, pago]);
  expect(paid).toEqual([
    ['paga', 15_375],
    ['paga', 15_370],
    ['paga', 15_375],
  ]);
  const { items } = (await trainer.api.get<UndecidedPage>('/arrived-pix')).body;
  expect(items.map(({ valor }) => valor)).toEqual([625]);
});

it('who pays early pays less, which is recorded as a discount', async () => {
  const id = await issue();
  expect((await get(id)).hoje).toEqual({ multa: 0, juros: 0, desconto: 750, total: 14_250 });
  expect((await get(id)).mensagem?.replaceAll('\u00a0', ' ')).toContain(
    '= R$ 142,50. O desconto vale até 15/11/2026. Para pagar:',
  );
  expect(await pay(id, 14_250, '2026-11-10')).toMatchObject({ quitada: true });
  expect(await get(id)).toMatchObject({ valor: 14_250, pago: 14_250, situacao: 'paga' });
  const { items } = (await trainer.api.get<TransactionPage>('/transactions', { query: { month: '2026-11' } }))
    .body;
  expect([items.map(({ valor }) => valor), (await month('2026-11')).previsto]).toEqual([[14_250], 14_250]);
  clock.at = new Date('2026-11-16T12:00:00Z');
  expect((await get(await issue())).hoje).toMatchObject({ desconto: 0, total: 15_000 });
});
