import { createHmac, randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Bill, BillPaidAnswer } from '../../backend/modules/charges/bills.api.js';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import type { Charge, ChargeDetail, OwnCharges } from '../../backend/modules/charges/charges.api.js';
import type { PaymentPage } from '../../backend/modules/charges/payment-page.api.js';
import type { PixHook, UndecidedPage } from '../../backend/modules/charges/pix-notices.api.js';
import type { Reminders } from '../../backend/modules/charges/receivables.api.js';
import type { MonthSummary } from '../../backend/modules/finance/finance.api.js';
import type { OwnPayments } from '../../backend/modules/receipts/own-payments.api.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import type { Why } from '../../backend/modules/audit/why.api.js';
import type { Price } from '../../backend/modules/audit/price.api.js';
import { accountBy, copyOf, studentAccount } from '../accounts/own-data.js';
import { Client } from '../support/client.js';
import { eventually } from '../support/eventually.js';
import { SetClock } from '../support/clock.js';
import { textOf } from '../support/pdf-text.js';
import { toldOf } from '../support/history.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { writtenPage } from '../support/written-page.js';

const clock = new SetClock(new Date());
const app = await sharedApp(clock);
let trainer: Trainer;
let payer: string;
let ana: string;
let bia: string;
/** Ana's, which is overdue, with fine and interest: R$ 153,25. */
let late: string;
/** Bia's, which is due in five days. */
let next: string;

const register = async (nome: string) =>
  (await trainer.api.post('/students', { nome, whatsapp: '(11) 91234-5678' })).body.id;
const issue = async (student_id: string, vencimento: string, descricao = 'Mensalidade') =>
  (await trainer.api.post('/charges', { student_id, descricao, valor: 15_000, vencimento })).body.id;

beforeEach(async () => {
  clock.at = new Date('2026-11-20T12:00:00Z');
  trainer = await signUp(app);
  await trainer.api.put('/charge-terms', {
    multa: 200,
    juros: 100,
    carencia_dias: 0,
    desconto_valor: 0,
    desconto_percentual: 0,
    desconto_dias: 0,
  });
  await trainer.api.put('/settings/pix', {
    tipo: 'email',
    chave: 'marina@example.com',
    nome: 'Marina Souza',
    cidade: 'Recife',
    banco: null,
  });
  [ana, bia] = [await register('Ana Souza'), await register('Bia Souza')];
  const carla = { nome: 'Carla Souza', whatsapp: '(21) 99876-5432', student_id: ana };
  payer = (await trainer.api.post('/payers', carla)).body.id;
  await trainer.api.put(`/students/${bia}/payer`, { payer_id: payer });
  next = await issue(bia, '2026-11-25');
  late = await issue(ana, '2026-11-15');
});

const TOTAL = 30_325;
const bill = async () => (await trainer.api.get<Bill>(`/payers/${payer}/bill`)).body;
const payment = { data: '2026-11-20', metodo_pagamento: 'pix' };
const pay = (valor: number) =>
  trainer.api.request<BillPaidAnswer & { code?: string }>('POST', `/api/v1/payers/${payer}/payments`, {
    body: { valor, ...payment },
  });
const charge = async (id: string) => {
  const { situacao, falta } = (await trainer.api.get<Charge>(`/charges/${id}`)).body;
  return [situacao, falta];
};
const recebido = async () => (await trainer.api.get<MonthSummary>('/finance/months/2026-11')).body.recebido;
const toDecide = async () => (await trainer.api.get<UndecidedPage>('/arrived-pix')).body.items;
const tokenOf = async () => (await bill()).link!.split('/').at(-1)!;

describe('what a payer owes', () => {
  it('is the sum of what the open charges of all students take today, and is paid with one tap', async () => {
    const { total, itens } = await bill();
    const { pagador } = (await trainer.api.get<ChargeDetail>(`/charges/${late}`)).body;
    expect(pagador).toEqual({ id: payer, nome: 'Carla Souza' });
    expect([total, itens.map(({ id, aluno, hoje }) => [id, aluno, hoje.total])]).toEqual([
      TOTAL,
      [
        [late, 'Ana Souza', 15_325],
        [next, 'Bia Souza', 15_000],
      ],
    ]);
    const { body } = await pay(TOTAL);
    expect(body).toMatchObject({ cobrancas: 2, quitadas: 2 });
    expect([await charge(late), await charge(next), await recebido()]).toEqual([
      ['paga', 0],
      ['paga', 0],
      TOTAL,
    ]);
    expect(await bill()).toMatchObject({
      total: 0,
      itens: [],
      link: null,
      pagamentos: [{ valor: TOTAL, cobrancas: 2 }],
    });
    const { elos } = (await trainer.api.get<Why>('/why', { query: { de: `charge:${next}` } })).body;
    expect(elos.map(({ texto }) => texto).join('\n')).toMatch(/parte de R\$.303,25 .* em 2 cobranças/);
    await expectRebuildToEqualLive(app, 'bill-payments');

    const path = `/payers/${payer}/payments/${body.id}/reverse`;
    // What `reverse/preview` announces.
    expect((await trainer.api.get<Price>(`${path}/preview`)).body.efeitos.join('\n')).toMatch(
      /reabre R\$.300,00 a receber/,
    );
    await trainer.api.post(path);
    expect([await charge(late), await charge(next), await recebido()]).toEqual([
      ['vencida', 15_000],
      ['aberta', 15_000],
      0,
    ]);
    expect((await trainer.api.request('POST', `/api/v1${path}`, { body: {} })).status).toBe(404);
  });

  it('is paid in part from the oldest charge on, to the cent, and never beyond', async () => {
    const { status, body } = await pay(TOTAL + 1);
    expect([status, body.code]).toEqual([422, 'charges.more_than_due']);
    expect(await recebido()).toBe(0);
    expect((await pay(15_325 + 4_999)).body).toMatchObject({ cobrancas: 2, quitadas: 1 });
    expect([await charge(late), await charge(next)]).toEqual([
      ['paga', 0],
      ['aberta', 10_001],
    ]);
    expect((await pay(10_001)).body).toMatchObject({ cobrancas: 1, quitadas: 1 });
    expect(await recebido()).toBe(TOTAL);
  });

  it('is a payment of what is left of it, once a part of it was undone by itself', async () => {
    const { id } = (await pay(TOTAL)).body;
    const { pagamentos } = (await trainer.api.get<Charge>(`/charges/${late}`)).body;
    await trainer.api.post(`/charges/${late}/payments/${pagamentos[0]!.id}/reverse`);
    expect((await bill()).pagamentos).toMatchObject([{ id, valor: TOTAL - 15_325, cobrancas: 1 }]);
    await trainer.api.post(`/payers/${payer}/payments/${id}/reverse`);
    expect([(await bill()).pagamentos, await charge(next), await recebido()]).toEqual([
      [],
      ['aberta', 15_000],
      0,
    ]);
  });

  it('has one page with one Pix code, which says what is paid', async () => {
    const token = await tokenOf();
    const stranger = new Client(app.url);
    const page = async () => (await stranger.get<PaymentPage>(`/pay/${token}`)).body;
    expect(await page()).toMatchObject({
      primeiro_nome: 'Carla',
      descricao: 'Conta de Ana e Bia',
      situacao: 'vencida',
      avisada: false,
      itens: [
        { aluno: 'Ana', total: 15_325 },
        { aluno: 'Bia', total: 15_000 },
      ],
    });
    const txid = `R1${payer.replaceAll('-', '').slice(0, 23).toUpperCase()}`;
    expect((await page()).pix!.codigo).toContain(txid);
    const { text } = await writtenPage(app, `/pagar/${token}`);
    expect(text).toContain('Bia · Mensalidade');
    expect(text).toMatch(/R\$.153,25 já vencidos\.<\/span> Ainda dá para pagar por aqui\./);
    await stranger.post('/pay/claim', { token });
    await eventually(async () => (await page()).avisada, true);
    await pay(TOTAL);
    await eventually(async () => (await page()).situacao, 'paga');
    expect(await page()).toMatchObject({ pix: null, itens: [] });
    expect((await writtenPage(app, `/pagar/${token}`)).text).toContain('Tudo pago');
    await trainer.api.post(`/payers/${payer}/link`);
    expect((await stranger.request('GET', `/api/v1/pay/${token}`)).status).toBe(404);
  });

  it('stands in full in the area of the account that the payer has, and in nobody else’s', async () => {
    const own = await studentAccount(app, trainer, bia, 'Bia');
    const invite = (await trainer.api.post<NewInvite>(`/payers/${payer}/invites`)).body;
    const carla = await accountBy(app, invite, 'Carla Souza');
    const contaOf = async (account: { api: Client }) =>
      (await account.api.get<OwnCharges>('/student/charges')).body.conta;
    const { link } = await bill();
    await eventually(() => contaOf(carla), { alunos: 'Ana e Bia', total: TOTAL, link });
    expect(await contaOf(own)).toBeUndefined();
    // The area is Ana's, who owes nothing any more.
    await pay(15_325);
    await eventually(() => contaOf(carla), { alunos: 'Bia', total: 15_000, link });
    await trainer.api.put(`/students/${ana}/payer`, { payer_id: null });
    await eventually(() => contaOf(carla), undefined);
  });

  it('is reminded of once a day, for all students', async () => {
    clock.at = new Date('2026-11-25T12:00:00Z');
    const due = async () => (await trainer.api.get<Reminders>('/receivables/reminders')).body.items;
    const [first, ...others] = await due();
    expect(others).toEqual([]);
    expect(first!.texto).toMatch(
      /^Oi, Carla! Segue a conta de Ana e Bia: R\$.303,50, sendo R\$.153,50 já vencidos\./,
    );
    await trainer.api.post(`/charges/${first!.id}/reminders`);
    expect(await due()).toEqual([]);
  });
});

describe('the receipt of what was paid at once', () => {
  const receiptOf = async (id: string) =>
    (await trainer.api.get<ShownReceipt>(`/transactions/${id}/receipt`)).body;
  const issueFor = (id: string, body: object) =>
    trainer.api.request<{ numero: number; code?: string }>('POST', `/api/v1/transactions/${id}/receipt`, {
      body,
    });
  const paymentOf = async (id: string) =>
    (await trainer.api.get<Charge>(`/charges/${id}`)).body.pagamentos[0]!;
  const sheet = async () => {
    await trainer.api.get('/transactions', { query: { month: '2026-11' } });
    const { body } = await trainer.api.get<string>('/finance/months/2026-11/carne-leao');
    const [, ...lines] = body.trim().split('\r\n');
    return lines.map((line) => line.split(';'));
  };
  const MADE = { de: '2026-11-01', ate: '2026-11-30' };

  beforeEach(async () => {
    await trainer.api.patch(`/payers/${payer}`, { documento: '111.444.777-35' });
    await trainer.api.put('/settings/receipts', {
      nome: 'Estúdio Recife',
      documento: '11.222.333/0001-81',
      cref: null,
      cidade: 'Recife',
    });
  });

  it('is one, of all receitas, whichever it is asked for', async () => {
    await pay(TOTAL);
    const [first, second] = [(await paymentOf(late)).transaction_id, (await paymentOf(next)).transaction_id];
    const { sugestao, partes } = await receiptOf(second);
    expect(sugestao).toMatchObject({
      payer_id: payer,
      nome: 'Carla Souza',
      cpf: '11144477735',
      descricao: 'Aulas de 2 alunos',
    });
    const lines = [
      { aluno: 'Ana Souza', descricao: expect.stringMatching(/^Mensalidade.*multa/), valor: 15_325 },
      { aluno: 'Bia Souza', descricao: 'Mensalidade', valor: 15_000 },
    ];
    expect(partes).toEqual(lines);
    expect((await issueFor(second, { ...sugestao, ...MADE })).status).toBe(201);
    const { recibo, partes: printed } = await receiptOf(first);
    expect([recibo, printed]).toMatchObject([{ numero: 1, valor: TOTAL, nome: 'Carla Souza' }, lines]);
    expect((await receiptOf(second)).recibo).toEqual(recibo);
    expect(await issueFor(first, { ...sugestao, ...MADE })).toMatchObject({
      body: { code: 'receipts.already_issued' },
    });

    const path = new URL(recibo!.link).pathname;
    const page = await writtenPage(app, path);
    expect(page.words).toMatch(/Recibo de R\$.303,25.*Ana Souza R\$.153,25.*Bia Souza R\$.150,00/);
    const file = textOf(Buffer.from(await (await fetch(`${app.url}${path}.pdf`)).arrayBuffer()));
    for (const said of ['Ana Souza', 'Bia Souza', '153,25', '111.444.777-35']) expect(file).toContain(said);
    const code = async () => (await writtenPage(app, `/verificar/${recibo!.codigo}`)).words;
    expect(await code()).toMatch(/Recibo válido.*R\$.303,25/);
    const seal = await writtenPage(app, `/verificar/${recibo!.lacre}`);
    expect(seal.words).toMatch(/Pagamento registrado.*R\$.303,25/);
    // Each receita stands once in the month, with the number of the one receipt.
    const entries = (await sheet()).map(([, valor, nome, , , numero]) => [valor, nome, numero]);
    expect(entries.toSorted()).toEqual([
      ['150,00', 'Carla Souza', '1'],
      ['153,25', 'Carla Souza', '1'],
    ]);
    const paidFor = async (student: string, query = {}) =>
      (await trainer.api.get<OwnPayments>(`/students/${student}/payments`, { query })).body.items;
    const one = [{ descricao: 'Mensalidade', recibo: { numero: 1 } }];
    for (const student of [ana, bia]) expect(await paidFor(student)).toMatchObject(one);
    await issue(ana, '2026-12-15');
    const { pagamentos } = (await new Client(app.url).get<PaymentPage>(`/pay/${await tokenOf()}`)).body;
    expect(pagamentos).toEqual([{ valor: TOTAL, data: '2026-11-20', recibo: path }]);
    await trainer.api.post(`/transactions/${recibo!.id}/receipt/send`, { canal: 'whatsapp' });
    expect(await toldOf(trainer.api, `payer:${payer}`)).toContain('Enviou o recibo por WhatsApp');
    const { elos } = (await trainer.api.get<Why>('/why', { query: { de: `receipt:${recibo!.id}` } })).body;
    expect(elos.map(({ texto }) => texto).join('\n')).toMatch(/Emitido: nº 1, de R\$.303,25/);
    clock.at = new Date();
    expect(await paidFor(bia, { at: clock.at.toISOString() })).toMatchObject(one);
  });

  it('is cancelled with the payment, and once a part of it is undone, after which the others can have theirs', async () => {
    const { id } = (await pay(TOTAL)).body;
    const [ofLate, ofNext] = [await paymentOf(late), await paymentOf(next)];
    const { sugestao } = await receiptOf(ofLate.transaction_id);
    await issueFor(ofLate.transaction_id, { ...sugestao, ...MADE });
    const undo = `/charges/${late}/payments/${ofLate.id}/reverse`;
    expect((await trainer.api.get<Price>(`${undo}/preview`)).body.efeitos).toContain(
      'o recibo 1 fica cancelado',
    );
    await trainer.api.post(undo);
    const { recibo } = await receiptOf(ofLate.transaction_id);
    expect(recibo!.cancelado_em).not.toBeNull();
    const verified = async (code: string) => (await writtenPage(app, `/verificar/${code}`)).words;
    expect(await verified(recibo!.codigo)).toContain('O pagamento, ou uma parte dele, foi estornado');
    expect(await verified(recibo!.lacre)).toMatch(/Uma parte deste pagamento.*Continuam valendo R\$.150,00/);
    const left = await receiptOf(ofNext.transaction_id);
    expect([left.recibo, left.partes]).toEqual([null, []]);
    expect((await sheet()).map(([, valor, , , , numero]) => [valor, numero])).toEqual([['150,00', '']]);
    await issueFor(ofNext.transaction_id, { ...left.sugestao, ...MADE });
    expect((await receiptOf(ofNext.transaction_id)).recibo).toMatchObject({ numero: 2, valor: 15_000 });
    expect((await sheet()).map(([, valor, , , , numero]) => [valor, numero])).toEqual([['150,00', '2']]);
    await trainer.api.post(`/payers/${payer}/payments/${id}/reverse`);
    expect((await receiptOf(ofNext.transaction_id)).recibo!.cancelado_em).not.toBeNull();
    expect(await verified(recibo!.lacre)).toContain('Este pagamento foi estornado');
    for (const name of ['receipts', 'receipt-entries', 'charge-payments'])
      await expectRebuildToEqualLive(app, name);
  });

  it("says to no student what was paid for the others, in whoever's name it is", async () => {
    await pay(TOTAL);
    const { transaction_id } = await paymentOf(late);
    const { sugestao } = await receiptOf(transaction_id);
    await issueFor(transaction_id, { ...sugestao, ...MADE, payer_id: null, nome: 'Davi Souza' });
    const account = await studentAccount(app, trainer, ana, 'Ana');
    const { items } = (await account.api.get<OwnPayments>('/student/payments')).body;
    expect(items).toMatchObject([{ valor: 15_325, recibo: null }]);
    const [, receipts] = [...(await copyOf(app, account))].find(([name]) => name.endsWith('recibos.json'))!;
    const own = { numero: 1, nome: 'Davi Souza', cpf: null, valor: 15_325 };
    expect(JSON.parse(receipts)).toMatchObject([own]);
  });

  it('no longer names a student who is forgotten; who paid and all amounts stay', async () => {
    await pay(TOTAL);
    const { transaction_id } = await paymentOf(late);
    await issueFor(transaction_id, { ...(await receiptOf(transaction_id)).sugestao, ...MADE });
    await trainer.api.post(`/students/${ana}/forget`);
    const { recibo, partes } = await receiptOf(transaction_id);
    expect(recibo).toMatchObject({ nome: 'Carla Souza', valor: TOTAL });
    expect(JSON.stringify(recibo)).not.toContain('Ana');
    expect(partes).toMatchObject([
      { aluno: null, descricao: null, valor: 15_325 },
      { aluno: 'Bia Souza', valor: 15_000 },
    ]);
  });
});

describe('a Pix that names what a payer owes', () => {
  const tell = async (valor: string, endToEndId = `E${randomUUID().replaceAll('-', '').slice(0, 31)}`) => {
    const hook = (await trainer.api.get<PixHook>('/settings/pix/webhook')).body;
    const txid = `R1${payer.replaceAll('-', '').slice(0, 23).toUpperCase()}`;
    const body = JSON.stringify({ pix: [{ endToEndId, txid, valor, horario: '2026-11-20T11:58:03.000Z' }] });
    const signature = createHmac('sha256', hook.segredo).update(body).digest('hex');
    const headers = { 'Content-Type': 'application/json', 'x-signature': `sha256=${signature}` };
    const { status } = await fetch(app.url + new URL(hook.url).pathname, { method: 'POST', headers, body });
    expect(status).toBe(204);
    return endToEndId;
  };
  /** Reads after a notice, which has no position, wait for a write after it. */
  const settled = () => trainer.api.patch(`/payers/${payer}`, { email: `${randomUUID()}@example.com` });

  it('pays the charges once, however often it is told, and what is over is to be decided', async () => {
    const id = await tell('310.00');
    await tell('310.00', id);
    await settled();
    expect([await charge(late), await charge(next)]).toEqual([
      ['paga', 0],
      ['paga', 0],
    ]);
    expect(await recebido()).toBe(TOTAL);
    expect((await toDecide()).map(({ valor }) => valor)).toEqual([31_000 - TOTAL]);
  });

  it('is to be decided again where its payment is undone', async () => {
    await tell('303.25');
    await settled();
    const { pagamentos } = await bill();
    const { body } = await trainer.api.post<{ pix_a_decidir: boolean }>(
      `/payers/${payer}/payments/${pagamentos[0]!.id}/reverse`,
    );
    expect(body.pix_a_decidir).toBe(true);
    expect((await toDecide()).map(({ valor }) => valor)).toEqual([TOTAL]);
    await expectRebuildToEqualLive(app, 'arrived-pix');
  });

  it('is the payment that was recorded by hand before it', async () => {
    await pay(TOTAL);
    const again = await issue(ana, '2026-12-15', 'Avaliação');
    await tell('303.25');
    await settled();
    expect([await charge(again), await recebido(), await toDecide()]).toEqual([
      ['aberta', 15_000],
      TOTAL,
      [],
    ]);
  });

  it('is that payment without what was undone of it since', async () => {
    await pay(TOTAL);
    const { pagamentos } = (await trainer.api.get<Charge>(`/charges/${next}`)).body;
    await trainer.api.post(`/charges/${next}/payments/${pagamentos[0]!.id}/reverse`);
    await tell('303.25');
    await settled();
    expect([await recebido(), (await toDecide()).map(({ valor }) => valor)]).toEqual([15_325, [15_000]]);
  });
});
