import { beforeEach, describe, expect, it } from '@jest/globals';
import type { OwnArea } from '../../backend/modules/accounts/area-links.api.js';
import type { StudentAccess } from '../../backend/modules/accounts/invites.api.js';
import type { OwnSessions } from '../../backend/modules/student-area/own-sessions.api.js';
import type { Charge, OwnCharges } from '../../backend/modules/charges/charges.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import {
  consents,
  type OwnContracts,
  type RequestPage,
} from '../../backend/modules/contracts/contracts.api.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import { defaultSettings } from '../../backend/modules/public-link/public-link.api.js';
import type { OwnPayments } from '../../backend/modules/receipts/own-payments.api.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import type { Confirmed } from '../../backend/modules/reminders/reminders.api.js';
import { prepareReminders } from '../../backend/modules/reminders/reminders.job.js';
import { defaultBooking } from '../../backend/modules/student-area/student-booking.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { apiRoutes, nameOf, openRoutes } from '../proof/routes.js';
import { Client, type RequestOptions } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { textOf } from '../support/pdf-text.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date(on(9)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let student: Awaited<ReturnType<typeof studentAccount>>;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(9)(12));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ valor: 10_000, creditos: 4 }));
  student = await studentAccount(app, trainer, ana, 'Ana');
});

const book = (day: number, more: object = {}) =>
  agenda.book({ student_id: ana, inicio: on(day)(7), fim: on(day)(8), ...more });
/** Reads as the student once everything is projected, because the student has no position for others' writes. */
async function read<Body>(path: string): Promise<Body> {
  await caughtUp(database);
  return (await student.api.get<Body>(path)).body;
}
const file = async (path: string, status = 200) => {
  await caughtUp(database);
  const response = await fetch(`${app.url}/api/v1${path}`, {
    headers: { authorization: `Bearer ${student.accessToken}` },
  });
  expect(response.status).toBe(status);
  return Buffer.from(await response.arrayBuffer());
};
const next = async () => (await read<OwnSessions>('/student/sessions')).items;

describe('the own credits', () => {
  it("are the same as for the trainer, without the trainer's notes", async () => {
    await agenda.renew(ana);
    await trainer.api.post(`/students/${ana}/credits/adjust`, { quantidade: 2, motivo: 'só para mim' });
    await agenda.complete(await book(8));
    const { body: theirs } = await trainer.api.get<CreditStatement>(`/students/${ana}/credits`);
    const own = await read<CreditStatement>('/student/credits');
    expect(theirs.saldo).toBe(5);
    const items = theirs.extrato.items.map((line) => ({ ...line, motivo: null, user_id: null }));
    expect(own).toEqual({ ...theirs, extrato: { ...theirs.extrato, items } });
    const sheet = await read<string>('/student/credits/csv');
    expect(sheet.replace('\ufeff', '').split('\r\n').slice(0, 2)).toEqual([
      'data;lancamento;quantidade;saldo;por_que',
      '09/11/2026 12:00;Crédito usado;-1;5;Aula de dom., 8 de nov. de 2026, 7:00, sem local',
    ]);
    expect(sheet).not.toContain('só para mim');
    const printed = textOf(await file('/student/credits/pdf'));
    expect(printed).toMatch(/Ana Souza.*5 créditos.*Crédito usado.*Aula de dom., 8 de nov. de 2026, 7:00/s);
    expect(printed).not.toContain('só para mim');
  });

  it('can be read as of a former time', async () => {
    // When something was recorded is the database's time.
    clock.at = new Date();
    await agenda.renew(ana);
    clock.at = new Date();
    const at = clock.at.toISOString();
    await agenda.complete(await book(8));
    const { saldo } = await read<CreditStatement>(`/student/credits?at=${at}`);
    expect(saldo).toBe(4);
    expect((await read<CreditStatement>('/student/credits')).saldo).toBe(3);
    expect(textOf(await file(`/student/credits/pdf?at=${at}`))).toMatch(/4 créditos/);
  });

  it('can be read as of so many former times, because each is folded from the whole log', async () => {
    const look = (api: Client, query = {}) => api.request('GET', '/api/v1/student/credits', { query });
    const bia = await studentAccount(app, trainer, await agenda.student('Bia Lima'), 'Bia');
    clock.at = new Date();
    const moment = { at: clock.at.toISOString() };
    for (let n = 0; n < 30; n += 1) expect((await look(student.api, moment)).status).toBe(200);
    expect((await look(student.api, moment)).status).toBe(429);
    expect((await look(student.api)).status).toBe(200);
    expect((await look(bia.api, moment)).status).toBe(200);
  });
});

describe('amounts to pay', () => {
  const charge = (student_id: string, more: object = {}) =>
    trainer.api.post('/charges', {
      student_id,
      descricao: 'Pacote',
      valor: 10_000,
      vencimento: '2026-11-08',
      ...more,
    });

  it('are the own open charges with their Pix codes, and a report of payment reaches the trainer', async () => {
    await trainer.api.put('/settings/pix', {
      tipo: 'email',
      chave: 'ana@exemplo.com.br',
      nome: 'Ana Personal',
      cidade: 'Sao Paulo',
    });
    const other = await agenda.student('Bia Lima');
    const [{ body: own }, { body: foreign }] = [await charge(ana), await charge(other)];
    await trainer.api.post(`/charges/${(await charge(ana)).body.id}/cancel`);
    expect((await read<OwnCharges>('/student/charges')).items).toEqual([
      {
        id: own.id,
        descricao: 'Pacote',
        valor: 10_000,
        pago: 0,
        falta: 10_000,
        hoje: { multa: 0, juros: 0, desconto: 0, total: 10_000 },
        adiante: [],
        vencimento: '2026-11-08',
        situacao: 'vencida',
        avisada: false,
        pix: expect.stringMatching(/^000201.*5406100\.00/),
        recebe: { nome: 'Ana Personal', documento: null, banco: null },
      },
    ]);
    await student.api.post(`/student/charges/${own.id}/claim`);
    await student.api.post(`/student/charges/${foreign.id}/claim`, undefined, { status: 404 });
    expect((await read<OwnCharges>('/student/charges')).items).toMatchObject([{ avisada: true }]);
    const pay = (id: string, valor: number) =>
      trainer.api.post(`/charges/${id}/payments`, { valor, metodo_pagamento: 'pix', data: '2026-11-09' });
    await pay(own.id, 4_000);
    expect(await read<OwnCharges>('/student/charges')).toMatchObject({
      items: [{ pago: 4_000, falta: 6_000 }],
      pagas: [],
    });
    await pay(own.id, 6_000);
    await pay(foreign.id, 10_000);
    const paid = [{ id: own.id, descricao: 'Pacote', pago: 10_000 }];
    expect(await read<OwnCharges>('/student/charges')).toEqual({ items: [], pagas: paid });
    clock.at = new Date(on(11)(12));
    expect((await read<OwnCharges>('/student/charges')).pagas).toEqual([]);
  });

  it('have no code if the trainer has set no key', async () => {
    await charge(ana);
    expect((await read<OwnCharges>('/student/charges')).items).toMatchObject([{ pix: null }]);
  });
});

describe('own payments', () => {
  const pay = async (student_id: string, data: string) => {
    const { body } = await trainer.api.post('/charges', {
      student_id,
      descricao: 'Pacote de março',
      valor: 10_000,
      vencimento: '2026-11-08',
    });
    const payment = { valor: 10_000, data, metodo_pagamento: 'pix' };
    const done = await trainer.api.post<{ payment_id: string }>(`/charges/${body.id}/payments`, payment);
    const { pagamentos } = (await trainer.api.get<Charge>(`/charges/${body.id}`)).body;
    return { id: pagamentos[0]!.transaction_id, charge: body.id, payment: done.body.payment_id };
  };

  it('are listed in pages without reversed ones, with the way to the receipts of their student', async () => {
    const bia = await agenda.student('Bia Lima');
    const [first, second, undone, foreign] = [
      await pay(ana, '2026-11-05'),
      await pay(ana, '2026-11-07'),
      await pay(ana, '2026-11-08'),
      await pay(bia, '2026-11-07'),
    ];
    await trainer.api.post(`/charges/${undone.charge}/payments/${undone.payment}/reverse`);
    const direct = await trainer.api.post('/transactions', {
      tipo: 'receita',
      descricao: 'Ana paga atrasado',
      valor: 500,
      metodo_pagamento: 'dinheiro',
      data: '2026-11-04',
      student_id: ana,
    });
    await trainer.api.put('/settings/receipts', {
      nome: 'Carla Dias',
      documento: '529.982.247-25',
      cref: null,
      cidade: 'São Paulo',
    });
    for (const { id } of [first, foreign])
      await trainer.api.post(`/transactions/${id}/receipt`, {
        nome: 'Ana Souza',
        cpf: null,
        descricao: 'Treinos',
        de: '2026-11-01',
        ate: '2026-11-30',
      });
    const { items, next: cursor } = await read<OwnPayments>('/student/payments?limit=2');
    const paid = { valor: 10_000, metodo_pagamento: 'pix' };
    const { recibo: issued } = (await trainer.api.get<ShownReceipt>(`/transactions/${first.id}/receipt`))
      .body;
    const recibo = { numero: 1, caminho: new URL(issued!.link).pathname };
    expect(items).toEqual([
      { ...paid, id: second.id, data: '2026-11-07', descricao: 'Pacote de março', recibo: null },
      { ...paid, id: first.id, data: '2026-11-05', descricao: 'Treinos', recibo },
    ]);
    const rest = await read<OwnPayments>(`/student/payments?limit=2&cursor=${cursor}`);
    expect(rest).toMatchObject({
      items: [{ id: direct.body.id, descricao: null, recibo: null }],
      next: null,
    });
  });
});

describe("data of another student of the same trainer, and the trainer's notes,", () => {
  let caio: string;
  let own: string;
  /** Ids of Zuleika's data, by the word before `{id}`. */
  let hers: Record<string, string>;
  let secrets: string[];
  let zuleika: Awaited<ReturnType<typeof studentAccount>>;

  const signature = {
    nome: 'Zuleika Quaresma',
    cpf: '529.982.247-25',
    telefone: '(11) 98765-1234',
    consent_data_processing: true,
    consent_terms: true,
    consentimento: consents.versao,
  };
  /** Request bodies, by the end of their paths. */
  const bodies: Record<string, object> = {
    move: { inicio: on(12)(11) },
    book: { inicio: on(12)(11) },
    wait: { inicio: on(12)(11) },
    request: { motivo: 'Viagem' },
    'confirm-code': { codigo: '123456' },
    decline: { motivo: 'Não quero' },
    sign: signature,
  };
  const ofStudents = async () => {
    const routes = (await apiRoutes(app)).filter((route) => openRoutes.aluno.includes(nameOf(route)));
    expect(routes).toHaveLength(openRoutes.aluno.length);
    return routes;
  };
  const pathOf = (path: string, ids: Record<string, string>) =>
    path.replace(/([\w-]+)\/\{id\}/, (_, word: string) => `${word}/${ids[word]!}`);
  /** Answers of these routes that contain something they should not. */
  const told = (asked: string, answer: { body: unknown }) => {
    const { instance: _path, ...said } = Object(answer.body) as { instance?: string };
    const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(said);
    return secrets.filter((secret) => text.includes(secret)).map((secret) => `${asked}: ${secret}`);
  };

  beforeEach(async () => {
    const { api } = trainer;
    const person = { nome: 'Zuleika Quaresma', whatsapp: '(11) 98765-1234', email: 'zuleika@exemplo.com.br' };
    const other = (await api.post('/students', { ...person, observacoes: 'segredo-da-zuleika' })).body.id;
    zuleika = await studentAccount(app, trainer, other, 'Zuleika');
    caio = await agenda.student('Caio Reis');
    const home = await agenda.location('Casa da Zuleika');
    await api.put('/public-link', { ...defaultSettings, locais: [] });
    await api.put('/settings/student-booking', { ...defaultBooking, exige_credito: false });
    await api.patch(`/students/${ana}`, { observacoes: 'nota-privada' });
    const noted: [string, string][] = [
      [ana, 'nota-privada'],
      [caio, 'nota-privada'],
      [other, 'segredo-da-zuleika'],
    ];
    for (const [id, texto] of noted) {
      await api.post(`/students/${id}/notes`, { dia: '2026-11-09', texto });
      await api.put(`/students/${id}/tags`, { etiquetas: [texto] });
      await api.post(`/students/${id}/credits/adjust`, { quantidade: 2, motivo: texto });
    }
    await api.post('/vacations', {
      start_date: '2026-11-23',
      end_date: '2026-11-24',
      description: 'nota-privada',
    });
    const shared = { inicio: on(11)(7), fim: on(11)(8), observacoes: 'nota-privada' };
    await api.post('/sessions/groups', { student_ids: [ana, other, caio], ...shared });
    const late = { inicio: on(10)(9), fim: on(10)(10), location_id: home };
    const theirs = await agenda.book({ student_id: other, observacoes: 'segredo-da-zuleika', ...late });
    own = await book(13, { observacoes: 'nota-privada' });
    const due = { descricao: 'segredo-da-zuleika', valor: 10_000, vencimento: '2026-11-08' };
    const charge = (await api.post('/charges', { student_id: other, ...due })).body.id;
    for (const id of [ana, caio]) await api.post('/charges', { student_id: id, ...due, descricao: 'Pacote' });
    const paid = { tipo: 'receita', valor: 500, metodo_pagamento: 'dinheiro', data: '2026-11-04' };
    await api.post('/transactions', { ...paid, descricao: 'nota-privada', student_id: ana });
    const payment = { ...paid, descricao: 'segredo-da-zuleika', student_id: other };
    const receipt = (await api.post('/transactions', payment)).body.id;
    await api.put('/settings/receipts', {
      nome: 'Carla Dias',
      documento: '111.444.777-35',
      cref: null,
      cidade: 'São Paulo',
    });
    await api.post(`/transactions/${receipt}/receipt`, {
      nome: person.nome,
      cpf: null,
      descricao: 'segredo-da-zuleika',
      de: '2026-11-01',
      ate: '2026-11-30',
    });
    const contract = (await api.post('/contracts', { titulo: 'Termo', conteudo: '<p>{{aluno}}</p>' })).body
      .id;
    await api.post(`/contracts/${contract}/send`, { alunos: [other, ana, caio], canal: 'link' });
    await zuleika.api.post(`/student/sessions/${theirs}/request`, { motivo: 'segredo-da-zuleika' });
    await caughtUp(database);
    const requests = (await api.get<RequestPage>(`/contracts/${contract}/requests`)).body.items;
    const request = requests.find(({ student_id }) => student_id === other)!.id;
    await zuleika.api.post(`/student/signature-requests/${request}/sign`, signature);
    const notices = async () =>
      (await zuleika.api.get<NotificationPage>('/student/notifications')).body.items;
    await eventually(async () => (await notices()).length > 0, true);
    hers = {
      sessions: theirs,
      classes: theirs,
      charges: charge,
      'signature-requests': request,
      notifications: (await notices())[0]!.id,
    };
    secrets = [
      other,
      home,
      ...Object.values(hers),
      'Zuleika',
      'Quaresma',
      'zuleika',
      'nota-privada',
      '98765-1234',
      '987651234',
      '529.982.247-25',
      '52998224725',
    ];
    await caughtUp(database);
  });

  it('can be read by their owners', async () => {
    const status = async (path: string) =>
      (await zuleika.api.request('GET', `/api/v1/student/${path}`)).status;
    for (const path of [
      `sessions/${hers.sessions}/calendar`,
      `sessions/${hers.sessions}/cancellation`,
      `signature-requests/${hers['signature-requests']}`,
    ])
      expect([path, await status(path)]).toEqual([path, 200]);
    // A job writes the export.
    await eventually(() => status(`signature-requests/${hers['signature-requests']}/pdf`), 200);
    await zuleika.api.post(`/student/notifications/${hers.notifications}/read`);
    await zuleika.api.post(`/student/charges/${hers.charges}/claim`);
  });

  it('are in no answer to a student with an account', async () => {
    secrets.push('Caio', caio);
    let answered = 0;
    for (const { method, path } of await ofStudents()) {
      const isOwnToo = method === 'GET' && path.includes('/sessions/{id}');
      for (const which of [hers, ...(isOwnToo ? [{ sessions: own }] : [])]) {
        const answer = await student.api.request(method, pathOf(path, which), {
          ...(path.endsWith('/why') && { query: { de: `session:${which.sessions}` } }),
          ...(method === 'POST' && { body: bodies[path.split('/').at(-1)!] ?? {} }),
        });
        if (answer.status === 200) answered += 1;
        if (which === hers && path.includes('{id}'))
          expect([method, path, answer.status]).toEqual([method, path, 404]);
        expect(told(`${method} ${path}`, answer)).toEqual([]);
      }
    }
    expect(answered).toBeGreaterThan(8);
    // Free times are requested without a name, and somebody else's location is refused as an unknown one.
    const booking = { inicio: on(12)(9), location_id: secrets[1] };
    const refused = await student.api.request('POST', '/api/v1/student/sessions', { body: booking });
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(told('booking', refused)).toEqual([]);
    for (const path of ['me', 'account/profile', 'account/sessions', 'account/exports', 'account/deletion'])
      expect(told(path, await student.api.request('GET', `/api/v1/${path}`))).toEqual([]);
    const printed = textOf(await file('/student/credits/pdf'));
    expect(secrets.filter((secret) => printed.includes(secret))).toEqual([]);
    const done = await database.query(
      `select type from events where tenant_id = $1 and meta ->> 'actor' = $2 and data::text like any ($3)`,
      [trainer.tenantId, student.userId, secrets.map((secret) => `%${secret}%`)],
    );
    expect(done).toEqual([]);
  });

  it('are in no answer to the holder of the link of a student without an account', async () => {
    secrets.push('Souza', ana, own);
    const { body } = await trainer.api.post<{ url: string }>(`/students/${caio}/area-link`);
    const headers = { 'Rende-Link': body.url.split('/').at(-1)! };
    await caughtUp(database);
    const stranger = new Client(app.url);
    const statuses: Record<string, number> = {};
    for (const { method, path } of await ofStudents()) {
      const answer = await stranger.request(method, pathOf(path, hers), {
        ...(path.endsWith('/why') && { query: { de: `session:${hers.sessions}` } }),
        ...(method === 'POST' && { body: bodies[path.split('/').at(-1)!] ?? {} }),
        headers,
      });
      statuses[`${method} ${path.replace('/api/v1/student/', '')}`] = answer.status;
      expect(told(`${method} ${path}`, answer)).toEqual([]);
    }
    const answered = (status: number) =>
      Object.keys(statuses)
        .filter((name) => statuses[name] === status)
        .toSorted();
    expect(answered(200)).toEqual([
      'GET area',
      'GET charges',
      'GET credits',
      'GET credits/csv',
      'GET credits/pdf',
      'GET free-times',
      'GET payments',
      'GET sessions',
      'GET signature-requests',
    ]);
    expect(answered(404)).toEqual([
      'GET sessions/{id}/cancellation',
      'GET why',
      'POST charges/{id}/claim',
      'POST sessions/{id}/confirm',
      'POST sessions/{id}/request',
      'POST sessions/{id}/request/withdraw',
      'POST signature-requests/{id}/code',
      'POST signature-requests/{id}/confirm-code',
    ]);
    expect(answered(401)).toHaveLength(Object.keys(statuses).length - 17);
  });
});

describe('the next sessions', () => {
  it("include the vacation of the trainer, without the trainer's description", async () => {
    const away = (start_date: string, end_date: string) =>
      trainer.api.post<{ id: string }>('/vacations', { start_date, end_date, description: 'Cirurgia' });
    await away('2026-11-01', '2026-11-08');
    await away('2026-11-20', '2026-11-29');
    await away('2027-01-20', '2027-01-29');
    const { id } = (await away('2026-12-20', '2026-12-22')).body;
    await trainer.api.delete(`/vacations/${id}`);
    const own = await read<OwnSessions>('/student/sessions');
    expect(own.ferias).toEqual([{ start_date: '2026-11-20', end_date: '2026-11-29' }]);
    expect(JSON.stringify(own)).not.toContain('Cirurgia');
  });

  it('are confirmed once their reminder exists, only by their student', async () => {
    const id = await book(10);
    const bia = await studentAccount(app, trainer, await agenda.student('Bia Lima'), 'Bia');
    expect(await next()).toMatchObject([{ id, a_confirmar: false }]);
    await student.api.post(`/student/sessions/${id}/confirm`, undefined, { status: 404 });
    clock.at = new Date(on(9)(18));
    await app.run(prepareReminders.Handler);
    expect(await next()).toMatchObject([{ id, a_confirmar: true }]);
    await bia.api.post(`/student/sessions/${id}/confirm`, undefined, { status: 404 });
    const confirm = () => student.api.post<Confirmed>(`/student/sessions/${id}/confirm`);
    // Who asked to cancel and then says to come takes the request back.
    await student.api.post(`/student/sessions/${id}/request`, { motivo: 'Viagem' });
    expect(await next()).toMatchObject([{ id, a_confirmar: true, pedido: { situacao: 'aberto' } }]);
    expect((await confirm()).body.nova).toBe(true);
    expect((await confirm()).body.nova).toBe(false);
    expect(await next()).toMatchObject([{ id, a_confirmar: false, confirmado: true, pedido: null }]);
  });
});

describe('the link to the area of a student without an account', () => {
  let bia: string;

  beforeEach(async () => {
    bia = await agenda.student('Bia Lima', await agenda.plan({ valor: 10_000, creditos: 4 }));
  });

  const opened = async (id: string) => {
    const { body } = await trainer.api.post<{ url: string }>(`/students/${id}/area-link`);
    const token = /\/minha-area\/([\w-]{32})$/.exec(body.url)![1]!;
    const by = (options: RequestOptions = {}) => ({ headers: { 'Rende-Link': token }, ...options });
    const stranger = new Client(app.url);
    const show = async <Body>(path: string, status = 200) => {
      await caughtUp(database);
      return (await stranger.get<Body>(path, by({ status }))).body;
    };
    const send = (path: string, body?: object, status = 200) =>
      stranger.post<{ id: string }>(path, body, by({ status }));
    return { token, show, send };
  };
  const dead = async ({ show }: Awaited<ReturnType<typeof opened>>) => {
    await show('/student/area', 404);
    await show('/student/sessions', 404);
  };

  it('shows only that student, and lets its holder pay, sign and request, but change nothing', async () => {
    await agenda.renew(bia);
    const shared = { inicio: on(11)(7), fim: on(11)(8) };
    await student.api.put('/student/partner-name', { mostra: true });
    await trainer.api.post('/sessions/groups', { student_ids: [ana, bia], ...shared });
    const alone = await agenda.book({ student_id: bia, inicio: on(20)(7), fim: on(20)(8) });
    const theirs = await book(21);
    const due = { descricao: 'Pacote', valor: 10_000, vencimento: '2026-11-08' };
    const charge = (await trainer.api.post('/charges', { student_id: bia, ...due })).body.id;
    const foreign = (await trainer.api.post('/charges', { student_id: ana, ...due })).body.id;
    const text = { titulo: 'Termo', conteudo: '<p>{{aluno}}</p>' };
    const contract = (await trainer.api.post('/contracts', text)).body.id;
    await trainer.api.post(`/contracts/${contract}/send`, { alunos: [bia, ana], canal: 'link' });
    const { token, show, send } = await opened(bia);

    expect(await show<OwnArea>('/student/area')).toMatchObject({ primeiro_nome: 'Bia' });
    const { items } = await show<OwnSessions>('/student/sessions');
    expect(items.map(({ inicio, compartilhada, com }) => [inicio, compartilhada, com])).toEqual([
      [on(11)(7), true, []],
      [on(20)(7), false, []],
    ]);
    expect((await show<CreditStatement>('/student/credits')).saldo).toBe(4);
    expect(
      (await show<CreditStatement>('/student/credits')).extrato.items.map(({ motivo }) => motivo),
    ).toEqual([null]);
    const file = async (kind: string) => {
      const headers = { 'Rende-Link': token };
      const answer = await fetch(`${app.url}/api/v1/student/credits/${kind}`, { headers });
      return Buffer.from(await answer.arrayBuffer());
    };
    expect((await file('csv')).toString()).toContain('Pacote');
    // It contains no more about the student than the page.
    const printed = textOf(await file('pdf'));
    expect([printed.includes('Bia'), printed.includes('Lima')]).toEqual([true, false]);
    expect((await show<OwnCharges>('/student/charges')).items.map(({ id }) => id)).toEqual([charge]);
    const contracts = (await show<OwnContracts>('/student/signature-requests')).items;
    expect(contracts).toMatchObject([{ titulo: 'Termo', estado: 'enviado' }]);

    await send(`/student/charges/${charge}/claim`);
    await send(`/student/charges/${foreign}/claim`, undefined, 404);
    await send(`/student/sessions/${alone}/request`, { motivo: 'Viagem' });
    await send(`/student/sessions/${theirs}/request`, { motivo: 'Viagem' }, 404);
    expect((await show<OwnSessions>('/student/sessions')).items[1]!.pedido?.situacao).toBe('aberto');
    await send(`/student/sessions/${alone}/request/withdraw`);
    await send(`/student/sessions/${alone}/cancel`, undefined, 401);
    await send(`/student/sessions/${alone}/move`, { inicio: on(22)(7) }, 401);
    await send('/student/sessions', { inicio: on(22)(7), location_id: null }, 401);
    for (const path of ['/student/calendar-feed', '/student/notifications', '/me']) await show(path, 401);
    await show(`/student/signature-requests/${contracts[0]!.id}`, 401);
    await show('/students', 401);
  });

  it("lists the student's payments, and opens the receipts of the last 90 days", async () => {
    await trainer.api.put('/settings/receipts', {
      nome: 'Carla Dias',
      documento: '529.982.247-25',
      cref: null,
      cidade: 'São Paulo',
    });
    const pay = async (student_id: string, data: string) => {
      const { body } = await trainer.api.post('/transactions', {
        tipo: 'receita',
        descricao: 'Aulas',
        valor: 9_000,
        metodo_pagamento: 'pix',
        data,
        student_id,
      });
      const about = { nome: 'Mãe', cpf: null, descricao: 'Aulas', de: data, ate: data };
      await trainer.api.post(`/transactions/${body.id}/receipt`, about);
      return body.id;
    };
    const old = await pay(bia, '2026-08-10');
    const recent = await pay(bia, '2026-08-11');
    await pay(ana, '2026-11-07');
    const { show } = await opened(bia);
    const { items } = await show<OwnPayments>('/student/payments');
    expect(items.map(({ id, recibo }) => [id, recibo?.numero])).toEqual([
      [recent, 2],
      [old, undefined],
    ]);
  });

  it('confirms sessions of only that student, once their reminder exists, until it is revoked', async () => {
    const book = (student_id: string, hour: number) =>
      agenda.book({ student_id, inicio: on(10)(hour), fim: on(10)(hour + 1) });
    const [id, theirs] = [await book(bia, 7), await book(ana, 9)];
    const { show, send } = await opened(bia);
    const { posicao } = await show<OwnArea>('/student/area');
    const confirm = (session: string, status = 200) =>
      send(`/student/sessions/${session}/confirm`, undefined, status);
    await confirm(id, 404);
    clock.at = new Date(on(9)(18));
    await app.run(prepareReminders.Handler);
    await confirm(theirs, 404);
    expect((await confirm(id)).body).toMatchObject({ nova: true });
    expect((await confirm(id)).body).toMatchObject({ nova: false });
    expect((await show<OwnSessions>('/student/sessions')).items).toMatchObject([
      { id, a_confirmar: false, confirmado: true },
    ]);
    // By this the page knows that there are changes to read.
    const { posicao: since } = await show<OwnArea>('/student/area');
    expect(since).toBeGreaterThan(posicao);
    expect((await show<OwnArea>('/student/area')).posicao).toBe(since);
    await trainer.api.delete(`/students/${bia}/area-link`);
    await confirm(id, 404);
  });

  it('ends with the removal of the student, and is not shown as valid after that is undone', async () => {
    const caio = await agenda.student('Caio Reis');
    const before = await opened(caio);
    await trainer.api.delete(`/students/${caio}`);
    await dead(before);
    await trainer.api.post(`/students/${caio}/restore`);
    await dead(before);
    await caughtUp(database);
    expect((await trainer.api.get<StudentAccess>(`/students/${caio}/access`)).body.area).toBeNull();
    await (await opened(caio)).show('/student/area');
  });

  it('ends when it is replaced, revoked or 90 days old, or when the student gets an account or is forgotten', async () => {
    const access = async () => {
      await caughtUp(database);
      return (await trainer.api.get<StudentAccess>(`/students/${bia}/access`)).body.area;
    };
    const first = await opened(bia);
    const second = await opened(bia);
    await dead(first);
    await second.show('/student/area');
    expect((await access())?.url).toContain(second.token);
    await trainer.api.delete(`/students/${bia}/area-link`);
    await trainer.api.delete(`/students/${bia}/area-link`);
    await dead(second);
    expect(await access()).toBeNull();
    const old = await opened(bia);
    clock.at = new Date(clock.at.getTime() + 90 * 86_400_000);
    await dead(old);
    clock.at = new Date(on(9)(12));
    const third = await opened(bia);
    const texts = await database.query<{ text: string }>(
      `select to_jsonb(t)::text as text from area_links t union all select to_jsonb(t)::text from events t
       union all select to_jsonb(t)::text from idempotency_keys t union all select to_jsonb(t)::text from read.history t`,
    );
    expect(texts.filter(({ text }) => text.includes(third.token))).toEqual([]);
    await studentAccount(app, trainer, bia, 'Bia');
    await dead(third);
    await trainer.api.post(`/students/${bia}/area-link`, undefined, { status: 409 });
    const caio = await agenda.student('Caio Reis');
    const last = await opened(caio);
    await trainer.api.post(`/students/${caio}/forget`);
    await dead(last);
  });
});
