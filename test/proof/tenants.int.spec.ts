import { randomUUID } from 'node:crypto';
import { addDays, addHours } from 'date-fns';
import { describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { decodeJwt } from 'jose';
import type { Why } from '../../backend/modules/audit/why.api.js';
import type { ChargeDetail } from '../../backend/modules/charges/charges.api.js';
import { consents } from '../../backend/modules/contracts/contracts.api.js';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import { PrepareReminders, reminderIdOf } from '../../backend/modules/reminders/reminders.commands.js';
import {
  PrepareExpiryWarnings,
  warningIdOf,
} from '../../backend/modules/expiry-warnings/expiry-warnings.commands.js';
import type { SeriesAnswer } from '../../backend/modules/series/series.api.js';
import { dateOf } from '../../backend/platform/local-time.js';
import { nobodyOf } from '../../backend/platform/event-store/context.js';
import { exportOf, studentAccount } from '../accounts/own-data.js';
import type { Client } from '../support/client.js';
import { dayOf } from '../support/clock.js';
import { connect, countEvents, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { liveADay, openClass } from './day.js';
import { caughtUp } from './read-tables.js';
import { type ApiRoute, apiRoutes, nameOf, openRoutes } from './routes.js';

const database = await testDatabase();
const app = await sharedApp();
const routes = await apiRoutes(app);
const [own, stranger] = [await signUp(app), await signUp(app)];
const ownDay = await liveADay(own.api);
await liveADay(stranger.api);
/** Ids of `own`'s entities, by path parameter; for `{id}`, by the path segment before it. */
const owned: Record<string, string> = {
  students: ownDay.studentId,
  plans: ownDay.planId,
  services: ownDay.serviceId,
  locations: ownDay.locationId,
  'student-notes': ownDay.noteId,
  payers: ownDay.payerId,
  sessions: ownDay.sessionId,
  'session-requests': ownDay.sessionId,
  transactions: ownDay.transactionId,
  payments: ownDay.transactionId,
  tasks: ownDay.taskId,
  'task-lists': ownDay.taskListId,
  vacations: ownDay.vacationId,
  holidays: ownDay.holidayId,
  charges: ownDay.chargeId,
  'recurring-expenses': ownDay.expenseId,
  payment: ownDay.paymentId,
  lot: ownDay.lotId,
  visits: ownDay.visitId,
  waitlist: ownDay.waitId,
  'arrived-pix': ownDay.pixId,
  series: ownDay.seriesId,
  change: (await own.api.get<SeriesAnswer>(`/series/${ownDay.seriesId}`)).body.pode_desfazer!.mudanca_id,
  contracts: ownDay.contractId,
  'signature-requests': ownDay.requestId,
  'student-imports': ownDay.importId,
  session: String(decodeJwt(own.accessToken).session_id),
  export: await exportOf(own),
  reminders: await reminderOf(own, ownDay.studentId),
  'expiry-warnings': await warningOf(own, ownDay.studentId),
  nudges: await nudgeOf(own, ownDay.studentId),
  groups: await groupOf(own, ownDay.studentId),
  classes: ownDay.classId,
  transfers: await transferOf(own, ownDay.studentId),
  notifications: await notificationOf(own),
  'student-merges': await mergeOf(own),
};

/** Id of the trainer's notification about the visit of the day. */
async function notificationOf({ api }: Trainer): Promise<string> {
  const told = async () => (await api.get<NotificationPage>('/notifications')).body.items;
  await eventually(async () => (await told()).length > 0, true);
  return (await told())[0]!.id;
}

/** Of the student's birthday, which is today. */
async function nudgeOf({ api }: Trainer, studentId: string): Promise<string> {
  const nascimento = `1992-${dateOf(new Date(), 'America/Sao_Paulo').slice(5)}`;
  await api.patch(`/students/${studentId}`, { nascimento });
  return (await api.post(`/students/${studentId}/nudges`, { motivo: 'aniversario' })).body.id;
}

async function groupOf({ api }: Trainer, studentId: string): Promise<string> {
  const { body: other } = await api.post('/students', { nome: 'Bia Dupla', telefone: '(11) 98765-4321' });
  const at = (hours: number) => addHours(addDays(new Date(), 9), hours).toISOString();
  const hour = { inicio: at(1), fim: at(2), permitir_conflito: true };
  return (await api.post('/sessions/groups', { student_ids: [studentId, other.id], ...hour })).body.id;
}

async function transferOf({ api }: Trainer, studentId: string): Promise<string> {
  const { body: other } = await api.post('/students', { nome: 'Bia Irmã', telefone: '(11) 98765-4321' });
  const wanted = { para: other.id, quantidade: 1, motivo: 'porque sim' };
  return (await api.post(`/students/${studentId}/credits/transfer`, wanted)).body.id;
}

async function mergeOf({ api }: Trainer): Promise<string> {
  const register = async () =>
    (await api.post('/students', { nome: 'Cadastrada Duas Vezes', telefone: '(11) 98765-0000' })).body.id;
  const [stays, com] = [await register(), await register()];
  return (await api.post(`/students/${stays}/merge`, { com })).body.id;
}

/** Records a reminder directly, because no route prepares one: a job does, at a fixed hour. */
async function reminderOf({ api, tenantId }: Trainer, student_id: string): Promise<string> {
  const at = (hours: number) => addHours(addDays(new Date(), 5), hours).toISOString();
  const due = { student_id, inicio: at(1) };
  const { body } = await api.post('/sessions', { ...due, fim: at(2) });
  const context = {
    tenantId,
    userId: tenantId,
    role: 'personal' as const,
    studentId: null,
    timezone: 'America/Sao_Paulo',
    requestId: randomUUID(),
    device: null,
    idempotency: null,
  };
  const all = [{ ...due, session_id: body.id }];
  await app.nest.get(CommandBus).execute(new PrepareReminders(context, all));
  await caughtUp(database);
  return reminderIdOf(all[0]!);
}

/** Records an expiry warning directly, also because only a job does that. It is about the credits of the day's renewal. */
async function warningOf({ tenantId }: Trainer, student_id: string): Promise<string> {
  const context = nobodyOf(tenantId, 'America/Sao_Paulo');
  const [lot] = await database.query<{ expira_em: string }>(
    'select expira_em::text from read.credit_lot_balances where student_id = $1 and expira_em is not null',
    [student_id],
  );
  const due = { student_id, expira_em: lot!.expira_em };
  await app.nest.get(CommandBus).execute(new PrepareExpiryWarnings(context, [due]));
  await caughtUp(database);
  return warningIdOf(due);
}

const inicio = addHours(addDays(new Date(), 3), 1);
const inAWeek = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };

const weekly = {
  data: addDays(inicio, 60).toISOString().slice(0, 10),
  dias: [0, 1, 2, 3, 4, 5, 6],
  intervalo: 1,
  hora: '05:00',
  duracao: 60,
  vezes: 2,
};

/** A valid body for each route that takes one, by method and path. */
const bodies: Record<string, unknown> = {
  'PATCH /api/v1/students/{id}': { nome: 'Outro nome' },
  'POST /api/v1/students/{id}/credits/adjust': { quantidade: 1, motivo: 'porque sim' },
  'POST /api/v1/students/{id}/credits/consume': { motivo: 'porque sim' },
  'POST /api/v1/students/{id}/credits/transfer': { para: randomUUID(), quantidade: 1, motivo: 'porque sim' },
  'PUT /api/v1/students/{id}/credits/sharing': { dono_id: null },
  'PUT /api/v1/students/{id}/pause': { ate: addDays(inicio, 3).toISOString().slice(0, 10) },
  'PUT /api/v1/students/{id}/payer': { payer_id: null },
  'POST /api/v1/payers/{id}/payments': { valor: 100, data: '2026-11-20', metodo_pagamento: 'pix' },
  'PATCH /api/v1/payers/{id}': { nome: 'Outro nome' },
  'PUT /api/v1/students/{id}/tags': { etiquetas: ['Corrida'] },
  'POST /api/v1/students/{id}/merge': { com: randomUUID() },
  'PUT /api/v1/students/{id}/told-contact': { campo: 'nome', valor: 'Outro nome', resposta: 'manter' },
  'POST /api/v1/students/{id}/notes': { dia: '2030-01-07', texto: 'porque sim' },
  'POST /api/v1/students/{id}/nudges': { motivo: 'sumindo' },
  'POST /api/v1/students/{id}/nudges/dismissed': { motivo: 'sumindo' },
  'PATCH /api/v1/student-notes/{id}': { texto: 'porque sim' },
  'PATCH /api/v1/plans/{id}': { nome: 'Outro nome' },
  'PATCH /api/v1/services/{id}': { nome: 'Outro nome' },
  'PATCH /api/v1/locations/{id}': { nome: 'Outro nome' },
  'PUT /api/v1/locations/{id}/policy': { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true },
  'PATCH /api/v1/sessions/{id}': inAWeek,
  'POST /api/v1/sessions/{id}/cancel': { motivo: 'personal' },
  'PATCH /api/v1/sessions/{id}/series': { escopo: 'todas', observacoes: 'Outra coisa' },
  'POST /api/v1/sessions/{id}/series/cancel': { escopo: 'todas', motivo: 'personal' },
  'POST /api/v1/sessions/{id}/series/delete': { escopo: 'todas' },
  'POST /api/v1/sessions/{id}/series/students': { escopo: 'todas', student_ids: [randomUUID()] },
  'POST /api/v1/series/{id}/undo': { mudanca_id: randomUUID() },
  'POST /api/v1/sessions/{id}/students': { student_ids: [randomUUID()] },
  'POST /api/v1/sessions/groups/{id}/reopen': { session_ids: [randomUUID()] },
  'POST /api/v1/sessions/groups/{id}/cancel': { inicio: inAWeek.inicio },
  'PATCH /api/v1/tasks/{id}': { titulo: 'Outro título' },
  'POST /api/v1/tasks/{id}/move': { depois_de: randomUUID() },
  'PATCH /api/v1/task-lists/{id}': { nome: 'Outro nome' },
  'POST /api/v1/task-lists/{id}/move': { depois_de: randomUUID() },
  'POST /api/v1/task-lists/{id}/delete': { tarefas: 'excluir' },
  'POST /api/v1/arrived-pix/{id}/decide': { decisao: 'receita' },
  'POST /api/v1/transactions/{id}/reverse': { motivo: 'em dobro' },
  'PUT /api/v1/students/{id}/monthly-plan': {
    plano_id: randomUUID(),
    valor: 100,
    desde: '2026-11-01',
    ate: null,
    vence_dia: 5,
  },
  'PUT /api/v1/recurring-expenses/{id}': {
    descricao: 'Outra',
    valor: 100,
    metodo_pagamento: 'pix',
    categoria: null,
    vence_dia: 5,
    desde: '2030-01-01',
    ate: null,
  },
  'PUT /api/v1/charges/{id}/promise': { dia: '2030-11-28' },
  'PUT /api/v1/charges/{id}/return': { devolver: 0, se_ainda: 0 },
  'PATCH /api/v1/charges/{id}': { descricao: 'Outra coisa' },
  'POST /api/v1/charges/{id}/payments': { valor: 100, data: '2026-11-20', metodo_pagamento: 'pix' },
  'POST /api/v1/students/{id}/credits/renew/payment': {
    valor: 100,
    data: '2026-11-20',
    metodo_pagamento: 'pix',
  },
  'PUT /api/v1/students/{id}/credits/grants/{lot}/waiver': { dispensada: true },
  'POST /api/v1/charges/{id}/payments/{payment}/refund': {
    valor: 100,
    valor_atual: 100,
    creditos: 0,
    motivo: 'porque sim',
  },
  'POST /api/v1/transactions/{id}/receipt': {
    nome: 'Outra',
    cpf: null,
    descricao: 'Outra coisa',
    de: '2026-11-01',
    ate: '2026-11-30',
  },
  'POST /api/v1/transactions/{id}/correct': {
    tipo: 'despesa',
    descricao: 'Outra',
    valor: 100,
    metodo_pagamento: 'pix',
    data: '2026-11-20',
    motivo: 'porque sim',
  },
  'POST /api/v1/transactions/{id}/receipt/send': { canal: 'whatsapp' },
  'PUT /api/v1/holidays/{id}': { ativo: false },
  'PUT /api/v1/other-calendar': { link_ics: 'https://calendar.example.org/a.ics' },
  'PUT /api/v1/settings/pix/provider': {
    url_api: 'https://pix.example.org/v2',
    url_token: 'https://pix.example.org/token',
    client_id: 'c',
    client_secret: 's',
    certificado: null,
    chave_privada: null,
  },
  'PUT /api/v1/settings/whatsapp': {
    numero_id: '106540352242922',
    conta_id: '102290129340398',
    token_acesso: 't',
    client_secret: 's',
  },
  'PUT /api/v1/settings/whatsapp/kind': { tipo: 'lembrete', modelo: null },
  'PUT /api/v1/students/{id}/whatsapp-wish': { recebe: false },
  'PUT /api/v1/calendar-feed': { com_nomes: true },
  'PUT /api/v1/integrity/mail': { ativo: true },
  'PATCH /api/v1/contracts/{id}': { titulo: 'Outro título' },
  'POST /api/v1/contracts/{id}/send': { alunos: 'todos', canal: 'link' },
  'POST /api/v1/contracts/{id}/send/preview': { alunos: 'todos' },
  'POST /api/v1/signature-requests/{id}/remind': { canal: 'link' },
  'POST /api/v1/session-requests/{id}/refuse': { mensagem: 'Não consigo' },
  'PUT /api/v1/sessions/{id}/class': { ...openClass, escopo: 'so_esta' },
  'POST /api/v1/student/classes/{id}/book': { inicio: inAWeek.inicio },
  'POST /api/v1/student/classes/{id}/wait': { inicio: inAWeek.inicio },
  'POST /api/v1/student/sessions/{id}/move': { inicio: inAWeek.inicio },
  'POST /api/v1/student/sessions/{id}/request': { motivo: 'porque sim' },
  'POST /api/v1/student/signature-requests/{id}/confirm-code': { codigo: '123456' },
  'POST /api/v1/student/signature-requests/{id}/decline': { motivo: 'Não quero' },
  'POST /api/v1/student/signature-requests/{id}/sign': {
    nome: 'Bia',
    cpf: '529.982.247-25',
    telefone: '(11) 98765-4321',
    consent_data_processing: true,
    consent_terms: true,
    consentimento: consents.versao,
  },
  'POST /api/v1/calendar-feed/restore': { id: randomUUID() },
  'POST /api/v1/student/calendar-feed/restore': { id: randomUUID() },
  'PUT /api/v1/students/{id}/visitor-block': { bloqueado: true },
  'PUT /api/v1/waitlist/{id}/sent': { oferta: 1, enviada: true },
  'PUT /api/v1/waitlist/{id}/skip': { pulado: true },
};

const dayFromNow = (days: number) => addDays(new Date(), days).toISOString().slice(0, 10);
const month = dayOf(new Date()).slice(0, 7);
const queries: Record<string, Record<string, string>> = {
  'GET /api/v1/sessions/{id}/cancellation': { motivo: 'personal' },
  'GET /api/v1/sessions/groups/{id}/cancellation': { inicio: inAWeek.inicio },
  'GET /api/v1/sessions/groups/{id}/reopen/preview': { session_ids: randomUUID() },
  'GET /api/v1/sessions/undo-bookings/preview': { session_ids: randomUUID() },
  'GET /api/v1/what-if/plans/{id}': { valor: '50000' },
  'GET /api/v1/what-if/students': { alunos: randomUUID() },
  'GET /api/v1/what-if/policy': { cancel_limite_horas: '24', taxa_percent: '50', queima_credito: 'sim' },
  'GET /api/v1/what-if/hours': { dias: '0,1,2,3,4,5,6', inicio: '00:00', fim: '24:00' },
  'GET /api/v1/what-if/vacation': { start_date: dayFromNow(-30), end_date: dayFromNow(30) },
  'GET /api/v1/sessions/days': { from: `${month}-01`, to: `${month}-28` },
  'GET /api/v1/sessions/week-copy': { semana: dayFromNow(0) },
  'GET /api/v1/transactions': { month },
  'GET /api/v1/finance/owed-sessions': { month },
  'GET /api/v1/transactions/sheet': { month },
  'GET /api/v1/finance/lines': { figura: 'recebido', de: `${month}-01`, ate: `${month}-28` },
  'GET /api/v1/finance/months/{month}/forecast': { at: `${month}-01T03:00:00Z` },
  'GET /api/v1/finance/months/{month}/changes': { at: `${month}-01T03:00:00Z` },
  'GET /api/v1/search': { q: 'zuleika' },
  'GET /api/v1/series/preview': {
    data: dayFromNow(60),
    hora: '05:00',
    dias: '2,4',
    duracao: '60',
    intervalo: '1',
    vezes: '2',
  },
  'GET /api/v1/free-times': { from: inAWeek.inicio, to: inAWeek.fim },
  'GET /api/v1/holidays': { from: dayFromNow(0), to: dayFromNow(60) },
  'GET /api/v1/students/{id}/dossier': { de: dayFromNow(-60), ate: dayFromNow(0) },
  'GET /api/v1/students/{id}/dossier/file': { de: dayFromNow(-60), ate: dayFromNow(0) },
  'GET /api/v1/students/{id}/merge': { com: randomUUID() },
  'GET /api/v1/students/{id}/pause/preview': { ate: dayFromNow(3) },
  'GET /api/v1/vacations/preview': { start_date: dayFromNow(60), end_date: dayFromNow(65) },
};

/** Path parameters that belong to no tenant. Tokens of links and codes of signatures are themselves the key; slugs are public. */
const withoutOwner: Record<string, string> = {
  month,
  year: month.slice(0, 4),
  data: dayFromNow(30),
  token: 'nonsense',
  slug: 'nonsense',
  code: 'nonsense',
  cep: '01001000',
  file: 'rendimentos',
  sha256: 'a'.repeat(64),
};
const hasOwner = ({ path }: ApiRoute) =>
  [...path.matchAll(/\{(\w+)\}/g)].some(([, name]) => !(name! in withoutOwner));

/** The route's address with parameter values: `choose` gets the id of `own`'s entity. */
const address = ({ path }: ApiRoute, choose: (id: string) => string): string =>
  path.replaceAll(/([\w-]+)\/\{(\w+)\}/g, (_, word: string, name: string) => {
    const id = owned[name === 'id' ? word : name];
    const value = withoutOwner[name] ?? (id && choose(id));
    if (!value) throw new Error(`${path}: this test does not know what {${name}} names`);
    return `${word}/${value}`;
  });
const itself = (id: string) => id;

const askWith = (
  client: Client,
  route: ApiRoute,
  choose: (id: string) => string,
  query: Record<string, string> = {},
) =>
  client.request<Record<string, unknown>>(route.method, address(route, choose), {
    body: bodies[nameOf(route)] ?? (['GET', 'DELETE'].includes(route.method) ? undefined : {}),
    query: { ...queries[nameOf(route)], ...query },
  });

/** The ids that appear in the answers of all GET routes without an id. */
async function idsRead(client: Client, ids: string[]): Promise<string[]> {
  const read: string[] = [];
  // Routes that need a subject, student, session, token, code or slug; other tests call them.
  const named = [
    'GET /api/v1/sessions/undo-bookings/preview',
    'GET /api/v1/history',
    'GET /api/v1/invites/{token}',
    'GET /api/v1/pay/{token}',
    'GET /api/v1/public/pages/{slug}',
    'GET /api/v1/signature-links/{token}',
    'GET /api/v1/signature-requests',
    'GET /api/v1/letter-links/{token}',
    'GET /api/v1/student/why',
    'GET /api/v1/why',
    // No month is delivered.
    'GET /api/v1/finance/months/{month}/delivery/preview',
    // A postal code is looked up at another service.
    'GET /api/v1/postal-codes/{cep}',
    'GET /api/v1/contract-files/{sha256}',
  ];
  for (const route of routes.filter((each) => each.method === 'GET' && !hasOwner(each))) {
    if (named.includes(nameOf(route))) continue;
    // Where a route can answer as a moment knew it, also so.
    const required = route.operation.parameters?.find(({ name }) => name === 'at')?.required;
    const moments: Record<string, string>[] =
      required === undefined ? [{}] : [...(required ? [] : [{}]), { at: new Date().toISOString() }];
    for (const at of moments) {
      const { status, body } = await askWith(client, route, itself, at);
      if (status !== 403) expect([nameOf(route), status]).toEqual([nameOf(route), 200]);
      // The file of an empty sheet has no body.
      read.push(JSON.stringify(body) ?? '');
    }
  }
  return ids.filter((id) => read.some((text) => text.includes(id)));
}

const isOpen = (route: ApiRoute) => [...openRoutes.anybody, ...openRoutes.signedIn].includes(nameOf(route));

describe("another tenant's ids", () => {
  it('are answered by every route as a random id is, and nothing is written', async () => {
    // Without students' routes, which refuse every trainer.
    const withId = routes.filter((each) => hasOwner(each) && !openRoutes.aluno.includes(nameOf(each)));
    expect(withId.length).toBeGreaterThan(40);
    const before = await countEvents();
    for (const route of withId) {
      const ask = async (choose: (id: string) => string) => {
        const { status, body } = await askWith(stranger.api, route, choose);
        const { instance: _instance, ...said } = body;
        return { route: nameOf(route), status, said };
      };
      const foreign = await ask(itself);
      expect(foreign).toEqual(await ask(() => randomUUID()));
      expect(foreign).toMatchObject({ route: nameOf(route), status: 404 });
    }
    expect(await countEvents()).toBe(before);
  });

  it('are in no list, summary or search of anybody else, but in those of their owner', async () => {
    const ids = [...Object.values(owned), own.userId, own.tenantId];
    // These are read only by routes with an id: of the contract or of the student.
    const elsewhere = [
      ownDay.requestId,
      ownDay.noteId,
      owned.transfers,
      owned['student-merges'],
      owned.change,
    ];
    const listed = ids.filter((id) => !elsewhere.includes(id));
    expect(await idsRead(own.api, ids)).toEqual(listed);
    expect(await idsRead(stranger.api, ids)).toEqual([]);
  });

  it('find in a query what random ones find', async () => {
    const naming = routes.flatMap((route) =>
      (route.operation.parameters ?? [])
        .filter((each) => each.in === 'query' && JSON.stringify(each).includes('"uuid"'))
        .map(({ name }) => ({ route, name })),
    );
    expect(naming.map(({ route, name }) => `${nameOf(route)} ${name}`)).toEqual(
      expect.arrayContaining(['GET /api/v1/sessions student_id', 'GET /api/v1/tasks list_id']),
    );
    for (const { route, name } of naming) {
      // The caller's own id in the path, so that only the id in the query is foreign.
      const found = async (id: string) => {
        const { status, body } = await askWith(stranger.api, route, itself, { [name]: id });
        const { instance: _instance, ...said } = body;
        return { route: nameOf(route), status, said };
      };
      const random = await found(randomUUID());
      for (const id of Object.values(owned)) expect(await found(id)).toEqual(random);
    }
  });

  it('open no route with the header that chooses the tenant', async () => {
    const before = await countEvents();
    for (const route of routes.filter((each) => !isOpen(each))) {
      const answer = await stranger.api.request<{ code: string }>(route.method, address(route, itself), {
        body: bodies[nameOf(route)] ?? (['GET', 'DELETE'].includes(route.method) ? undefined : {}),
        query: queries[nameOf(route)] ?? {},
        headers: { 'Rende-Tenant': own.tenantId },
      });
      expect([nameOf(route), answer.status, answer.body.code]).toEqual([
        nameOf(route),
        404,
        'accounts.tenant_not_found',
      ]);
    }
    expect(await countEvents()).toBe(before);
  });

  it('are refused inside a body as random ones are', async () => {
    const { studentId, planId, locationId, taskId, taskListId } = ownDay;
    const { body: mine } = await stranger.api.post('/students', {
      nome: 'Minha',
      telefone: '(11) 98765-4321',
    });
    const { body: myTask } = await stranger.api.post('/tasks', { titulo: 'Minha' });
    const { body: myList } = await stranger.api.post('/task-lists', { nome: 'Minha' });
    const before = await countEvents();
    const due = { descricao: 'Plano', valor: 100, vencimento: '2030-12-01' };
    const line = { chave: 'ofx/1', valor: 100, data: '2026-11-20' };
    const attempts: [string, string, (id: string) => unknown, string][] = [
      ['POST', '/sessions', (id) => ({ student_id: id, ...inAWeek }), studentId],
      ['POST', '/sessions', (id) => ({ student_id: mine.id, location_id: id, ...inAWeek }), locationId],
      ['POST', '/series', (id) => ({ student_id: id, ...weekly }), studentId],
      ['POST', '/series', (id) => ({ student_id: mine.id, location_id: id, ...weekly }), locationId],
      ['POST', '/series', (id) => ({ student_id: mine.id, outros_alunos: [id], ...weekly }), studentId],
      ['POST', '/sessions/groups', (id) => ({ student_ids: [mine.id, id], ...inAWeek }), studentId],
      ['POST', '/sessions/week-copy', (id) => ({ session_ids: [id] }), ownDay.sessionId],
      ['POST', '/sessions/undo-bookings', (id) => ({ session_ids: [id] }), ownDay.sessionId],
      ['POST', '/students', (id) => ({ nome: 'Bia', telefone: '(11) 98765-4321', plano_id: id }), planId],
      ['PATCH', `/students/${mine.id}`, (id) => ({ plano_id: id }), planId],
      [
        'PATCH',
        `/students/${mine.id}`,
        (id) => ({
          mensalidade: { plano_id: id, valor: 1, desde: '2026-12-01', ate: null, vence_dia: 5 },
          se_ainda: {},
        }),
        planId,
      ],
      ['POST', '/charges', (id) => ({ student_id: id, ...due }), studentId],
      ['POST', '/charges', (id) => ({ student_id: mine.id, plano_id: id, ...due }), planId],
      ['POST', '/charges', (id) => ({ student_id: mine.id, session_id: id, ...due }), ownDay.sessionId],
      [
        ...(['POST', '/charges/sessions'] as const),
        (id) => ({ student_id: mine.id, session_ids: [id], total: 6_000 }),
        ownDay.sessionId,
      ],
      ['POST', '/charges/cancel', (id) => ({ ids: [id] }), ownDay.chargeId],
      ['POST', '/bank-lines/settle', (id) => ({ ...line, charge_id: id }), ownDay.chargeId],
      ['POST', '/students/bulk', (id) => ({ acao: 'inativar', ids: [id] }), studentId],
      ['POST', '/tasks', (id) => ({ titulo: 'Bia', list_id: id }), taskListId],
      ['PATCH', `/tasks/${myTask.id}`, (id) => ({ list_id: id }), taskListId],
      ['POST', `/tasks/${myTask.id}/move`, (id) => ({ depois_de: id }), taskId],
      ['POST', '/tasks/restore', (id) => ({ ids: [id] }), taskId],
      ['POST', `/task-lists/${myList.id}/move`, (id) => ({ antes_de: id }), taskListId],
      ['POST', `/task-lists/${myList.id}/delete`, (id) => ({ tarefas: 'mover', para: id }), taskListId],
    ];
    for (const [method, path, body, foreign] of attempts) {
      const ask = async (id: string) => {
        const { status, body: problem } = await stranger.api.request<{ code: string }>(
          method,
          `/api/v1${path}`,
          {
            body: body(id),
          },
        );
        return { path, status, code: problem.code };
      };
      const answer = await ask(foreign);
      expect(answer).toEqual(await ask(randomUUID()));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.status).toBeLessThan(500);
    }
    expect(await countEvents()).toBe(before);
  });

  it('are explained by no chain', async () => {
    const { studentId, lotId, sessionId, chargeId, transactionId, requestId, pixId } = ownDay;
    const things = { balance: studentId, lot: lotId, session: sessionId, charge: chargeId };
    const others = { pause: studentId, receipt: transactionId, signature: requestId, pix: pixId };
    for (const [kind, id] of Object.entries({ ...things, ...others, transaction: transactionId })) {
      const ask = ({ api }: Trainer) => api.request('GET', '/api/v1/why', { query: { de: `${kind}:${id}` } });
      const [known, foreign] = [await ask(own), await ask(stranger)];
      expect([kind, known.status, foreign.status]).toEqual([kind, 200, 404]);
    }
    const { vencimento } = (await own.api.get<ChargeDetail>(`/charges/${chargeId}`)).body;
    const expectedBy = async ({ api }: Trainer) => {
      const ask = async (de: string) => (await api.get<Why>('/why', { query: { de } })).body.elos;
      const parts = (await ask(`expected:${vencimento.slice(0, 7)}`)).slice(1);
      return (await Promise.all(parts.map(({ de }) => ask(de!)))).flat().map(({ de }) => de);
    };
    expect(await expectedBy(own)).toContain(`charge:${chargeId}`);
    expect(await expectedBy(stranger)).not.toContain(`charge:${chargeId}`);
  });

  it('have no history, and a foreign Rende-Tenant is refused as a random one is', async () => {
    const historyOf = async (id: string) => {
      const { status, body } = await stranger.api.request<{ code: string }>('GET', '/api/v1/history', {
        query: { subject: `student:${id}` },
      });
      return { status, code: body.code };
    };
    expect(await historyOf(ownDay.studentId)).toEqual(await historyOf(randomUUID()));
    expect(await historyOf(ownDay.studentId)).toMatchObject({ status: 404 });
    const as = async (tenant: string) =>
      (await stranger.api.request('GET', '/api/v1/students', { headers: { 'Rende-Tenant': tenant } })).status;
    expect(await as(own.tenantId)).toBe(await as(randomUUID()));
    expect(await as(own.tenantId)).toBeGreaterThanOrEqual(400);
  });
});

describe('a student of the same trainer', () => {
  it("is refused by every route of the trainer, and reads nothing of the trainer's or of another student", async () => {
    const { body: bia } = await own.api.post('/students', { nome: 'Bia', telefone: '(11) 98765-4321' });
    const student = await studentAccount(app, own, bia.id, 'Bia');
    const before = await countEvents();
    const forStudents = [...openRoutes.anybody, ...openRoutes.signedIn, ...openRoutes.aluno];
    for (const route of routes.filter((each) => !forStudents.includes(nameOf(each)))) {
      const { status, body } = await askWith(student.api, route, itself);
      expect([nameOf(route), status, body.code]).toEqual([nameOf(route), 403, 'accounts.access_denied']);
    }
    for (const route of routes.filter((each) => openRoutes.signedIn.includes(nameOf(each)) && hasOwner(each)))
      expect([nameOf(route), (await askWith(student.api, route, itself)).status]).toEqual([
        nameOf(route),
        404,
      ]);
    const ofStudents = routes.filter((each) => openRoutes.aluno.includes(nameOf(each)) && hasOwner(each));
    expect(ofStudents.length).toBeGreaterThan(8);
    for (const route of ofStudents)
      expect([nameOf(route), (await askWith(student.api, route, itself)).status]).toEqual([
        nameOf(route),
        404,
      ]);
    for (const route of routes.filter((each) => openRoutes.aluno.includes(nameOf(each)))) {
      const as = await student.api.request<{ code: string }>(route.method, address(route, itself), {
        body: route.method === 'GET' ? undefined : (bodies[nameOf(route)] ?? {}),
        headers: { 'Rende-Student': ownDay.studentId },
      });
      expect([nameOf(route), as.status, as.body.code]).toEqual([
        nameOf(route),
        404,
        'accounts.student_not_found',
      ]);
    }
    // Students may read the locations.
    expect(await idsRead(student.api, Object.values(owned))).toEqual([owned.locations]);
    expect(await countEvents()).toBe(before);
  });
});

describe("the application's role alone, with no where", () => {
  it('sees nothing of another tenant, and without a tenant nothing at all', async () => {
    const app = await connect(database.environment.DATABASE_URL);
    const { rows: tables } = await app.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'read', 'auth')
         and has_table_privilege(c.oid, 'select') order by 1`,
    );
    expect(tables.length).toBeGreaterThan(15);
    let seen = 0;
    for (const { name } of tables) {
      await app.query('begin');
      const without = await app.query(`select from ${name}`);
      await app.query("select set_config('app.tenant', $1, true)", [stranger.tenantId]);
      const { rows } = await app.query<{ tenant_id: string }>(`select distinct tenant_id from ${name}`);
      await app.query('commit');
      expect({ name, without: without.rowCount }).toEqual({ name, without: 0 });
      expect({ name, foreign: rows.filter(({ tenant_id }) => tenant_id !== stranger.tenantId) }).toEqual({
        name,
        foreign: [],
      });
      seen += rows.length;
    }
    expect(seen).toBeGreaterThan(10);
  });

  it('writes nothing for another tenant', async () => {
    const app = await connect(database.environment.DATABASE_URL);
    await app.query('begin');
    await app.query("select set_config('app.tenant', $1, true)", [stranger.tenantId]);
    await expect(
      app.query("insert into person_keys (tenant_id, person_id, wrapped_key) values ($1, $1, '\\x00')", [
        own.tenantId,
      ]),
    ).rejects.toThrow('row-level security');
    await app.query('rollback');
  });

  it('has row security forced on every table with a tenant', async () => {
    const open = await database.query(
      `select c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
       join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
       where c.relkind in ('r', 'p') and n.nspname in ('public', 'read', 'auth')
         and not (c.relrowsecurity and c.relforcerowsecurity)`,
    );
    expect(open).toEqual([]);
  });

  it('reaches tenants without one only through the known functions', async () => {
    const functions = await database.query<{ name: string; config: string[] | null }>(
      `select p.oid::regprocedure::text as name, p.proconfig as config from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace
       where p.prosecdef and n.nspname not in ('pg_catalog', 'information_schema') order by 1`,
    );
    for (const { name, config } of functions) {
      expect({ name, config }).toEqual({ name, config: [expect.stringMatching(/^search_path=/)] });
    }
    expect(functions.map(({ name }) => name)).toMatchSnapshot();
  });
});
