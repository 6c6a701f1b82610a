import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import { expiryWarningsDue } from '../../backend/modules/expiry-warnings/expiry-warnings.module.js';
import type { ExpiryWarningList } from '../../backend/modules/expiry-warnings/expiry-warnings.api.js';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import type { Reminders } from '../../backend/modules/charges/receivables.api.js';
import { playClasses } from '../../backend/modules/classes/classes.module.js';
import type { NudgeList } from '../../backend/modules/nudges/nudges.api.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import type { Waitlist } from '../../backend/modules/public-link/waitlist.api.js';
import { playWaitlists } from '../../backend/modules/public-link/public-link.job.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import type { ReminderList } from '../../backend/modules/reminders/reminders.api.js';
import {
  messageKind,
  type MessageKind,
  suggestions,
  type WhatsAppHook,
  type WhatsAppShown,
} from '../../backend/modules/whatsapp/whatsapp.api.js';
import { dailyWhatsApp } from '../../backend/modules/whatsapp/whatsapp.module.js';
import { WhatsAppClient } from '../../backend/modules/whatsapp/whatsapp-client.service.js';
import { WhatsAppFailure } from '../../backend/modules/whatsapp/whatsapp-failure.js';
import { sendDueWhatsApp } from '../../backend/modules/whatsapp/whatsapp.job.js';
import { WhatsAppSender } from '../../backend/modules/whatsapp/whatsapp-sender.service.js';
import { Config } from '../../backend/platform/config/env.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { followed } from '../proof/read-tables.js';
import { openPublicPage } from '../public-link/visitor.js';
import { startApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { hook, startWhatsApp, templateOf, type TestNumber } from '../support/whatsapp-server.js';

const clock = new SetClock(new Date());
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let number: TestNumber;

const database = await testDatabase();
const meta = await startWhatsApp();
const app = await startApp({
  clock,
  byHand: [prepareReminders, sendDueWhatsApp, dailyWhatsApp],
  env: { WHATSAPP_URL: meta.url, WHATSAPP_TEST_ORIGIN: meta.origin },
});

const { lembrete: LEMBRETE } = suggestions;
beforeEach(async () => {
  clock.at = new Date(on(9)(18));
  Object.assign(meta, { fault: undefined, asked: [] });
  number = meta.number();
  number.templates = [
    ...messageKind.options.map((tipo) => templateOf(tipo, suggestions[tipo].texto, suggestions[tipo].botoes)),
    templateOf('curto', 'Aula {{1}}.'),
    { ...templateOf('pausado', LEMBRETE.texto), status: 'PAUSED' },
    { ...templateOf('reminder', LEMBRETE.texto), language: 'en_US' },
  ];
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza');
});

const shown = async (api = trainer.api) => (await api.get<WhatsAppShown>('/settings/whatsapp')).body.conexao;
const kind = async () => (await shown())!.tipos.find(({ tipo }) => tipo === 'lembrete')!;
const bodyOf = ({ numeroId, contaId, token, secret }: TestNumber) => ({
  numero_id: numeroId,
  conta_id: contaId,
  token_acesso: token,
  client_secret: secret,
});
/** Also waits until the test that follows is over. */
const connect = async ({ api } = trainer, of = number) => {
  await api.put('/settings/whatsapp', bodyOf(of));
  await eventually(async () => typeof (await shown(api))?.testado_em, 'string');
};
const switchOn = (tipo: MessageKind = 'lembrete') =>
  trainer.api.put('/settings/whatsapp/kind', { tipo, modelo: tipo });
const book = (day: number, hour = 7, student_id = ana) =>
  agenda.book({ student_id, inicio: on(day)(hour), fim: on(day)(hour + 1) });
const reminders = async (api = trainer.api) => (await api.get<ReminderList>('/reminders')).body.items;
const CLAIMED = 'select from whatsapp_outbox where tenant_id = $1 and done_at is null and claimed_until > $2';
/** Sends everything that is due by now, also what a job is sending. */
const sent = async () => {
  await followed(database);
  await app.nest.get(WhatsAppSender).deliverDue();
  await eventually(async () => (await database.query(CLAIMED, [trainer.tenantId, clock.now()])).length, 0);
  await followed(database);
};
const prepare = async () => {
  await reminders();
  await app.run(prepareReminders.Handler);
  await sent();
};
const states = async () =>
  (
    await database.query<{ estado: string }>(
      'select estado from read.whatsapp_messages where tenant_id = $1 order by em',
      [trainer.tenantId],
    )
  ).map(({ estado }) => estado);
const events = (type: string) =>
  database.query<{ data: Record<string, unknown> }>(
    'select data from events where tenant_id = $1 and type = $2 order by position',
    [trainer.tenantId, type],
  );
const outcomes = async () =>
  (
    await database.query<{ outcome: string }>(
      'select outcome from whatsapp_outbox where tenant_id = $1 order by created_at, id',
      [trainer.tenantId],
    )
  ).map(({ outcome }) => outcome);
const later = (minutes: number) => (clock.at = new Date(clock.at.getTime() + minutes * 60_000));
const historyOf = async (subject: string) =>
  (await trainer.api.get<HistoryPage>('/history', { query: { subject } })).body.items.map(
    ({ texto }) => texto,
  );

describe('a connection', () => {
  it('is tested once it is made, and shows number and templates, but nothing that lets us in', async () => {
    expect(await shown()).toBeNull();
    await connect();
    const found = await shown();
    expect(found).toMatchObject({
      nome: 'Carla Personal',
      numero: '+55 11 4000-0000',
      falha: null,
      parada: null,
      modelos: [
        { nome: 'aniversario', situacao: 'APPROVED', campos: 2, botoes: 0 },
        { nome: 'cobranca', situacao: 'APPROVED', campos: 5, botoes: 0 },
        { nome: 'creditos', situacao: 'APPROVED', campos: 4, botoes: 0 },
        { nome: 'curto', situacao: 'APPROVED', campos: 1, botoes: 0 },
        { nome: 'lembrete', situacao: 'APPROVED', campos: 3, botoes: 2 },
        { nome: 'oferta', situacao: 'APPROVED', campos: 5, botoes: 0 },
        { nome: 'pausado', situacao: 'PAUSED', campos: 3, botoes: 0 },
        { nome: 'recibo', situacao: 'APPROVED', campos: 5, botoes: 0 },
        { nome: 'renovar', situacao: 'APPROVED', campos: 4, botoes: 0 },
        { nome: 'sumindo', situacao: 'APPROVED', campos: 2, botoes: 0 },
        { nome: 'turma', situacao: 'APPROVED', campos: 4, botoes: 0 },
      ],
      tipos: messageKind.options.map((tipo) => ({ tipo, modelo: null, parado: null })),
    });
    const keptIn = (table: string) =>
      database.query(`select * from ${table} where tenant_id = $1`, [trainer.tenantId]);
    await followed(database);
    const kept = await Promise.all(['events', 'read.history', 'read.whatsapp_connections'].map(keptIn));
    for (const secret of [number.token, number.secret])
      expect(JSON.stringify([found, kept])).not.toContain(secret);
    await expectRebuildToEqualLive(app, 'whatsapp-connections');
  });

  it('says why its test failed', async () => {
    for (const [fault, falha] of [
      [{ status: 401, code: 190 }, 'o token de acesso expirou'],
      [{ status: 400, code: 33 }, 'a identificação do número não existe ou não é desta conta'],
      [{ status: 503 }, 'a Meta recusou com o erro 503'],
      ['garbage', 'a resposta não é a da API do WhatsApp'],
      ['long', 'a resposta é grande demais'],
    ] as const) {
      meta.fault = () => fault;
      await trainer.api.put('/settings/whatsapp', bodyOf(number));
      await eventually(async () => (await shown())?.falha, falha);
      expect((await shown())!.modelos).toEqual([]);
    }
    meta.fault = undefined;
    await trainer.api.post('/settings/whatsapp/test');
    await eventually(async () => (await shown())?.falha, null);
  });

  it('is disconnected and connected again, with what was switched on', async () => {
    await connect();
    await switchOn();
    await trainer.api.delete('/settings/whatsapp');
    expect(await shown()).toBeNull();
    await book(10);
    await prepare();
    expect(number.messages).toEqual([]);
    await trainer.api.post('/settings/whatsapp/restore');
    expect((await kind()).modelo).toBe('lembrete');
  });

  it('uses only an approved template in Portuguese that has the fields of the message', async () => {
    await connect();
    for (const modelo of ['curto', 'pausado', 'reminder', 'outro']) {
      const { body } = await trainer.api.put<{ code: string }>(
        '/settings/whatsapp/kind',
        { tipo: 'lembrete', modelo },
        { status: 422 },
      );
      expect(body.code).toBe('whatsapp.template_not_usable');
    }
    await switchOn();
    expect((await kind()).modelo).toBe('lembrete');
  });
});

describe('a reminder', () => {
  it('is sent by itself, once, and counts as sent where it was prepared', async () => {
    await connect();
    await switchOn();
    await book(10);
    await prepare();
    await Promise.all([sent(), sent(), sent()]);
    const [message, ...others] = number.messages;
    expect(others).toEqual([]);
    expect(message).toMatchObject({
      messaging_product: 'whatsapp',
      type: 'template',
      to: '5511943214321',
      template: {
        name: 'lembrete',
        language: { code: 'pt_BR' },
        components: [
          {
            type: 'body',
            parameters: [{ text: 'Ana' }, { text: 'Ana Personal' }, { text: 'ter., 10 de nov., 7:00' }],
          },
          { type: 'button', sub_type: 'quick_reply', index: '0' },
          { type: 'button', sub_type: 'quick_reply', index: '1' },
        ],
      },
    });
    expect(await states()).toEqual(['enviada']);
    expect(await reminders()).toMatchObject([{ enviado_em: expect.any(String) }]);
    await expectRebuildToEqualLive(app, 'whatsapp-messages');
  });

  it('waits for a tap as before without a connection, with its kind switched off, and for who has it by mail', async () => {
    await book(10);
    await prepare();
    await connect();
    await book(10, 9);
    await prepare();
    await switchOn();
    const email = `${crypto.randomUUID()}@exemplo.com.br`;
    const bia = await trainer.api.post('/students', { nome: 'Bia', telefone: '11912345678', email });
    await book(10, 11, bia.body.id);
    await prepare();
    expect([number.messages, await outcomes()]).toEqual([[], []]);
  });

  it('is not sent at night, but at eight', async () => {
    await connect();
    await switchOn();
    await book(10, 12);
    clock.at = new Date(on(9)(20, 30));
    await prepare();
    expect(number.messages).toEqual([]);
    clock.at = new Date(on(10)(7, 59));
    await sent();
    expect(number.messages).toEqual([]);
    clock.at = new Date(on(10)(8));
    await sent();
    expect(number.messages).toHaveLength(1);
  });

  it('is one a day for a student: the other one waits for a tap', async () => {
    await connect();
    await switchOn();
    await book(10);
    await book(10, 9);
    await prepare();
    expect(number.messages).toHaveLength(1);
    expect((await outcomes()).toSorted()).toEqual(['enough', 'sent']);
    expect((await reminders()).map(({ enviado_em }) => enviado_em === null).toSorted()).toEqual([
      false,
      true,
    ]);
  });

  it('is not sent for a session that was cancelled before it is due', async () => {
    await connect();
    await switchOn();
    const session = await book(10, 12);
    clock.at = new Date(on(9)(21));
    await prepare();
    await agenda.cancel(session);
    clock.at = new Date(on(10)(8));
    await sent();
    expect([number.messages, await outcomes()]).toEqual([[], ['dropped']]);
  });
});

const fields = (at = 0) => number.messages[at]!.template.components[0]!.parameters.map(({ text }) => text);

describe('a charge', () => {
  const issue = async (day: number) =>
    (
      await trainer.api.post('/charges', {
        student_id: ana,
        descricao: 'Pacote',
        valor: 48_000,
        vencimento: `2026-11-${day}`,
      })
    ).body.id;
  const tell = async () => {
    await app.run(dailyWhatsApp.Handler);
    await sent();
  };
  const toTell = async () => (await trainer.api.get<Reminders>('/receivables/reminders')).body.items;
  beforeEach(async () => {
    clock.at = new Date(on(12)(10));
    await connect();
    await switchOn('cobranca');
  });

  it('is told on each step of its ladder, once, with its link', async () => {
    const id = await issue(12);
    await tell();
    await tell();
    expect(fields()).toEqual([
      'Ana',
      'R$ 480,00',
      'Ana Personal',
      'vence hoje',
      expect.stringMatching(/^http.*\/pagar\/[\w-]{32}$/),
    ]);
    expect([number.messages.length, await toTell()]).toEqual([1, []]);
    clock.at = new Date(on(15)(10));
    await tell();
    expect(number.messages).toHaveLength(2);
    expect(fields(1)[3]).toBe('venceu em 12/11/2026');
    expect(await historyOf(`charge:${id}`)).toContain(
      'Enviou o lembrete da cobrança por WhatsApp, o do dia do vencimento',
    );
    // A number without WhatsApp, which Meta reports afterwards.
    const { body } = await trainer.api.get<WhatsAppHook>('/settings/whatsapp/webhook');
    const failed = {
      id: 'wamid.x',
      status: 'failed',
      timestamp: '1794000000',
      errors: [{ code: 131026 }],
      biz_opaque_callback_data: number.messages[1]!.biz_opaque_callback_data,
    };
    await hook(app.url + new URL(body.url).pathname, number, { statuses: [failed] });
    await followed(database);
    const { items } = (await trainer.api.get<NotificationPage>('/notifications')).body;
    expect(items[0]!.titulo).toBe('O WhatsApp não entregou uma mensagem a Ana Souza');
  });

  it('that was paid, or whose student has it by mail, is not told by WhatsApp', async () => {
    const id = await issue(12);
    await trainer.api.get<ChargeDetail>(`/charges/${id}`);
    await followed(database);
    await trainer.api.patch(`/students/${ana}`, { email: `${crypto.randomUUID()}@exemplo.com.br` });
    await tell();
    await trainer.api.patch(`/students/${ana}`, { email: null });
    const payment = { valor: 48_000, data: '2026-11-12', metodo_pagamento: 'pix' };
    await trainer.api.post(`/charges/${id}/payments`, payment);
    await tell();
    expect(number.messages).toEqual([]);
  });

  it('leaves the day of the student to the reminder of a session of tomorrow', async () => {
    await switchOn('lembrete');
    await issue(12);
    await book(13);
    await tell();
    expect([number.messages, await outcomes(), (await toTell()).length]).toEqual([[], ['enough'], 1]);
    clock.at = new Date(on(12)(18));
    await prepare();
    expect(number.messages[0]!.template.name).toBe('lembrete');
  });
});

it('credits that expire are told with what is left of them, and count as told', async () => {
  await connect();
  await switchOn('creditos');
  clock.at = new Date(on(9)(10));
  const plano_id = await agenda.plan({ validade_dias: 9 });
  const student = await agenda.student('Bia Lima', plano_id);
  await agenda.renew(student);
  clock.at = new Date(on(12)(10));
  const warnings = async () => (await trainer.api.get<ExpiryWarningList>('/expiry-warnings')).body.items;
  await warnings();
  await app.run(expiryWarningsDue.Handler);
  await sent();
  expect(fields()).toEqual(['Bia', '4 créditos', 'Ana Personal', '18/11/2026']);
  expect(await warnings()).toMatchObject([{ student_id: student, enviado_em: expect.any(String) }]);
});

it('a time that opened is offered to who waits, counts as sent, and is held from then on', async () => {
  const page = await openPublicPage(app, database);
  ({ trainer } = page);
  await page.set({ por_dia: 24 });
  await connect();
  await switchOn('oferta');
  const wish = { de: '2026-11-10', ate: '2026-11-13', periodos: ['noite'] };
  const { body } = await page.visitors.wait({ location_id: page.location_id, ...wish });
  const horarios = [{ start_time: '18:00', end_time: '19:00', is_blocked: false }];
  await trainer.api.put('/availability/exceptions/2026-11-12', { horarios });
  await app.run(playWaitlists.Handler);
  const waiting = async () => (await trainer.api.get<Waitlist>('/waitlist')).body.items[0]!;
  await waiting();
  await sent();
  const [nome, , inicio, ate, url] = fields();
  expect([nome, inicio, ate]).toEqual(['Duda', 'qui., 12 de nov. de 2026, 18:00', 'seg., 9 de nov., 19:00']);
  expect(url).toContain(`/p/espera/${body.token}?oferta=1`);
  const { oferta, student_id } = await waiting();
  expect(oferta).toMatchObject({ enviada: true, ate: on(9)(19) });
  expect(await historyOf(`student:${student_id}`)).toContainEqual(
    expect.stringContaining('Enviou pelo WhatsApp a oferta de qui., 12 de nov. de 2026, 18:00'),
  );
});

describe('a receipt', () => {
  const paid = { tipo: 'receita', descricao: 'Aulas', valor: 48_000, metodo_pagamento: 'pix' };
  const record = async () =>
    (await trainer.api.post('/transactions', { ...paid, student_id: ana, data: '2026-11-09' })).body.id;
  const issue = async (id: string) => {
    const wanted = { nome: 'Ana Souza', cpf: '111.444.777-35', descricao: 'Aulas' };
    await trainer.api.post(`/transactions/${id}/receipt`, { ...wanted, de: '2026-11-01', ate: '2026-11-30' });
  };
  const receipt = async (id: string) =>
    (await trainer.api.get<ShownReceipt>(`/transactions/${id}/receipt`)).body.recibo!;
  beforeEach(async () => {
    await connect();
    await switchOn('recibo');
    const prestador = { nome: 'Ana Personal', documento: '529.982.247-25', cref: null, cidade: 'São Paulo' };
    await trainer.api.put('/settings/receipts', prestador);
  });

  it('is sent once it is issued, with its link, and counts as sent', async () => {
    const id = await record();
    await issue(id);
    await sent();
    const { link } = await receipt(id);
    expect(fields()).toEqual(['Ana', '1', 'Ana Personal', 'R$ 480,00', link]);
    expect(await historyOf(`transaction:${id}`)).toContain('Enviou o recibo por WhatsApp');
  });

  it('that the trainer sent during the night, or that was reversed, is not sent in the morning', async () => {
    clock.at = new Date(on(9)(21));
    const [told, reversed] = [await record(), await record()];
    await issue(told);
    await issue(reversed);
    await trainer.api.post(`/transactions/${told}/receipt/send`, { canal: 'whatsapp' });
    await trainer.api.post(`/transactions/${reversed}/reverse`, { motivo: 'Engano' });
    await sent();
    clock.at = new Date(on(10)(8));
    await sent();
    expect([number.messages, await outcomes()]).toEqual([[], ['dropped', 'dropped']]);
  });
});

describe('a message for a day', () => {
  const tell = async () => {
    await followed(database);
    await app.run(dailyWhatsApp.Handler);
    await sent();
  };
  const nudges = async () => (await trainer.api.get<NudgeList>('/nudges')).body.items;
  beforeEach(connect);

  it('of birth is sent on that day, once', async () => {
    await switchOn('aniversario');
    await trainer.api.patch(`/students/${ana}`, { nascimento: '1990-11-09' });
    await tell();
    await tell();
    expect([number.messages.length, fields()]).toEqual([1, ['Ana', 'Ana Personal']]);
    expect(await nudges()).toMatchObject([{ motivo: 'aniversario', enviado_em: expect.any(String) }]);
  });

  it('to who comes no more is sent once in four weeks, also where it cannot be delivered', async () => {
    await switchOn('sumindo');
    await trainer.api.post(`/sessions/${await book(9)}/complete`);
    meta.fault = () => ({ status: 400, code: 131026 });
    for (const days of [22, 1, 20]) {
      later(days * 24 * 60);
      clock.at.setUTCHours(15);
      await tell();
    }
    expect(await outcomes()).toEqual(['refused']);
    expect(await nudges()).toMatchObject([{ motivo: 'sumindo', enviado_em: null }]);
    meta.fault = undefined;
    later(8 * 24 * 60);
    await tell();
    expect(fields()).toEqual(['Ana', 'Ana Personal']);
    expect(await nudges()).toMatchObject([{ motivo: 'sumindo', enviado_em: expect.any(String) }]);
    later(27 * 24 * 60);
    await tell();
    expect(number.messages).toHaveLength(1);
  });

  it('about credits that are used up says the plan and its price', async () => {
    await switchOn('renovar');
    const plan = { nome: 'Uma aula', valor: 9_000, creditos: 1, validade_dias: 30 };
    const plano_id = (await trainer.api.post('/plans', plan)).body.id;
    await trainer.api.patch(`/students/${ana}`, { plano_id });
    await trainer.api.post(`/students/${ana}/credits/renew`, {});
    await trainer.api.post(`/sessions/${await book(9)}/complete`);
    await tell();
    expect(fields()).toEqual(['Ana', 'Ana Personal', 'Uma aula', 'R$ 90,00']);
    expect(await nudges()).toMatchObject([{ motivo: 'renovar', enviado_em: expect.any(String) }]);
  });

  it('about a class that was cancelled says which, to who has no account', async () => {
    await switchOn('turma');
    const session = await book(10, 14);
    await trainer.api.put(`/sessions/${session}/class`, {
      aberta: true,
      nome: 'Funcional',
      vagas: 6,
      ate_horas: 2,
      minimo_alunos: 2,
      minimo_horas: 2,
      escopo: 'so_esta',
    });
    clock.at = new Date(on(10)(12, 30));
    await followed(database);
    await app.run(playClasses.Handler);
    await tell();
    expect(fields()).toEqual(['Ana', 'Funcional', expect.stringContaining('10 de nov.'), 'Ana Personal']);
    expect(await nudges()).toMatchObject([{ motivo: 'turma', enviado_em: expect.any(String) }]);
  });

  it('is not sent to who got another one that day, or wants none', async () => {
    await switchOn('aniversario');
    await switchOn('lembrete');
    await trainer.api.patch(`/students/${ana}`, { nascimento: '1990-11-09' });
    await book(10);
    await prepare();
    await tell();
    expect(number.messages.map(({ template }) => template.name)).toEqual(['lembrete']);
    expect((await outcomes()).toSorted()).toEqual(['enough', 'sent']);
  });
});

describe('a message that Meta does not take', () => {
  beforeEach(async () => {
    await connect();
    await switchOn();
    await book(10, 12);
  });

  it('for a while is tried again, later each time', async () => {
    meta.fault = () => ({ status: 429, code: 130429 });
    await prepare();
    later(0.5);
    await sent();
    const tries = () => meta.asked.filter((call) => call.endsWith('/messages')).length;
    expect(tries()).toBe(1);
    later(0.6);
    await sent();
    expect(tries()).toBe(2);
    meta.fault = undefined;
    later(2);
    await sent();
    expect([number.messages.length, await states()]).toEqual([1, ['enviada']]);
  });

  it('is given up after a number of attempts, and waits for a tap', async () => {
    meta.fault = () => ({ status: 503 });
    await prepare();
    for (const minutes of [1, 2, 4, 8, 16, 30, 30]) {
      later(minutes);
      await sent();
    }
    expect([await outcomes(), await states()]).toEqual([['refused'], ['falhou']]);
  });

  it('because the number has no WhatsApp waits for a tap, and says so at the student', async () => {
    meta.fault = () => ({ status: 400, code: 131026 });
    await prepare();
    expect(await states()).toEqual(['falhou']);
    expect(await reminders()).toMatchObject([{ enviado_em: null }]);
    expect(await historyOf(`student:${ana}`)).toContain(
      'O WhatsApp não entregou o lembrete: o número não tem WhatsApp ou não recebe mensagens de empresas',
    );
    expect((await shown())!.parada).toBeNull();
  });

  it('because of its template switches off its kind', async () => {
    meta.fault = () => ({ status: 400, code: 132001 });
    await prepare();
    expect(await kind()).toMatchObject({
      modelo: null,
      parado: expect.stringContaining('modelo'),
    });
    meta.fault = undefined;
    await book(10, 14);
    await prepare();
    expect(number.messages).toEqual([]);
  });

  it('because of its token stops the connection, until a test succeeds', async () => {
    meta.fault = () => ({ status: 401, code: 190 });
    await prepare();
    expect((await shown())!.parada).toBe('o token de acesso expirou');
    meta.fault = undefined;
    await trainer.api.post('/settings/whatsapp/test');
    await eventually(async () => (await shown())?.parada, null);
  });

  it('or not so that we know is perhaps sent, and never sent again', async () => {
    meta.fault = () => 'cut';
    await prepare();
    meta.fault = undefined;
    for (let n = 0; n < 3; n += 1) {
      later(60);
      await sent();
    }
    expect([number.messages.length, await states()]).toEqual([1, ['incerta']]);
    expect(await historyOf(`student:${ana}`)).toContain(
      'O WhatsApp não respondeu: talvez tenha entregue o lembrete',
    );
  });

  it('before the worker ended is perhaps sent, and never sent again', async () => {
    meta.fault = () => ({ status: 503 });
    await prepare();
    // As a worker leaves it that ends between handing over and recording.
    await database.query(
      `update whatsapp_outbox set began_at = $2, claimed_until = $2::timestamptz + interval '5 minutes',
         next_attempt_at = $2 where tenant_id = $1`,
      [trainer.tenantId, clock.now()],
    );
    meta.fault = undefined;
    later(4);
    await app.nest.get(WhatsAppSender).deliverDue();
    expect(await states()).toEqual([]);
    later(2);
    await sent();
    expect([number.messages, await states()]).toEqual([[], ['incerta']]);
  });
});

describe('what Meta reports', () => {
  let url: string;
  let id: string;
  const at = (seconds: number) => String(Math.floor(clock.at.getTime() / 1000) + seconds);
  const status = (said: string, seconds: number, more: object = {}) => ({
    id: 'wamid.x',
    status: said,
    timestamp: at(seconds),
    recipient_id: '5511943214321',
    biz_opaque_callback_data: id,
    ...more,
  });
  const report = (statuses: object[], of = number, to = url) => hook(to, of, { statuses });

  beforeEach(async () => {
    await connect();
    await switchOn();
    await book(10, 12);
    await prepare();
    id = number.messages[0]!.biz_opaque_callback_data;
    const { body } = await trainer.api.get<WhatsAppHook>('/settings/whatsapp/webhook');
    url = app.url + new URL(body.url).pathname;
  });

  it('is shown with the reminder, whatever its order and however often it comes', async () => {
    expect(await report([status('read', 3), status('delivered', 2)])).toBe(200);
    expect(await report([status('sent', 1), status('delivered', 2), status('read', 3)])).toBe(200);
    await followed(database);
    expect(await states()).toEqual(['lida']);
    expect(await events('WhatsAppMessageReported')).toHaveLength(1);
    expect(await historyOf(`student:${ana}`)).toContain('O aluno leu o lembrete no WhatsApp');
    expect(await reminders()).toMatchObject([{ whatsapp: { estado: 'lida', em: expect.any(String) } }]);
    await expectRebuildToEqualLive(app, 'whatsapp-messages');
  });

  it('that it was not delivered leaves the reminder to the trainer', async () => {
    await report([status('failed', 1, { errors: [{ code: 131026, title: 'Undeliverable' }] })]);
    await followed(database);
    expect(await states()).toEqual(['falhou']);
    expect(await reminders()).toMatchObject([{ enviado_em: null, whatsapp: { estado: 'falhou' } }]);
  });

  it('of a message whose sending was not recorded tells that it was sent', async () => {
    await agenda.book({ student_id: await agenda.student('Bia'), inicio: on(10)(14), fim: on(10)(15) });
    meta.fault = () => ({ status: 503 });
    await reminders();
    await app.run(prepareReminders.Handler);
    await sent();
    // As a worker leaves it that ends between handing over and recording.
    const [waiting] = await database.query<{ id: string }>(
      `update whatsapp_outbox set began_at = $2, claimed_until = $2::timestamptz + interval '5 minutes', next_attempt_at = $2
       where tenant_id = $1 and student_id <> $3 returning id`,
      [trainer.tenantId, clock.now(), ana],
    );
    await report([status('delivered', 1, { biz_opaque_callback_data: waiting!.id })]);
    later(6);
    await sent();
    expect((await states()).toSorted()).toEqual(['entregue', 'enviada']);
    expect((await outcomes()).toSorted()).toEqual(['sent', 'uncertain']);
  });

  it('with a wrong signature is refused, and of another number, message or trainer changes nothing', async () => {
    const other = await signUp(app);
    const theirs = meta.number();
    await connect(other, theirs);
    const delivered = [status('delivered', 1)];
    expect(await report(delivered, { ...number, secret: 'other' })).toBe(401);
    expect(await report(delivered, { ...number, secret: theirs.secret })).toBe(401);
    // Not even read.
    const headers = { 'content-type': 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body: '{' })).status).toBe(401);
    expect(await report(delivered, { ...number, numeroId: theirs.numeroId })).toBe(200);
    // The other trainer's own address, with the id of a message of this one.
    const { body } = await other.api.get<WhatsAppHook>('/settings/whatsapp/webhook');
    expect(await report(delivered, theirs, app.url + new URL(body.url).pathname)).toBe(200);
    expect(await report([status('delivered', 1, { biz_opaque_callback_data: ana })])).toBe(200);
    const odd = [null, 7, { status: 'read' }, status('melted', 1), status('read', Number.NaN)];
    expect(await report(odd as object[])).toBe(200);
    await followed(database);
    expect([await states(), await events('WhatsAppMessageReported')]).toEqual([['enviada'], []]);
  });

  it('comes to an address that Meta asks for first', async () => {
    const { verificacao } = (await trainer.api.get<WhatsAppHook>('/settings/whatsapp/webhook')).body;
    const ask = (token: string) => {
      const query = new URLSearchParams({
        'hub.mode': 'subscribe',
        'hub.verify_token': token,
        'hub.challenge': '1158201444',
      });
      return fetch(`${url}?${query.toString()}`);
    };
    const answer = await ask(verificacao);
    expect([answer.status, await answer.text()]).toEqual([200, '1158201444']);
    expect((await ask('other')).status).toBe(401);
  });
});

describe('an answer of a student', () => {
  let url: string;
  let session: string;
  let messages = 0;
  const PHONE = '5511943214321';
  const text = (body: string, from = PHONE) => ({
    from,
    id: `wamid.${(messages += 1)}`,
    timestamp: '1730000000',
    type: 'text',
    text: { body },
  });
  const answer = async (...said: object[]) => {
    expect(await hook(url, number, { contacts: [], messages: said })).toBe(200);
    await followed(database);
  };
  const told = async () =>
    (await trainer.api.get<NotificationPage>('/notifications')).body.items.map(({ titulo, texto }) => [
      titulo,
      texto,
    ]);
  const isConfirmed = async () => (await reminders())[0]!.confirmado_em !== null;
  const tap = () => number.messages[0]!.template.components[1]!.parameters[0]!;

  beforeEach(async () => {
    await connect();
    await switchOn();
    session = await book(10, 12);
    await prepare();
    const { body } = await trainer.api.get<WhatsAppHook>('/settings/whatsapp/webhook');
    url = app.url + new URL(body.url).pathname;
  });

  it('confirms the session by a yes, once', async () => {
    const message = text(' SIM, confirmo. ');
    await answer(message, message);
    await answer(message);
    expect([await isConfirmed(), await told()]).toEqual([true, []]);
    expect(await events('ReminderConfirmed')).toHaveLength(1);
    expect(await events('WhatsAppAnswered')).toHaveLength(1);
  });

  it('confirms by the button of the reminder, from a number without its nine', async () => {
    await answer({ ...text('', '551143214321'), type: 'button', button: { ...tap(), text: 'Confirmo' } });
    expect(await isConfirmed()).toBe(true);
  });

  it('from a landline is of who has it, and not of whose mobile has a nine in front', async () => {
    const bia = (await trainer.api.post('/students', { nome: 'Bia', whatsapp: '1143214321' })).body.id;
    await followed(database);
    await answer(text('1', '551143214321'), text('SAIR', '551143214321'));
    expect([await isConfirmed(), (await shown())!.sem_mensagens]).toEqual([
      false,
      [{ id: bia, nome: 'Bia' }],
    ]);
  });

  it('that says no tells the trainer, and cancels nothing', async () => {
    await answer(text('Não vou'));
    expect([(await agenda.get(session)).status, await isConfirmed()]).toEqual(['agendada', false]);
    expect(await told()).toEqual([
      ['Ana Souza respondeu que não vai', 'ter., 10 de nov., 12:00. A sessão continua na agenda.'],
    ]);
  });

  it('that says anything else is told with its text, and forgotten with the student', async () => {
    await answer(text('Pode ser às 13h?'));
    expect(await told()).toEqual([['Ana Souza respondeu no WhatsApp', 'Pode ser às 13h?']]);
    expect(await historyOf(`student:${ana}`)).toContain(
      'O aluno respondeu pelo WhatsApp: “Pode ser às 13h?”',
    );
    await expectRebuildToEqualLive(app, 'whatsapp-answers');
    await answer({ ...text(''), type: 'audio', audio: { id: '1' } });
    expect((await told())[0]![1]).toBe('Não é um texto: o Rende não recebe áudios nem arquivos.');
  });

  it('to a session that was cancelled confirms nothing, and is told', async () => {
    await agenda.cancel(session);
    await answer(text('1'));
    expect(await told()).toEqual([['Ana Souza respondeu no WhatsApp', '1']]);
  });

  it('that ends the messages ends them for good, until the trainer says otherwise', async () => {
    await answer(text('SAIR'));
    expect((await told())[0]![0]).toBe('Ana Souza não quer mais mensagens automáticas');
    expect((await shown())!.sem_mensagens).toEqual([{ id: ana, nome: 'Ana Souza' }]);
    clock.at = new Date(on(10)(18));
    await book(11);
    await prepare();
    expect(number.messages).toHaveLength(1);
    await trainer.api.put(`/students/${ana}/whatsapp-wish`, { recebe: true });
    clock.at = new Date(on(11)(18));
    await book(12);
    await prepare();
    expect(number.messages).toHaveLength(2);
  });

  it('of a number that no student has, or about another student, changes nothing', async () => {
    await answer(text('1', '5511999990000'), { type: 'reaction', from: PHONE, id: 'x' });
    expect([await isConfirmed(), await events('WhatsAppAnswered')]).toEqual([false, []]);
    const bia = (await trainer.api.post('/students', { nome: 'Bia', telefone: '11912345678' })).body.id;
    await followed(database);
    await answer({ ...text('', '5511912345678'), type: 'button', button: { ...tap(), text: 'Confirmo' } });
    expect(await isConfirmed()).toBe(false);
    expect(await events('WhatsAppAnswered')).toMatchObject([{ data: { student_id: bia, sentido: 'outra' } }]);
  });
});

describe('a call to Meta', () => {
  class Impatient extends WhatsAppClient {
    protected override readonly mostMs = 300;
  }
  const failing = async (testOrigin: string | undefined, whatsAppUrl = meta.url, By = WhatsAppClient) => {
    const client = new By(Object.assign(new Config(), { whatsAppUrl, whatsAppTestOrigin: testOrigin }));
    const failure: unknown = await client
      .phone({ connection_id: 'one', ...bodyOf(number) })
      .catch((error: unknown) => error);
    return failure instanceof WhatsAppFailure ? failure.stored : failure;
  };

  it('that never ends, ends after its time limit, and reaches no other address of this machine', async () => {
    for (const fault of ['hang', 'drip'] as const) {
      meta.fault = () => fault;
      expect(await failing(meta.origin, meta.url, Impatient)).toBe('tempo');
    }
    expect(await failing(undefined)).toBe('endereco');
    expect(await failing(meta.origin, 'https://127.0.0.1/v24.0')).toBe('endereco');
    meta.fault = () => ({ status: 302 });
    expect(await failing(meta.origin)).toBe('resposta 302');
  });
});
