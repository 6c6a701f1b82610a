import { createHmac } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { CancellationPreview } from '../../backend/modules/agenda/agenda.api.js';
import type { Why } from '../../backend/modules/audit/why.api.js';
import type { Charge, ChargeDetail, ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { PixHook, UndecidedPage } from '../../backend/modules/charges/pix-notices.api.js';
import type { MonthSummary } from '../../backend/modules/finance/finance.api.js';
import type { DoorTerms } from '../../backend/modules/public-link/public-page.api.js';
import { lapseVisits } from '../../backend/modules/public-link/public-link.job.js';
import { on } from '../agenda/trainer.js';
import { caughtUp, followed } from '../proof/read-tables.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { type OpenPage, openPublicPage, somePhone } from './visitor.js';

/** Monday 2 November 2026, 8:00. */
const clock = new SetClock(new Date(on(2)(8)));
let page: OpenPage;
let hook: PixHook;

const database = await testDatabase();
const app = await sharedApp(clock);

const KEY = { tipo: 'email', chave: 'pix@exemplo.com.br', nome: 'Ana', cidade: 'Recife' };
const WHOLE = { primeira_aula: 8000, antecipado: 'tudo', espera_min: 20 };
const DEPOSIT = { ...WHOLE, antecipado: 'sinal', sinal: 3000 };

/** A provider that nobody reaches: its notices come by the webhook. */
const connectProvider = () =>
  page.trainer.api.put('/settings/pix/provider', {
    url_api: 'https://pix.example.com/v2',
    url_token: 'https://pix.example.com/token',
    client_id: 'a',
    client_secret: 'b',
    certificado: null,
    chave_privada: null,
  });

beforeEach(async () => {
  clock.at = new Date(on(2)(8));
  page = await openPublicPage(app, database);
  await page.trainer.api.put('/settings/pix', KEY);
  await connectProvider();
  hook = (await page.trainer.api.get<PixHook>('/settings/pix/webhook')).body;
});

const policy = (terms: object) =>
  page.trainer.api.put(`/locations/${page.location_id}/policy`, {
    cancel_limite_horas: 24,
    taxa_percent: 50,
    queima_credito: false,
    ...terms,
  });
const written = async (path: string) => (await fetch(app.url + path)).text();
const bookingPage = () => written(`/p/${page.slug}`);
const visitPage = (token: string) => written(`/p/reserva/${token}`);
/** What the page says that a booking costs, as its form sends it. */
async function announced(): Promise<DoorTerms> {
  const [, data] = /id="booking"[^>]*data-door="([^"]*)"/.exec(await bookingPage())!;
  return JSON.parse(data!.replaceAll('&quot;', '"')) as DoorTerms;
}
const book = async (inicio: string, more: object = {}) => {
  const porta = await announced();
  const asked = { location_id: page.location_id, inicio, porta, consentimento: 3, ...more };
  const { status, body } = await page.visitors.book(asked);
  expect({ status, body }).toMatchObject({ status: 201 });
  await caughtUp(database);
  return body;
};
const charges = async (query = '') =>
  (await page.trainer.api.get<ChargePage>(`/charges?limit=50${query}`)).body.items;
const chargeOf = async (visitId: string) => {
  const [row] = await database.query(
    `select s.porta ->> 'charge_id' as id from read.visits v join read.sessions s on s.id = v.session_id where v.id = $1`,
    [visitId],
  );
  return (await page.trainer.api.get<ChargeDetail>(`/charges/${String(row!.id)}`)).body;
};
let count = 0;
const tell = async ({ id }: Pick<Charge, 'id'>, valor: number) => {
  const pix = {
    endToEndId: `E60701190202611020800${String((count += 1)).padStart(11, '0')}`,
    txid: `R0${id.replaceAll('-', '').slice(0, 23).toUpperCase()}`,
    valor: (valor / 100).toFixed(2),
    horario: clock.at.toISOString(),
  };
  const bytes = JSON.stringify({ pix: [pix] });
  const signature = createHmac('sha256', hook.segredo).update(bytes).digest('hex');
  const send = () =>
    fetch(app.url + new URL(hook.url).pathname, {
      method: 'POST',
      body: bytes,
      headers: { 'Content-Type': 'application/json', 'x-signature': `sha256=${signature}` },
    });
  const answers = await Promise.all([send(), send()]);
  expect(answers.map(({ status }) => status)).toEqual([204, 204]);
};
const paid = async (charge: Pick<Charge, 'id'>, valor: number) => {
  await tell(charge, valor);
  await followed(database);
};
const lapse = async (at: string) => {
  clock.at = new Date(at);
  await app.run(lapseVisits.Handler);
  await caughtUp(database);
};
const toDecide = async () => (await page.trainer.api.get<UndecidedPage>('/arrived-pix')).body.items;
const received = async () =>
  (await page.trainer.api.get<MonthSummary>('/finance/months/2026-11')).body.recebido;

describe('a booking that asks for its price first', () => {
  beforeEach(() => page.set(WHOLE));

  it('is held for some minutes, and stands once its Pix has come, until the trainer confirms it', async () => {
    const { id, token } = await book(on(6)(9));
    const charge = await chargeOf(id);
    expect(charge).toMatchObject({ valor: 8000, pedido: 8000, origem: 'sessao', situacao: 'aberta' });
    expect(await page.visits()).toMatchObject([
      { vence_em: on(2)(8, 20), cobranca: { pago: 0, pedido: 8000 } },
    ]);
    expect(await visitPage(token)).toMatch(/Pague R\$\s80,00 por Pix até .*8:20[^]*000201/);
    clock.at = new Date(on(2)(8, 10));
    await paid(charge, 8000);
    expect(await page.visits()).toMatchObject([
      { vence_em: on(4)(8, 10), confirmado: false, cobranca: { pago: 8000, pedido: 0 } },
    ]);
    expect([await received(), await toDecide()]).toEqual([8000, []]);
    expect(await visitPage(token)).toMatch(/Pagamento recebido/);
    await lapse(on(2)(8, 30));
    expect(await page.visits()).toHaveLength(1);
    await expectRebuildToEqualLive(app, 'visits');
  });

  it('is asked for as any charge once the trainer confirms it unpaid', async () => {
    const { id, token } = await book(on(6)(9));
    const { api } = page.trainer;
    const [visit] = await page.visits();
    const { id: payer_id } = (
      await api.post('/payers', {
        nome: 'Carla Lima',
        whatsapp: '11912345678',
        student_id: visit!.student_id,
      })
    ).body;
    const bill = async () => (await api.get<{ total: number }>(`/payers/${payer_id}/bill`)).body.total;
    await caughtUp(database);
    expect([await bill(), visit!.cobranca]).toMatchObject([0, { pedido: 8000 }]);
    await api.post(`/visits/${id}/confirm`);
    await caughtUp(database);
    expect([await bill(), (await chargeOf(id)).pedido]).toEqual([8000, 8000]);
    expect(await written(new URL((await chargeOf(id)).link!).pathname)).not.toContain('Otto');
    expect(await visitPage(token)).not.toContain('Pagar com Pix');
    await expectRebuildToEqualLive(app, 'charges');
  });

  it.each<[string, (session_id: string) => Promise<unknown>]>([
    [
      'is confirmed where the session is changed',
      (id) => page.trainer.api.patch(`/sessions/${id}`, { confirmado: true }),
    ],
    [
      'took place without being confirmed',
      (id) => {
        clock.at = new Date(on(2)(10));
        return page.agenda.complete(id);
      },
    ],
  ])('is asked for whole once it %s', async (_, happens) => {
    await page.set(DEPOSIT);
    const { id } = await book(on(2)(9));
    const [visit] = await page.visits();
    expect((await chargeOf(id)).pedido).toBe(3000);
    await happens(visit!.session_id);
    await caughtUp(database);
    expect((await chargeOf(id)).pedido).toBe(8000);
  });

  it('is agreed to as it was announced, or not made', async () => {
    const porta = await announced();
    const asked = { location_id: page.location_id, inicio: on(6)(9) };
    const refused = async (more: object) => (await page.visitors.book({ ...asked, ...more })).body.code;
    expect(await refused({})).toBe('public.terms_changed');
    expect(await refused({ porta, consentimento: 2 })).toBe('public.terms_changed');
    await page.set({ ...WHOLE, primeira_aula: 9000 });
    expect(await refused({ porta, consentimento: 3 })).toBe('public.terms_changed');
    await page.set({ primeira_aula: 9000 });
    expect(await refused({ porta, consentimento: 3 })).toBe('public.terms_changed');
    expect(await page.visits()).toEqual([]);
  });

  it('is asked for nothing without a key to pay to', async () => {
    await page.trainer.api.post('/settings/pix/remove');
    await caughtUp(database);
    expect(await bookingPage()).toMatch(/data-door=""/);
    expect((await page.visitors.book({ location_id: page.location_id, inicio: on(6)(9) })).status).toBe(201);
    expect(await charges()).toEqual([]);
  });

  it('lapses unpaid with its charge, and comes back by a late Pix while its time is free', async () => {
    const { id, token } = await book(on(6)(9));
    const charge = await chargeOf(id);
    await lapse(on(2)(8, 19));
    expect(await page.visits()).toHaveLength(1);
    await lapse(on(2)(8, 20));
    expect([await page.visits(), (await chargeOf(id)).situacao]).toEqual([[], 'cancelada']);
    expect(await visitPage(token)).toContain('Reserva não paga');
    expect(await page.starts()).toContain(on(6)(9));
    await paid(charge, 8000);
    expect(await page.visits()).toMatchObject([
      { inicio: on(6)(9), vence_em: on(4)(8, 20), cobranca: { pago: 8000 } },
    ]);
    expect([(await chargeOf(id)).situacao, await toDecide(), await received()]).toEqual(['paga', [], 8000]);
    await expectRebuildToEqualLive(app, 'sessions');
  });

  it('comes back by a late Pix at a time of its own duration', async () => {
    const service = { nome: 'Avaliação', duracao_min: 30, valor: 8000, usa_credito: false, na_pagina: true };
    const { id: service_id } = (await page.trainer.api.post<{ id: string }>('/services', service)).body;
    await caughtUp(database);
    const { id } = await book(on(6)(9, 30), { service_id });
    const charge = await chargeOf(id);
    await lapse(on(2)(8, 20));
    expect(await page.visits()).toEqual([]);
    await paid(charge, 8000);
    expect(await page.visits()).toMatchObject([{ inicio: on(6)(9, 30), cobranca: { pago: 8000 } }]);
  });

  it('leaves a late Pix to be given back where somebody else has its time', async () => {
    const { id } = await book(on(6)(9));
    const charge = await chargeOf(id);
    await lapse(on(2)(8, 20));
    await book(on(6)(9), { nome: 'Rui Segundo' });
    await paid(charge, 8000);
    expect(await toDecide()).toMatchObject([{ valor: 8000, charge_id: charge.id, da_reserva: true }]);
    expect([(await page.visits()).length, await received()]).toEqual([1, 0]);
  });

  it('leaves a late Pix to be decided where who booked was forgotten', async () => {
    const { id } = await book(on(6)(9));
    const charge = await chargeOf(id);
    await lapse(on(2)(8, 20));
    await page.trainer.api.post(`/students/${charge.student_id}/forget`);
    await paid(charge, 8000);
    expect((await toDecide()).map(({ charge_id }) => charge_id)).toEqual([charge.id]);
  });

  it('does not lapse where the job comes between the payment and what follows it', async () => {
    const { id } = await book(on(6)(9));
    const charge = await chargeOf(id);
    clock.at = new Date(on(2)(8, 20));
    await tell(charge, 8000);
    await app.run(lapseVisits.Handler);
    await followed(database);
    expect(await page.visits()).toMatchObject([{ vence_em: on(4)(8, 20), cobranca: { pago: 8000 } }]);
  });

  it('gets no more time to pay by being moved', async () => {
    const { id, token } = await book(on(6)(9));
    clock.at = new Date(on(2)(8, 10));
    expect((await page.visitors.move(token, on(7)(9))).status).toBe(200);
    await caughtUp(database);
    expect(await page.visits()).toMatchObject([{ inicio: on(7)(9), vence_em: on(2)(8, 20) }]);
    expect(await chargeOf(id)).toMatchObject({ vencimento: '2026-11-07', pedido: 8000 });
  });

  it('has the usual 48 hours where the trainer looks for the Pix, and both read so', async () => {
    await page.trainer.api.request('DELETE', '/api/v1/settings/pix/provider', { body: {} });
    await caughtUp(database);
    expect(await bookingPage()).toContain('confere o Pix e confirma em até 48 horas');
    const { id, token } = await book(on(6)(9));
    expect(await page.visits()).toMatchObject([{ vence_em: on(4)(8) }]);
    expect(await visitPage(token)).toMatch(/confere o pagamento e confirma até .*8:00/);
    const { id: chargeId } = await chargeOf(id);
    await page.trainer.api.post(`/charges/${chargeId}/payments`, {
      valor: 8000,
      data: '2026-11-02',
      metodo_pagamento: 'pix',
    });
    await followed(database);
    expect(await page.visits()).toMatchObject([{ cobranca: { pago: 8000, pedido: 0 } }]);
  });

  it('is not promised by the Pix that the trainer looks for, where the time comes before the 48 hours', async () => {
    await page.trainer.api.request('DELETE', '/api/v1/settings/pix/provider', { body: {} });
    await caughtUp(database);
    const { token } = await book(on(3)(9));
    expect(await visitPage(token)).toMatch(/confere o pagamento e confirma a reserva\./);
  });

  it('names nobody else on the page of its charge, such as who pays for the student whose phone was typed', async () => {
    const whatsapp = somePhone();
    const { body: student } = await page.trainer.api.post('/students', { nome: 'Carla Visitante', whatsapp });
    const { body: payer } = await page.trainer.api.post('/payers', {
      nome: 'Otto Pagador',
      whatsapp: somePhone(),
    });
    await page.trainer.api.put(`/students/${student.id}/payer`, { payer_id: payer.id });
    await caughtUp(database);
    const { id, token } = await book(on(6)(9), { whatsapp });
    expect((await chargeOf(id)).student_id).toBe(student.id);
    const [, payToken] = /data-token="([^"]+)"/.exec(await visitPage(token))!;
    expect(await written(`/pagar/${payToken}`)).toMatch(/Olá, Carla!/);
  });

  it('is held for one phone three times an hour at most', async () => {
    const whatsapp = somePhone();
    for (const day of [3, 4, 5]) await book(on(day)(9), { whatsapp });
    const more = {
      location_id: page.location_id,
      inicio: on(6)(9),
      porta: await announced(),
      consentimento: 3,
    };
    expect((await page.visitors.book({ ...more, whatsapp })).status).toBe(429);
  });

  it('uses no credit of a student who has some when it takes place', async () => {
    const whatsapp = somePhone();
    const plan = await page.agenda.plan();
    const { id: student } = (
      await page.trainer.api.post('/students', { nome: 'Carla Visitante', whatsapp, plano_id: plan })
    ).body;
    await page.agenda.renew(student);
    const { id } = await book(on(2)(9), { whatsapp });
    await paid(await chargeOf(id), 8000);
    const [visit] = await page.visits();
    expect(visit!.student_id).toBe(student);
    await page.trainer.api.post(`/visits/${id}/confirm`);
    expect(await page.agenda.complete(visit!.session_id)).toMatchObject({
      usou_credito: false,
      sem_credito: false,
    });
    expect(await page.agenda.balance(student)).toBe(4);
  });
});

describe('what was paid for a booking', () => {
  const given = async (settings: object, inicio: string, amount: number) => {
    await page.set(settings);
    const made = await book(inicio);
    await paid(await chargeOf(made.id), amount);
    const [visit] = await page.visits();
    return { ...made, session_id: visit!.session_id };
  };
  const toReturn = async () => (await charges('&situacao=a_devolver')).map(({ devolver }) => devolver);

  it('goes back where the trainer declines, and is asked no more', async () => {
    const { id, token } = await given(DEPOSIT, on(6)(9), 3000);
    await page.trainer.api.post(`/visits/${id}/decline`, { mensagem: null });
    await caughtUp(database);
    const charge = await chargeOf(id);
    expect(charge).toMatchObject({ valor: 3000, pago: 3000, falta: 0, situacao: 'paga', devolver: 3000 });
    expect([await toReturn(), await received()]).toEqual([[3000], 3000]);
    expect(await visitPage(token)).toMatch(/A receber de volta[^]*R\$\s30,00/);
    await page.trainer.api.post(`/charges/${charge.id}/payments/${charge.pagamentos[0]!.id}/refund`, {
      valor: 3000,
      valor_atual: 3000,
      creditos: 0,
      motivo: 'Recusada',
    });
    expect([await toReturn(), await received()]).toEqual([[], 0]);
    expect(await visitPage(token)).toMatch(/Devolvido[^]*R\$\s30,00/);
    await expectRebuildToEqualLive(app, 'charges');
  });

  it('is asked again where the refusal is undone, or kept by the trainer', async () => {
    const { id, session_id } = await given(DEPOSIT, on(6)(9), 3000);
    await page.trainer.api.post(`/visits/${id}/decline`, { mensagem: null });
    await page.agenda.reopen(session_id);
    expect(await chargeOf(id)).toMatchObject({
      valor: 8000,
      pago: 3000,
      falta: 5000,
      devolver: 0,
      situacao: 'aberta',
    });
    await page.trainer.api.post(`/visits/${id}/decline`, { mensagem: null });
    const keep = (devolver: number, se_ainda: number) =>
      page.trainer.api.put(`/charges/${charge.id}/return`, { devolver, se_ainda });
    const charge = await chargeOf(id);
    await keep(0, 3000);
    expect(await toReturn()).toEqual([]);
    await keep(3000, 0);
    expect(await toReturn()).toEqual([3000]);
  });

  it('is neither asked again nor to be given back once its payment is undone', async () => {
    const { id, session_id } = await given(DEPOSIT, on(6)(9), 3000);
    const { id: chargeId } = await chargeOf(id);
    const rest = { valor: 5000, data: '2026-11-02', metodo_pagamento: 'pix' };
    await page.trainer.api.post(`/charges/${chargeId}/payments`, rest);
    await page.agenda.cancel(session_id, { motivo: 'personal' });
    const { pagamentos } = await chargeOf(id);
    const undo = async (at: number) => {
      const path = `/charges/${chargeId}/payments/${pagamentos[at]!.id}/reverse`;
      const { body } = await page.trainer.api.get<{ efeitos: string[] }>(`${path}/preview`);
      expect(body.efeitos.join()).not.toMatch(/a receber/);
      await page.trainer.api.post(path);
    };
    await undo(1);
    expect(await chargeOf(id)).toMatchObject({ valor: 3000, falta: 0, devolver: 3000, situacao: 'paga' });
    await undo(0);
    expect(await chargeOf(id)).toMatchObject({ pago: 0, falta: 0, devolver: 0, situacao: 'cancelada' });
    expect([await toReturn(), await received()]).toEqual([[], 0]);
    await page.agenda.reopen(session_id);
    expect(await chargeOf(id)).toMatchObject({ valor: 8000, pago: 0, falta: 8000, pedido: 3000 });
    await expectRebuildToEqualLive(app, 'charges');
  });

  it('goes back in time, and pays what the policy said later, as the page of the booking says', async () => {
    await policy({});
    const inTime = await given(WHOLE, on(6)(9), 8000);
    await page.trainer.api.post(`/visits/${inTime.id}/confirm`);
    await caughtUp(database);
    expect(await visitPage(inTime.token)).toMatch(
      /Cancelar não custa nada até .*5 de nov\., 9:00; depois, com a aula confirmada, custa R\$\s40,00\./,
    );
    clock.at = new Date(on(5)(9));
    expect(await visitPage(inTime.token)).toMatch(/Não custa nada: R\$\s80,00 voltam/);
    clock.at = new Date(on(5)(9, 1));
    expect(await visitPage(inTime.token)).toMatch(/Cancelar agora custa R\$\s40,00: R\$\s40,00 voltam/);
    expect((await page.visitors.cancel(inTime.token)).body.code).toBe('agenda.cost_changed');
    expect((await page.visitors.move(inTime.token, on(9)(9))).body.code).toBe('public.visit_over');
    expect((await page.visitors.cancel(inTime.token, 4000)).status).toBe(200);
    await caughtUp(database);
    expect([await toReturn(), (await chargeOf(inTime.id)).valor]).toEqual([[4000], 8000]);
  });

  it('is kept by the terms that were agreed, and why says these, whatever the policy has become', async () => {
    await policy({});
    const { session_id } = await given(WHOLE, on(6)(9), 8000);
    await policy({ cancel_limite_horas: 48, taxa_percent: 0, queima_credito: true });
    const { elos } = (await page.trainer.api.get<Why>('/why', { query: { de: `session:${session_id}` } }))
      .body;
    expect(elos.find(({ titulo }) => titulo === 'Regra em vigor')).toMatchObject({
      texto: 'Cancelamento, como combinado na reserva: até 24 h antes sem custo; depois, cobra taxa de 50%.',
      para: null,
    });
  });

  it('is kept by a no-show as far as was agreed, and never more than the price', async () => {
    const { id, session_id } = await given({ ...DEPOSIT, falta_percent: 50 }, on(2)(9), 3000);
    await page.trainer.api.post(`/visits/${id}/confirm`);
    await caughtUp(database);
    clock.at = new Date(on(2)(10));
    const { body } = await page.trainer.api.get<CancellationPreview>(
      `/sessions/${session_id}/cancellation?motivo=falta`,
    );
    expect(body.previsto).toMatchObject({ taxa: 4000 });
    await page.agenda.cancel(session_id, {
      motivo: 'falta',
      aplicar_politica: true,
      previsto: body.previsto,
    });
    expect(await chargeOf(id)).toMatchObject({ valor: 4000, pago: 3000, falta: 1000, devolver: 0 });
  });

  it('is a part of the price: the rest stays to be received', async () => {
    const { id, session_id, token } = await given(DEPOSIT, on(2)(9), 3000);
    await page.trainer.api.post(`/visits/${id}/confirm`);
    expect(await visitPage(token)).toMatch(/Falta pagar[^]*R\$\s50,00/);
    clock.at = new Date(on(2)(10));
    await page.agenda.complete(session_id);
    expect(await chargeOf(id)).toMatchObject({
      valor: 8000,
      pago: 3000,
      falta: 5000,
      pedido: 5000,
      situacao: 'aberta',
    });
  });
});

it('a no-show costs what was agreed although nothing was paid before', async () => {
  await page.set({ primeira_aula: 8000, falta_percent: 50 });
  const { id } = await book(on(2)(9));
  const [visit] = await page.visits();
  expect(visit).toMatchObject({ cobranca: null, vence_em: null });
  await page.trainer.api.post(`/visits/${id}/confirm`);
  clock.at = new Date(on(2)(10));
  await page.agenda.cancel(visit!.session_id, { motivo: 'falta', aplicar_politica: true });
  expect(await charges()).toMatchObject([{ origem: 'taxa', valor: 4000, session_id: visit!.session_id }]);
});
