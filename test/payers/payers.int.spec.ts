import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import type { Bill } from '../../backend/modules/charges/bills.api.js';
import type { ChargeDetail, Charge } from '../../backend/modules/charges/charges.api.js';
import type { PaymentPage } from '../../backend/modules/charges/payment-page.api.js';
import { chargeReminders } from '../../backend/modules/charges/reminders.job.js';
import type { Reminders } from '../../backend/modules/charges/receivables.api.js';
import type { Payer, PayerOfStudent, PayerPage } from '../../backend/modules/payers/payers.api.js';
import type { PayerForgetPreview } from '../../backend/modules/privacy/privacy.api.js';
import type { OwnPayments } from '../../backend/modules/receipts/own-payments.api.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import { accountBy } from '../accounts/own-data.js';
import { testDatabase } from '../support/database.js';
import { dayOf, SetClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { writtenPage } from '../support/written-page.js';

const database = await testDatabase();
/** The same for the whole file, even if it ends on the next day. */
const today = dayOf();
/** Noon of today, because reminders are sent from 9 to 20 only. */
const app = await sharedApp(new SetClock(new Date(`${today}T15:00:00Z`)));
let api: Trainer['api'];
let ana: string;
let bia: string;

const register = async (nome: string, more: object = {}) =>
  (await api.post('/students', { nome, whatsapp: '(11) 91234-5678', ...more })).body.id;

beforeEach(async () => {
  ({ api } = await signUp(app));
  [ana, bia] = [await register('Ana Souza'), await register('Bia Souza')];
});

const carla = {
  nome: 'Carla Souza',
  documento: '111.444.777-35',
  whatsapp: '(21) 99876-5432',
  email: 'carla@example.com',
};
const registerPayer = async (student_id = ana, more: object = {}) =>
  (await api.post('/payers', { ...carla, student_id, ...more })).body.id;
const payerOf = async (id: string) =>
  (await api.get<PayerOfStudent>(`/students/${id}/payer`)).body.pagador?.nome ?? null;
const choose = (id: string, payer_id: string | null, more: object = {}) =>
  api.request('PUT', `/api/v1/students/${id}/payer`, { body: { payer_id, ...more } });
const charge = async (student_id: string, valor = 48_000) => {
  const terms = { descricao: 'Mensalidade', valor, vencimento: today };
  return (await api.post('/charges', { student_id, ...terms })).body.id;
};
const pay = async (id: string, valor = 48_000) => {
  await api.post(`/charges/${id}/payments`, { valor, data: today, metodo_pagamento: 'pix' });
  return (await api.get<Charge>(`/charges/${id}`)).body.pagamentos[0]!.transaction_id;
};
const receiptOf = async (id: string) => (await api.get<ShownReceipt>(`/transactions/${id}/receipt`)).body;

describe('a payer', () => {
  it('pays for several students, and each student has one payer', async () => {
    const id = await registerPayer();
    expect((await choose(bia, id)).status).toBe(200);
    expect((await api.get<Payer>(`/payers/${id}`)).body).toEqual({
      id,
      nome: 'Carla Souza',
      documento: '11144477735',
      whatsapp: '+5521998765432',
      email: 'carla@example.com',
      esquecido: false,
      alunos: [
        { id: ana, nome: 'Ana Souza' },
        { id: bia, nome: 'Bia Souza' },
      ],
    });
    const other = await registerPayer(ana, { nome: 'Empresa Sol', documento: '11.222.333/0001-81' });
    expect(await payerOf(ana)).toBe('Empresa Sol');
    expect((await choose(ana, null, { se_ainda: { payer_id: id } })).status).toBe(409);
    expect((await choose(ana, id, { se_ainda: { payer_id: other } })).status).toBe(200);
    const { items } = (await api.get<PayerPage>('/payers', { query: { q: 'sol' } })).body;
    expect(items.map(({ nome, documento }) => [nome, documento])).toEqual([
      ['Empresa Sol', '11222333000181'],
    ]);
    for (const name of ['payers', 'student-payers']) await expectRebuildToEqualLive(app, name);
  });

  it('who is removed leaves the students to themselves, and comes back with those who have no other', async () => {
    const id = await registerPayer();
    await choose(bia, id);
    await api.request('DELETE', `/api/v1/payers/${id}`);
    expect([await payerOf(ana), await payerOf(bia)]).toEqual([null, null]);
    await registerPayer(bia, { nome: 'Davi' });
    await api.post(`/payers/${id}/restore`);
    expect([await payerOf(ana), await payerOf(bia)]).toEqual(['Carla Souza', 'Davi']);
  });

  it('is written to in the place of the student, for whom the charge is', async () => {
    await registerPayer();
    const { whatsapp, mensagem, link } = (await api.get<ChargeDetail>(`/charges/${await charge(ana)}`)).body;
    expect(whatsapp).toContain('5521998765432');
    expect(mensagem).toMatch(/^Oi, Carla! Segue a cobrança de Ana de R\$/);
    const token = link!.split('/').at(-1)!;
    expect((await api.get<PaymentPage>(`/pay/${token}`)).body.primeiro_nome).toBe('Carla');
    const [item] = (await api.get<Reminders>('/receivables/reminders')).body.items;
    expect(item).toMatchObject({
      student_nome: 'Ana Souza',
      texto: expect.stringMatching(/^Oi, Carla! Segue a conta de Ana: /),
    });
  });

  it('gets the reminder by mail, which the student has no address for', async () => {
    await registerPayer();
    const id = await charge(ana);
    await api.get('/charges');
    await app.run(chargeReminders.Handler);
    const mails = () =>
      database.query<{ kind: string }>('select kind from mails where subject_id = $1 and outcome = $2', [
        id,
        'sent',
      ]);
    await eventually(async () => (await mails()).length, 1);
  });

  it('has the receipts in their name, with their own right to be forgotten', async () => {
    await api.put('/settings/receipts', {
      nome: 'Estúdio',
      documento: '11.222.333/0001-81',
      cref: null,
      cidade: 'Recife',
    });
    const id = await registerPayer();
    const transaction = await pay(await charge(ana));
    const { sugestao } = await receiptOf(transaction);
    expect(sugestao).toMatchObject({ nome: 'Carla Souza', cpf: '11144477735' });
    await api.post(`/transactions/${transaction}/receipt`, sugestao);
    expect((await receiptOf(transaction)).recibo).toMatchObject({
      nome: 'Carla Souza',
      por_email: true,
      whatsapp: expect.stringContaining('5521998765432'),
    });
    await api.post(`/transactions/${transaction}/receipt/send`, { canal: 'email' });
    // What is in the name of somebody else is the student's own affair, also where that is the same name.
    const other = await pay(await charge(ana));
    await api.post(`/transactions/${other}/receipt`, { ...sugestao, payer_id: null });
    expect((await receiptOf(other)).recibo!.whatsapp).toContain('5511912345678');
    const spelled = await pay(await charge(ana));
    await api.post(`/transactions/${spelled}/receipt`, { ...sugestao, nome: 'Carla M. Souza' });
    expect((await receiptOf(spelled)).recibo!.whatsapp).toContain('5521998765432');

    await api.post(`/students/${ana}/forget`);
    expect(await payerOf(ana)).toBeNull();
    expect((await receiptOf(transaction)).recibo!.whatsapp).toContain('5521998765432');
    const { permanece } = (await api.get<PayerForgetPreview>(`/payers/${id}/forget`)).body;
    expect(permanece.map(({ o_que }) => o_que)).toEqual(['Recibos emitidos']);
    await choose(bia, id);
    await api.post(`/payers/${id}/forget`);
    expect((await api.get<Payer>(`/payers/${id}`)).body).toMatchObject({
      nome: 'Pagador apagado',
      esquecido: true,
    });
    expect(await payerOf(bia)).toBeNull();
    expect((await receiptOf(transaction)).recibo).toMatchObject({ nome: 'Carla Souza', whatsapp: null });
    expect((await choose(bia, id)).status).toBe(409);
    for (const name of ['payers', 'student-payers', 'receipts']) await expectRebuildToEqualLive(app, name);
  });

  it('sees no receipt in the name of who paid before them', async () => {
    await api.put('/settings/receipts', {
      nome: 'Estúdio',
      documento: '11.222.333/0001-81',
      cref: null,
      cidade: 'Recife',
    });
    const id = await registerPayer();
    const charged = await charge(ana);
    const paymentsAt = async (link: string | null) =>
      (await api.get<PaymentPage>(`/pay/${link!.split('/').at(-1)!}`)).body.pagamentos;
    const { link } = (await api.get<ChargeDetail>(`/charges/${charged}`)).body;
    const billOf = async (payer: string) => {
      await charge(ana, 1_000);
      return (await api.get<Bill>(`/payers/${payer}/bill`)).body.link;
    };
    const transaction = await pay(charged);
    await api.post(`/transactions/${transaction}/receipt`, (await receiptOf(transaction)).sugestao);
    const own = { recibo: expect.stringContaining('/recibo/') };
    expect(await paymentsAt(await billOf(id))).toMatchObject([own]);
    expect(await paymentsAt(link)).toMatchObject([own]);
    const next = await registerPayer(ana, { nome: 'Davi Souza', documento: null });
    expect(await paymentsAt(await billOf(next))).toEqual([]);
  });

  it('has a link of a charge that, once somebody else pays, names nobody and shows no payment', async () => {
    await registerPayer();
    const id = await charge(ana);
    const linkOf = async () => (await api.get<ChargeDetail>(`/charges/${id}`)).body.link!.split('/').at(-1)!;
    const page = async (token: string) => {
      const { primeiro_nome, pagamentos } = (await api.get<PaymentPage>(`/pay/${token}`)).body;
      return [primeiro_nome, pagamentos.map(({ valor }) => valor)];
    };
    const before = await linkOf();
    await pay(id, 20_000);
    expect(await page(before)).toEqual(['Carla', [20_000]]);
    await registerPayer(ana, { nome: 'Davi Souza' });
    await pay(id, 10_000);
    expect(await page(before)).toEqual([null, []]);
    expect((await writtenPage(app, `/pagar/${before}`)).text).toContain('Olá!');
    await api.post(`/charges/${id}/link`);
    expect(await page(await linkOf())).toEqual(['Davi', [10_000]]);
  });

  it('is named by the files of the month in which they paid, also after somebody else pays', async () => {
    const id = await registerPayer();
    await pay(await charge(ana));
    await api.post('/transactions', {
      tipo: 'receita',
      descricao: 'Aula',
      valor: 9_000,
      data: today,
      metodo_pagamento: 'pix',
      student_id: bia,
    });
    await choose(bia, id);
    await choose(ana, null);
    await pay(await charge(ana, 1_000), 1_000);
    await api.get('/transactions', { query: { month: today.slice(0, 7) } });
    const sheet = (await api.get<string>(`/finance/months/${today.slice(0, 7)}/carne-leao`)).body;
    const [, ...lines] = sheet.trim().split('\r\n');
    expect(lines.map((line) => line.split(';')[2])).toEqual(['Carla Souza', 'Carla Souza', 'Ana Souza']);
    await expectRebuildToEqualLive(app, 'charge-payments');
  });

  it('is named to the student, who does not open the receipts in their name', async () => {
    await api.put('/settings/receipts', {
      nome: 'Estúdio',
      documento: '11.222.333/0001-81',
      cref: null,
      cidade: 'Recife',
    });
    const id = await registerPayer();
    const transaction = await pay(await charge(ana));
    await api.post(`/transactions/${transaction}/receipt`, (await receiptOf(transaction)).sugestao);
    const area = new URL((await api.post<{ url: string }>(`/students/${ana}/area-link`)).body.url);
    const link = { 'Rende-Link': area.pathname.split('/').at(-1)! };
    const own = await fetch(`${app.url}/api/v1/student/payments`, { headers: link });
    const body = (await own.json()) as OwnPayments;
    expect(body).toMatchObject({ pagador: 'Carla Souza', items: [{ valor: 48_000, recibo: null }] });
    const known = (await api.get<OwnPayments>(`/students/${ana}/payments`)).body;
    expect(known.items).toMatchObject([{ recibo: { numero: 1 } }]);
    // The payer's own account opens them.
    const invite = (await api.post<NewInvite>(`/payers/${id}/invites`)).body;
    const { api: account } = await accountBy(app, invite, 'Carla Souza');
    await eventually(
      async () => (await account.get<OwnPayments>('/student/payments')).body.items[0]?.recibo?.numero,
      1,
    );
  });

  it('passes to the record that stays when two are merged, until that is undone', async () => {
    await registerPayer(bia);
    const { id } = (await api.post(`/students/${ana}/merge`, { com: bia })).body;
    expect(await payerOf(ana)).toBe('Carla Souza');
    await api.post(`/student-merges/${id}/undo`);
    expect([await payerOf(ana), await payerOf(bia)]).toEqual([null, 'Carla Souza']);
  });
});
