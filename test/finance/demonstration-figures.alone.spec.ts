import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { addDays, addMonths } from 'date-fns';
import { anyAddress } from '../support/addresses.js';
import { startApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { signIn } from '../accounts/people.js';
import { caughtUp } from '../proof/read-tables.js';
import { apiRoutes, openRoutes } from '../proof/routes.js';
import {
  expectHistoryToAddUp,
  expectMonthToAddUp,
  expectReceivablesToAddUp,
  expectYearToAddUp,
} from './figures.js';

/** Every how many-th student and entry of `npm run demo` is created. */
const EVERY = 6;
const NOW = new Date();
/** A day in the trainer's zone, this number of days after today. */
const day = (days: number) =>
  addDays(NOW, days).toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' });
const thisMonth = day(0).slice(0, 7);
const months = Array.from({ length: 15 }, (_, n) =>
  addMonths(new Date(`${thisMonth}-15T12:00:00Z`), n - 13)
    .toISOString()
    .slice(0, 7),
);

let api: Client;
let login: { email: string; password: string };
let studentLogin: typeof login;

beforeAll(async () => {
  const database = await testDatabase();
  const app = await startApp({ clock: new SetClock(NOW) });
  const env = { PATH: process.env.PATH, RENDE_URL: app.url };
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['infra/demo/demo.mjs', '--every', String(EVERY)],
    { env },
  );
  const [, email, password] = /e-mail +(\S+)\s+senha +(\S+)/.exec(stdout)!;
  await caughtUp(database);
  const [, studentsEmail, studentsPassword] = /^Aluno .*: (\S+) \/ (\S+)$/m.exec(stdout)!;
  login = { email: email!, password: password! };
  studentLogin = { email: studentsEmail!, password: studentsPassword! };
  const { data } = await signIn(app.url, login);
  const accessToken = data.session!.access_token;
  api = new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });
});

it.each(months)('every figure of %s of the demonstration is the sum of its lines', async (month) => {
  await expectMonthToAddUp(api, month);
  await expectHistoryToAddUp(api, month);
});

it('the months of the demonstration contain payments', async () => {
  const all = await Promise.all(months.map((month) => expectMonthToAddUp(api, month)));
  // Which months have unpaid charges depends on the day and hour of the run.
  for (const figure of ['recebido', 'despesas', 'previsto'] as const)
    expect(all.reduce((sum, month) => sum + month[figure], 0)).toBeGreaterThan(0);
});

it.each([...new Set(months.map((month) => month.slice(0, 4)))])(
  'every figure of the year %s of the demonstration is the sum of its months',
  (ano) => expectYearToAddUp(api, ano),
);

it('the debts of the students of the demonstration are the sum of their open charges', async () => {
  const open = await expectReceivablesToAddUp(api, [
    ['a_vencer', day(1), '9'],
    ['hoje', day(0), day(0)],
    ['ate_7', day(-7), day(-1)],
    ['ate_30', day(-30), day(-8)],
    ['mais', '', day(-31)],
  ]);
  expect(open).toBeGreaterThan(0);
});

/** Milliseconds that the first thread of a process has computed, however busy the machine is. */
const computed = (pid: number) =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

/** What takes a machine 20 ms that nothing else keeps busy, measured by work of a fixed size; less on a fast one. */
function allowance(): number {
  const rows = Array.from({ length: 4_000 }, (_, n) => ({ id: `${n}`, nome: 'Ana Souza', valor: n * 1_111 }));
  const rounds = Array.from({ length: 5 }, () => {
    const before = computed(process.pid);
    for (let n = 0; n < 4; n += 1) JSON.parse(JSON.stringify(rows));
    return computed(process.pid) - before;
  });
  return Math.max(20, Math.min(...rounds));
}

/** How routes are asked that need a query. */
const queriesOf = (student: string): Record<string, Record<string, string>> => ({
  sessions: { from: `${day(-30)}T03:00:00Z`, to: `${day(30)}T03:00:00Z`, limit: '100' },
  'sessions/days': { from: day(-7), to: day(14), primeiras: '2' },
  'sessions/week-copy': { semana: day(-7) },
  'sessions/{id}/cancellation': { motivo: 'aluno_fora_do_prazo' },
  'locations/{id}/policy/preview': { cancel_limite_horas: '24', taxa_percent: '50', queima_credito: 'sim' },
  'free-times': { from: `${day(0)}T03:00:00Z`, to: `${day(7)}T03:00:00Z` },
  'vacations/preview': { start_date: day(1), end_date: day(30), semanas: '5' },
  holidays: { from: day(0), to: day(365) },
  'series/preview': { data: day(1), hora: '07:00', duracao: '60', dias: '1,3', intervalo: '1' },
  'signature-requests': { student_id: student },
  transactions: { month: thisMonth },
  'students/{id}/pause/preview': { ate: day(10) },
  'finance/months/{month}/changes': { at: new Date(Date.now() - 1000).toISOString() },
  'transactions/sheet': { month: thisMonth },
  'finance/lines': { figura: 'previsto', de: day(-365), ate: day(30) },
  history: { subject: `student:${student}` },
  search: { q: 'an' },
});

/** Where what an address names is found, unless it is the first item of the list before it: in what other routes answer. */
const named: [address: RegExp, found: RegExp | string][] = [
  [/\{month\}/, thisMonth],
  [/\{year\}/, thisMonth.slice(0, 4)],
  [/carne-leao-web\/\{file\}/, 'rendimentos'],
  [/invites\/\{token\}/, /\/convite\/([\w-]+)/],
  [/signature-links\/\{token\}/, /\/assinar\/([\w-]+)/],
  [/pay\/\{token\}/, /\/pagar\/([\w-]+)/],
  [/\{slug\}/, /"slug":"([\w-]+)"/],
  [/groups\/\{id\}/, /"grupo_id":"([\w-]+)"/],
  [/series\/\{id\}/, /"serie_id":"([\w-]+)"/],
  [/^signature-requests\/\{id\}/, /"id":"([\w-]+)","student_id"[^}]*"estado":"assinado"/],
  [/payments\/\{id\}\/receipt/, /"id":"([\w-]+)"[^}]*"recibo":\d/],
];
/** They ask another service, send a file that a job wrote, or are about what the demonstration has none of. */
const elsewhere = [
  ...['postal-codes/{cep}', 'account/exports/{export}/file', 'letter-links/{token}', 'confirmations/{token}'],
  ...['contract-codes/{code}', 'contract-files/{sha256}', 'receipt-codes/{code}'],
  'student/signature-requests/{id}/pdf',
];

(existsSync('/proc/self/schedstat') ? it : it.skip)(
  'no route that reads keeps the event loop from other requests for more than 20 ms',
  async () => {
    const { url, pid } = await startProcess({ roles: 'api' });
    const clientOf = async (of: typeof login) => {
      const { data } = await signIn(url, of);
      const accessToken = data.session!.access_token;
      return new Client(url, { accessToken, address: anyAddress(), positions: new Map() });
    };
    const [trainer, student] = [await clientOf(login), await clientOf(studentLogin)];
    const { items } = (await trainer.get<{ items: { id: string }[] }>('/students')).body;
    const queries = queriesOf(items[0]!.id);
    const invite = await trainer.post<object>(`/students/${items[0]!.id}/invites`);
    const lines = Array.from({ length: 100 }, (_, n) => ({
      ...{ chave: `ofx/${n}`, data: day(-n), valor: 10_000 + n * 500, texto: 'PIX RECEBIDO ANA SOUZA' },
    }));
    const bodies: Record<string, object> = {
      'bank-lines/compare': { linhas: lines },
      'contracts/{id}/send/preview': { alunos: items.map(({ id }) => id) },
    };
    const routes = (await apiRoutes({ url })).flatMap(({ method, path }) =>
      method === 'GET' ? [path.replace('/api/v1/', '')] : [],
    );
    // Those without parameters first: the others are named by what these answer.
    const inOrder = [...routes, ...Object.keys(bodies), '/p/{slug}'].toSorted(
      (one, other) => one.split('{').length - other.split('{').length,
    );
    const answers = new Map([['', JSON.stringify(invite.body)]]);
    const measured: [path: string, status: number, ms: number][] = [];
    for (const path of inOrder.filter((one) => !elsewhere.includes(one))) {
      const client = openRoutes.aluno.includes(`GET /api/v1/${path}`) ? student : trainer;
      const all = [...answers.values()].join('\n');
      let at = path;
      for (const [address, found] of named)
        if (address.test(path))
          at = at.replace(/\{\w+\}/, typeof found === 'string' ? found : (found.exec(all)?.[1] ?? 'none'));
      const list = answers.get(at.slice(0, Math.max(0, at.indexOf('/{'))));
      at = at.replace(/\{\w+\}/, /"id":"([\w-]+)"/.exec(list ?? '')?.[1] ?? 'none');
      const [method, body] = [path in bodies ? 'POST' : 'GET', bodies[path]];
      const query = queries[path] ?? {};
      const ask = () =>
        client.request(method, path.startsWith('/') ? at : `/api/v1/${at}`, { query, ...(body && { body }) });
      const answer = await ask();
      answers.set(path, JSON.stringify(answer.body));
      const times = [];
      for (let n = 0; n < 5; n += 1) {
        const before = computed(pid);
        await ask();
        times.push(computed(pid) - before);
      }
      measured.push([path, answer.status, Math.min(...times)]);
    }
    const most = allowance();
    expect(measured.filter(([, , ms]) => ms > most)).toEqual([]);
    expect(measured.filter(([, status]) => status >= 300)).toEqual([]);
  },
);
