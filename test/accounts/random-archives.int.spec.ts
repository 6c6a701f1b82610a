import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { addDays } from 'date-fns';
import fc from 'fast-check';
import type { Charge, ChargePage } from '../../backend/modules/charges/charges.api.js';
import { consents, type RequestPage, type Signable } from '../../backend/modules/contracts/contracts.api.js';
import type { TransactionPage } from '../../backend/modules/finance/finance.api.js';
import type { ShownReceipt } from '../../backend/modules/receipts/receipts.api.js';
import { begin, type Command, histories, type Ids, monthOf, requestOf } from '../faults/random/commands.js';
import { HOUR, START } from '../faults/random/facts.js';
import { followed } from '../proof/read-tables.js';
import { apiRoutes, nameOf, openRoutes } from '../proof/routes.js';
import { startApp, type TestApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import type { Client } from '../support/client.js';
import { dayOf, SetClock } from '../support/clock.js';
import { createDatabase, type TestDatabase, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { textOf } from '../support/pdf-text.js';
import { signUp, type Trainer } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';
import { ARCHIVE, copyFrom, partOf, saidByArchive, saidByFiles } from './archived.js';
import { speaker } from './own-data.js';
import { signIn } from './people.js';

const MONTHS = [0, 1, 2, 3].map(monthOf);

const clock = new SetClock(new Date(START));
const source = await testDatabase();
const app = await sharedApp(clock);
let folder: string;
let target: TestDatabase;
/** Without a worker, so that nothing follows the import but what the import does. */
let there: TestApp;
/** Reads of a trainer that need neither a parameter nor a query. */
let lists: string[];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'rende-archive-'));
  atEnd(() => rm(folder, { recursive: true }));
  target = await createDatabase();
  there = await startApp({ database: target, clock, roles: 'api' });
  const open = new Set(Object.values(openRoutes).flat());
  lists = (await apiRoutes(app))
    .filter((route) => route.method === 'GET' && !route.path.includes('{') && !open.has(nameOf(route)))
    .filter(({ operation }) => !operation.parameters?.some(({ required }) => required))
    .map(({ path: address }) => address.replace('/api/v1', ''));
});

/** What a business does besides the commands of `histories`: one thing of each kind. */
const KINDS = [
  ...(['charge', 'charge', 'pay', 'pay', 'refund', 'cancel', 'agree', 'group', 'series', 'pause'] as const),
  ...(['transfer', 'contract', 'receipt', 'vacation', 'merge', 'write', 'deliver', 'forget'] as const),
];
const thing = fc.record({
  kind: fc.constantFrom(...KINDS),
  pick: fc.nat(10_000),
  valor: fc.integer({ min: 1, max: 99_999 }),
});
type Thing = typeof thing extends fc.Arbitrary<infer Value> ? Value : never;

interface Life {
  api: Client;
  ids: Ids;
  monthly: string;
}

/** Does it if the business is in a state for it; what is refused leaves no trace. */
async function happen({ api, ids, monthly }: Life, { kind, pick, valor }: Thing): Promise<void> {
  const day = (days: number) => dayOf(addDays(clock.at, days));
  const one = <Item>(items: readonly Item[]): Item | undefined => items[pick % items.length];
  const student = one(ids.students);
  const other = ids.students[(pick + 1) % ids.students.length];
  const ask = async (method: string, route: string, body?: object) => {
    const answer = await api.request<{ id: string }>(method, `/api/v1${route}`, { body });
    const isMeant = answer.status < 300 || [404, 409, 422].includes(answer.status);
    expect([route, answer.body, isMeant]).toEqual([route, answer.body, true]);
    return answer;
  };
  const charge = async (situacao: string) =>
    one((await api.get<ChargePage>('/charges', { query: { situacao, limit: 100 } })).body.items);
  const motivo = 'combinado com Wandréia';
  switch (kind) {
    case 'charge': {
      const terms = { descricao: 'Pacote', valor, vencimento: day((pick % 20) - 10) };
      await ask('POST', '/charges', { student_id: student, plano_id: one(ids.plans), ...terms });
      return;
    }
    case 'pay': {
      const due = await charge('a_receber');
      const part = due && (pick % 3 === 0 ? Math.ceil(due.falta / 2) : due.falta);
      const body = { valor: part, data: day(0), metodo_pagamento: 'pix' };
      if (due) await ask('POST', `/charges/${due.id}/payments`, body);
      return;
    }
    case 'refund': {
      const paid = await charge('paga');
      const payments = paid && (await api.get<Charge>(`/charges/${paid.id}`)).body.pagamentos;
      const payment = one(payments ?? []);
      if (!payment) return;
      const body = { valor: payment.valor, valor_atual: payment.valor, creditos: pick % 2, motivo };
      await ask('POST', `/charges/${paid!.id}/payments/${payment.id}/refund`, body);
      return;
    }
    case 'cancel': {
      const due = await charge('a_receber');
      if (due) await ask('POST', `/charges/${due.id}/cancel`);
      return;
    }
    case 'agree': {
      const terms = { plano_id: monthly, valor, desde: `${MONTHS[pick % 4]}-01`, ate: null, vence_dia: 5 };
      await ask('PUT', `/students/${student}/monthly-plan`, terms);
      return;
    }
    case 'group': {
      if (student === other) return;
      const inicio = addDays(clock.at, 1 + (pick % 9)).toISOString();
      const fim = new Date(Date.parse(inicio) + HOUR).toISOString();
      const hour = { inicio, fim, location_id: ids.park, permitir_conflito: true };
      const { status, body } = await ask('POST', '/sessions/groups', {
        student_ids: [student, other],
        ...hour,
      });
      if (status < 300 && pick % 2) await ask('POST', `/sessions/groups/${body.id}/cancel`, { inicio });
      return;
    }
    case 'series': {
      const recurrence = {
        data: day(1),
        dias: [pick % 7],
        intervalo: 1,
        vezes: 3,
        hora: '06:00',
        duracao: 60,
      };
      await ask('POST', '/series', { student_id: student, ...recurrence });
      return;
    }
    case 'pause':
      await ask('PUT', `/students/${student}/pause`, { ate: pick % 3 === 0 ? null : day(pick % 15) });
      return;
    case 'transfer': {
      const body = { para: other, quantidade: 1 + (pick % 2), motivo };
      await ask('POST', `/students/${student}/credits/transfer`, body);
      return;
    }
    case 'contract': {
      const { body } = await ask('POST', '/contracts', {
        titulo: `Contrato ${valor}`,
        conteudo: '<p>{{aluno}}, {{plano}}</p>',
      });
      await ask('POST', `/contracts/${body.id}/send`, { alunos: [student], canal: 'link' });
      const { items } = (await api.get<RequestPage>(`/contracts/${body.id}/requests`)).body;
      const token = items[0]?.url?.split('/').at(-1);
      if (!token) return;
      if (pick % 3 === 0) {
        await ask('POST', '/signature-links/decline', { token, motivo });
        return;
      }
      await ask('POST', '/signature-links/sign', {
        token,
        nome: 'Pessoa Assinante',
        cpf: '529.982.247-25',
        telefone: '(41) 91234-5678',
        consent_data_processing: true,
        consent_terms: true,
        consentimento: consents.versao,
        nascimento: '1990-01-31',
      });
      // A job makes the PDF, and notes it in the log.
      const copy = async () => (await api.get<Signable>(`/signature-links/${token}`)).body.prova?.tem_pdf;
      await eventually(copy, true);
      return;
    }
    case 'receipt': {
      const month = MONTHS[pick % 4]!;
      const { items } = (await api.get<TransactionPage>('/transactions', { query: { month, limit: 100 } }))
        .body;
      const receita = one(items.filter(({ tipo, valor: amount }) => tipo === 'receita' && amount > 0));
      const payer = { nome: 'Pessoa Pagante', cpf: '529.982.247-25', descricao: 'Aulas' };
      const body = { ...payer, de: `${month}-01`, ate: `${month}-28` };
      if (receita) await ask('POST', `/transactions/${receita.id}/receipt`, body);
      return;
    }
    case 'vacation':
      await ask('POST', '/vacations', {
        start_date: day(20 + pick),
        end_date: day(22 + pick),
        description: 'Praia',
      });
      return;
    case 'merge':
      await ask('POST', `/students/${student}/merge`, { com: other });
      return;
    case 'write':
      await ask('POST', `/students/${student}/notes`, { dia: day(0), texto: `anotação ${valor}` });
      await ask('PUT', `/students/${student}/tags`, { etiquetas: [`turma ${pick % 3}`] });
      await ask('POST', '/tasks', { titulo: `Ligar ${valor}`, data_vencimento: day(pick % 9) });
      return;
    case 'deliver':
      await ask('PUT', `/finance/months/${MONTHS[pick % 4]}/delivery`);
      return;
    case 'forget':
      await ask('POST', `/students/${student}/forget`);
  }
}

/** A new trainer with this life. */
async function live(steps: readonly (Command | Thing)[]): Promise<{ trainer: Trainer; ids: Ids }> {
  clock.at = new Date(START);
  const trainer = await signUp(app, { nome: 'Carla Dias' });
  const { api } = trainer;
  const ids = await begin(trainer);
  const plan = { nome: 'Mensal 8', valor: 48_000, creditos: 8, tipo: 'mensal' };
  const monthly = (await api.post('/plans', plan)).body.id;
  await api.put('/settings/receipts', {
    nome: 'Estúdio',
    documento: '11.222.333/0001-81',
    cref: '012345-G/SP',
    cidade: 'Recife',
  });
  await api.put('/settings/make-up', { ativo: true, teto_percent: 100, prazo_meses: 1 });
  for (const step of steps) {
    if ('kind' in step) await happen({ api, ids, monthly }, step);
    else if (step.type === 'wait') clock.at = new Date(clock.at.getTime() + step.hours * HOUR);
    else {
      const [method, route, body, makes] = requestOf(step, ids);
      const answer = await api.request<{ id: string }>(method, `/api/v1${route}`, { body });
      if (makes && answer.status < 300) (ids[makes] as string[]).push(answer.body.id);
    }
  }
  await followed(source);
  return { trainer, ids };
}

interface Side {
  url: string;
  api: Client;
  accessToken: string;
}

/** What the pages of the business show, and the files that they give, by route. */
async function shownBy({ url, api, accessToken }: Side, { students, sessions, transactions }: Ids) {
  const of = (all: string[], ...routes: string[]) =>
    all.flatMap((id) => routes.map((route) => route.replace('{id}', id)));
  const routes = [
    ...lists,
    ...of(MONTHS, '/finance/months/{id}', '/transactions?month={id}&limit=100'),
    ...of(MONTHS, '/finance/owed-sessions?month={id}'),
    ...of(
      ['recebido', 'despesas', 'previsto', 'ainda_entra'],
      '/finance/lines?figura={id}&de=2026-03-01&ate=2026-06-30&limit=100',
    ),
    '/finance/years/2026',
    ...of(students, '/students/{id}', '/students/{id}/credits?limit=100', '/students/{id}/monthly-plan'),
    ...of(students, '/students/{id}/payments', '/students/{id}/notes', '/why?de=balance:{id}'),
    ...of(students, '/history?subject=student:{id}'),
    ...of(sessions, '/sessions/{id}', '/history?subject=session:{id}'),
    ...of(transactions, '/transactions/{id}/receipt', '/transactions/{id}/allocations'),
  ];
  const shown = new Map<string, unknown>();
  for (const route of routes) {
    // A refusal names its request.
    const { instance: _request, ...body } = (
      await api.request<{ instance?: string }>('GET', `/api/v1${route}`)
    ).body;
    shown.set(route, body);
  }
  const links = transactions.flatMap((id) => {
    const { recibo } = shown.get(`/transactions/${id}/receipt`) as ShownReceipt;
    return recibo ? [new URL(recibo.link).pathname] : [];
  });
  const files = of(MONTHS, '/finance/months/{id}/carne-leao', '/finance/months/{id}/report');
  for (const route of [...files.map((file) => `/api/v1${file}`), ...links]) {
    const answer = await fetch(`${url}${route}`, { headers: { authorization: `Bearer ${accessToken}` } });
    const bytes = Buffer.from(await answer.arrayBuffer());
    shown.set(route, bytes.subarray(0, 4).toString() === '%PDF' ? textOf(bytes) : bytes.toString('latin1'));
  }
  return shown;
}

/** Signs in the imported trainer with the password that the account has where it comes from. */
async function imported(trainer: Trainer): Promise<Side> {
  const [{ hash }] = (await source.query('select password_hash as hash from auth.users where id = $1', [
    trainer.userId,
  ])) as [{ hash: string }];
  await target.query('update auth.users set password_hash = $2 where id = $1', [trainer.userId, hash]);
  const { data } = await signIn(there.url, trainer);
  const accessToken = data.session!.access_token;
  return { url: there.url, accessToken, api: speaker(there, accessToken) };
}

const lives = fc
  .record({ commands: histories(30), things: fc.array(thing, { minLength: 10, maxLength: 25, size: 'max' }) })
  .map(({ commands, things }) => {
    const each = Math.ceil(commands.length / things.length);
    return things.flatMap((one, at) => [...commands.slice(at * each, (at + 1) * each), one]);
  });

it('a random life is whole in its archive, and the same in the Rende that imports it', async () => {
  const seed = Date.now() % 2 ** 31;
  process.stderr.write(`random archives: seed ${seed}\n`);
  const property = fc.asyncProperty(lives, async (steps) => {
    const { trainer, ids } = await live(steps);
    const copy = await copyFrom(app, trainer);
    const file = path.join(folder, `${trainer.tenantId}.jsonl`);
    await writeFile(file, partOf(copy, ARCHIVE));
    const verifier = path.join(folder, 'verificar-arquivo.mjs');
    await writeFile(verifier, partOf(copy, 'verificar-arquivo.mjs'));
    const { stdout } = await promisify(execFile)(process.execPath, [verifier, file]);
    expect(stdout).toContain('Inteiro');
    expect(await runCli(target, ['archive:import', file])).toMatchObject({ code: 0 });

    const after = await copyFrom(there, trainer);
    expect(saidByFiles(after)).toEqual(saidByFiles(copy));
    expect(saidByArchive(partOf(after, ARCHIVE))).toEqual(saidByArchive(partOf(copy, ARCHIVE)));
    const side = await imported(trainer);
    const before = await shownBy({ url: app.url, ...trainer }, ids);
    for (const [route, body] of await shownBy(side, ids))
      expect([route, body]).toEqual([route, before.get(route)]);
    expect(await runCli(target, ['audit:verify'])).toMatchObject({ code: 0 });
  });
  await fc.assert(property, { seed, numRuns: rounds(2, 30), endOnFailure: true });
});
