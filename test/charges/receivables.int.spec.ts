import { addDays } from 'date-fns';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import type { DebtorPage, Receivables, Reminders } from '../../backend/modules/charges/receivables.api.js';
import { dateOf } from '../../backend/platform/local-time.js';
import { chargeReminders } from '../../backend/modules/charges/reminders.job.js';
import { Outbox } from '../../backend/platform/mail/outbox.js';
import { studentAccount } from '../accounts/own-data.js';
import { openRoutes } from '../proof/routes.js';
import { sharedApp } from '../support/shared.js';
import { tenantsReadBy } from '../support/tenants-read.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';

const clock = new SetClock(new Date());
let trainer: Trainer;

const database = await testDatabase();
const app = await sharedApp(clock);
beforeEach(async () => {
  // 10:00 in São Paulo.
  clock.at = new Date('2026-11-21T13:00:00Z');
  trainer = await signUp(app);
});

const student = async (nome: string, email: string | null = null) =>
  (await trainer.api.post('/students', { nome, whatsapp: '(11) 98877-6655', ...(email && { email }) })).body
    .id;
const issue = async (student_id: string, valor: number, vencimento: string) =>
  (await trainer.api.post('/charges', { student_id, descricao: 'Aula', valor, vencimento })).body.id;
const queue = async () =>
  (await trainer.api.get<Reminders>('/receivables/reminders')).body.items.map(({ id, degrau }) => [
    id,
    degrau,
  ]);
const sendMails = () => app.run(chargeReminders.Handler);
const reminded = async (id: string) =>
  (
    await database.query<{ canal: string; degrau: number }>(
      `select data ->> 'canal' as canal, (data ->> 'degrau')::int as degrau from events
       where type = 'ChargeReminded' and data ->> 'charge_id' = '${id}' order by position`,
    )
  ).map(({ canal, degrau }) => `${canal} ${degrau}`);

it('debts are summed by their age and by student', async () => {
  const [ana, bia] = [await student('Ana'), await student('Bia')];
  await issue(ana, 1_000, '2026-11-22');
  await issue(ana, 2_000, '2026-11-21');
  await issue(ana, 4_000, '2026-11-14');
  await issue(bia, 8_000, '2026-11-13');
  const partly = await issue(bia, 20_000, '2026-10-21');
  await trainer.api.post(`/charges/${partly}/payments`, {
    valor: 4_000,
    data: '2026-11-20',
    metodo_pagamento: 'pix',
  });
  const paid = await issue(bia, 500, '2026-11-01');
  await trainer.api.post(`/charges/${paid}/payments`, {
    valor: 500,
    data: '2026-11-20',
    metodo_pagamento: 'pix',
  });
  expect((await trainer.api.get<Receivables>('/receivables')).body).toEqual({
    falta: 31_000,
    vencido: 28_000,
    alunos: 2,
    faixas: [
      { faixa: 'a_vencer', quantidade: 1, falta: 1_000 },
      { faixa: 'hoje', quantidade: 1, falta: 2_000 },
      { faixa: 'ate_7', quantidade: 1, falta: 4_000 },
      { faixa: 'ate_30', quantidade: 1, falta: 8_000 },
      { faixa: 'mais', quantidade: 1, falta: 16_000 },
    ],
  });
  const debtors = [
    { id: bia, nome: 'Bia', quantidade: 2, falta: 24_000, vencido: 24_000, desde: '2026-10-21' },
    { id: ana, nome: 'Ana', quantidade: 3, falta: 7_000, vencido: 4_000, desde: '2026-11-14' },
  ];
  const list = async (query: Record<string, string | number>) =>
    (await trainer.api.get<DebtorPage>('/receivables/students', { query })).body;
  expect(await list({})).toEqual({ items: debtors, next: null });
  const first = await list({ limit: 1 });
  expect([first.items, (await list({ limit: 1, cursor: first.next! })).items]).toEqual([
    [debtors[0]],
    [debtors[1]],
  ]);
});

it('the token of a payment page opens that page and nothing else', async () => {
  const id = await issue(await student('Ana'), 5_000, '2026-11-21');
  const { link } = (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
  const token = link!.split('/').at(-1)!;
  const links = openRoutes.anybody.filter((route) => /^GET .*\{(token|code)\}/.test(route));
  const pages = [
    '/recibo/{token}.pdf',
    '/calendario/{token}.ics',
    '/p/reserva/{token}',
    '/p/espera/{token}',
    ...['/pagar', '/confirmar', '/verificar', '/assinar', '/convite', '/recibo'].map(
      (page) => `${page}/{token}`,
    ),
  ];
  const answers: Record<string, number> = {};
  for (const place of [...links.map((route) => route.slice('GET '.length)), ...pages])
    answers[place] = (await fetch(app.url + place.replace(/\{\w+\}/, token))).status;
  const { '/api/v1/pay/{token}': own, '/pagar/{token}': page, ...others } = answers;
  expect([own, page]).toEqual([200, 200]);
  expect(Object.keys(others).length).toBeGreaterThan(8);
  expect(others).toEqual(Object.fromEntries(Object.keys(others).map((place) => [place, 404])));
  const signedIn = { headers: { authorization: `Bearer ${token}` } };
  expect((await fetch(`${app.url}/api/v1/charges`, signedIn)).status).toBe(401);
});

describe('the ladder', () => {
  it('has a prepared message for each student on each step, one a day, until the charge is paid', async () => {
    const ana = await student('Ana');
    const id = await issue(ana, 5_000, '2026-11-24');
    const other = await issue(ana, 5_000, '2026-11-24');
    const [first] = [id, other].toSorted();
    const next = first === id ? other : id;
    expect(await queue()).toEqual([[first, -3]]);
    await trainer.api.post(`/charges/${first}/reminders`);
    await trainer.api.post(`/charges/${first}/reminders`);
    await trainer.api.post(`/charges/${next}/reminders`);
    expect(await queue()).toEqual([]);
    clock.at = new Date('2026-11-22T13:00:00Z');
    expect(await queue()).toEqual([[next, -3]]);
    expect([await reminded(first!), await reminded(next)]).toEqual([['whatsapp -3'], []]);
    clock.at = new Date('2026-11-27T13:00:00Z');
    expect(await queue()).toEqual([[first, 3]]);
    await trainer.api.post(`/charges/${first}/payments`, {
      valor: 5_000,
      data: '2026-11-27',
      metodo_pagamento: 'pix',
    });
    expect(await queue()).toEqual([[next, 3]]);
    clock.at = new Date('2026-12-09T13:00:00Z');
    expect(await queue()).toEqual([]);
  });

  it('starts over with another due date, and still has one message a day', async () => {
    const id = await issue(await student('Ana'), 5_000, '2026-11-21');
    await trainer.api.post(`/charges/${id}/reminders`);
    await trainer.api.patch(`/charges/${id}`, { vencimento: '2026-11-22' });
    expect(await queue()).toEqual([]);
    clock.at = new Date('2026-11-22T13:00:00Z');
    expect(await queue()).toEqual([[id, 0]]);
    await trainer.api.post(`/charges/${id}/reminders`);
    expect([await queue(), await reminded(id)]).toEqual([[], ['whatsapp 0', 'whatsapp 0']]);
  });

  it('is paused by a promise until the end of its day', async () => {
    const id = await issue(await student('Ana'), 5_000, '2026-11-21');
    await trainer.api.put(`/charges/${id}/promise`, { dia: '2026-11-23' });
    expect(await queue()).toEqual([]);
    // As from a window that still shows the message.
    await trainer.api.post(`/charges/${id}/reminders`);
    expect(await reminded(id)).toEqual([]);
    clock.at = new Date('2026-11-24T02:59:00Z');
    expect(await queue()).toEqual([]);
    clock.at = new Date('2026-11-24T13:00:00Z');
    expect(await queue()).toEqual([[id, 3]]);
  });

  it('is paused for three days by a report that the charge was paid', async () => {
    // The time of the report is that of the database.
    const now = new Date();
    clock.at = now;
    trainer = await signUp(app);
    const id = await issue(await student('Ana'), 5_000, dateOf(now, 'America/Sao_Paulo'));
    expect(await queue()).toEqual([[id, 0]]);
    const { link } = (await trainer.api.get<ChargeDetail>(`/charges/${id}`)).body;
    const body = { token: link!.split('/').at(-1) };
    await new Client(app.url).request('POST', '/api/v1/pay/claim', { body });
    // Somebody without an account has no position to wait for either.
    await eventually(queue, []);
    clock.at = addDays(now, 3);
    expect(await queue()).toEqual([]);
    clock.at = addDays(now, 5);
    expect(await queue()).toEqual([[id, 3]]);
  });

  it("is paused by such a report in whole days of the trainer's zone", async () => {
    const id = await issue(await student('Ana'), 5_000, '2026-11-21');
    const said = (at: string) =>
      database.query('update read.charges set avisada_em = $2 where id = $1', [id, at]);
    expect(await queue()).toEqual([[id, 0]]);
    await said('2026-11-18T02:59:00Z');
    expect(await queue()).toEqual([[id, 0]]);
    await said('2026-11-18T03:00:00Z');
    expect(await queue()).toEqual([]);
  });

  it('sends mails by itself to students with an address, once however often the job runs', async () => {
    const [ana, bia] = [await student('Ana', 'ana@exemplo.com.br'), await student('Bia')];
    const [id, without] = [await issue(ana, 5_000, '2026-11-21'), await issue(bia, 5_000, '2026-11-21')];
    expect(await queue()).toHaveLength(2);
    await Promise.all([sendMails(), sendMails(), sendMails()]);
    await sendMails();
    expect([await reminded(id), await reminded(without)]).toEqual([['email 0'], []]);
    expect(await database.query(`select from mails where subject_id = '${id}'`)).toHaveLength(1);
    await trainer.api.post('/plans', { nome: 'Outro', valor: 1, creditos: 1 });
    expect(await queue()).toEqual([[without, 0]]);
  });

  it('sends mails however many students have no address', async () => {
    const bia = await student('Bia');
    const without = await issue(bia, 5_000, '2026-11-21');
    const id = await issue(await student('Ana', 'ana4@exemplo.com.br'), 5_000, '2026-11-21');
    expect(await queue()).toHaveLength(2);
    await database.query(
      `with copies as (select ('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid as id from generate_series(1, 120) n),
        people as (insert into read.students select (jsonb_populate_record(s, jsonb_build_object('id', copies.id))).*
          from read.students s, copies where s.id = $1)
      insert into read.charges
        select (jsonb_populate_record(c, jsonb_build_object('id', copies.id, 'student_id', copies.id))).*
        from read.charges c, copies where c.id = $2`,
      [bia, without],
    );
    expect(await queue()).toHaveLength(100);
    await sendMails();
    expect(await reminded(id)).toEqual(['email 0']);
  });

  it('leaves it to the trainer if the student wants no such mails', async () => {
    const ana = await student('Ana', 'ana5@exemplo.com.br');
    const account = await studentAccount(app, trainer, ana, 'Ana');
    const choose = (desligados: string[]) =>
      account.api.put('/student/notification-settings', {
        push: [],
        email: [],
        silencio: null,
        zona: 'America/Sao_Paulo',
        desligados,
      });
    const id = await issue(ana, 5_000, '2026-11-21');
    await choose(['vencimentos']);
    expect(await queue()).toEqual([[id, 0]]);
    await sendMails();
    expect([await reminded(id), await queue()]).toEqual([[], [[id, 0]]]);
    const mail = { id, kind: 'charges.reminder', tenantId: trainer.tenantId, personId: ana, subjectId: id };
    expect(await app.nest.get(Outbox).compose(mail)).toBeNull();
    await choose(['assinaturas']);
    expect(await app.nest.get(Outbox).compose(mail)).toMatchObject({ to: 'ana5@exemplo.com.br' });
    await sendMails();
    expect(await reminded(id)).toEqual(['email 0']);
  });

  it('sends no mail at night', async () => {
    const id = await issue(await student('Ana', 'ana2@exemplo.com.br'), 5_000, '2026-11-21');
    clock.at = new Date('2026-11-21T11:59:00Z');
    await sendMails();
    clock.at = new Date('2026-11-21T23:00:00Z');
    await sendMails();
    expect(await reminded(id)).toEqual([]);
  });

  it('does not read trainers without a due mail', async () => {
    const isRead = async () => (await tenantsReadBy(app, 'lembretes', sendMails)).has(trainer.tenantId);
    const ana = await student('Ana', 'ana3@exemplo.com.br');
    await issue(await student('Bia'), 5_000, '2026-11-21');
    const early = await issue(ana, 5_000, '2026-11-25');
    expect([early, await queue()]).toEqual([expect.anything(), [expect.anything()]]);
    expect(await isRead()).toBe(false);
    await trainer.api.put(`/charges/${early}/promise`, { dia: '2026-11-22' });
    await queue();
    clock.at = new Date('2026-11-22T13:00:00Z');
    expect(await isRead()).toBe(false);
    clock.at = new Date('2026-11-23T13:00:00Z');
    expect(await isRead()).toBe(true);
    // Reads after a write of the trainer, so that it waits for the job's writes before it.
    await trainer.api.post('/plans', { nome: 'Outro', valor: 1, creditos: 1 });
    await queue();
    expect([await reminded(early), await isRead()]).toEqual([['email -3'], false]);
    clock.at = new Date('2026-11-24T13:00:00Z');
    expect(await isRead()).toBe(false);
    clock.at = new Date('2026-11-25T13:00:00Z');
    expect(await isRead()).toBe(true);
  });
});
