import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { addDays, addMonths } from 'date-fns';
import type { MonthSummary } from '../../backend/modules/finance/finance.api.js';
import { LINES_AT_ONCE } from '../../backend/modules/student-imports/student-imports.api.js';
import { anyAddress } from '../support/addresses.js';
import { Client } from '../support/client.js';
import { type Login, startDemonstration } from '../support/demonstration.js';
import { privatePort } from '../support/ports.js';
import { startProcess, type TestProcess } from '../support/process.js';
import { signIn } from '../accounts/people.js';
import { apiRoutes, nameOf, openRoutes } from '../proof/routes.js';

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
let login: Login;
let studentLogin: Login;

beforeAll(async () => {
  const { app, trainer, student } = await startDemonstration(NOW, EVERY);
  [login, studentLogin] = [trainer, student];
  const { data } = await signIn(app.url, login);
  const accessToken = data.session!.access_token;
  api = new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });
});

it('the months of the demonstration contain payments', async () => {
  const all = await Promise.all(
    months.map(async (month) => (await api.get<MonthSummary>(`/finance/months/${month}`)).body),
  );
  // Which months have unpaid charges depends on the day and hour of the run.
  const sum = (figure: 'recebido' | 'despesas' | 'previsto') =>
    all.reduce((total, month) => total + month[figure], 0);
  for (const figure of ['recebido', 'despesas', 'previsto'] as const) expect(sum(figure)).toBeGreaterThan(0);
  // What is received was charged before, all but a few entries.
  expect(sum('previsto')).toBeGreaterThan(sum('recebido'));
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
  // Half as much again, because this loop is warm and small, and routes are neither.
  return Math.max(20, 1.5 * Math.min(...rounds));
}

/** A measured time as it would be at the machine's usual speed; only a time that is too long is compared. */
const inUsualTime = (ms: number, usual: number) => (ms > usual ? (ms * usual) / allowance() : ms);

/** How routes are asked that need a query. */
const queriesOf = (student: string, other: string): Record<string, Record<string, string>> => ({
  sessions: { from: `${day(-30)}T03:00:00Z`, to: `${day(30)}T03:00:00Z`, limit: '100' },
  'sessions/days': { from: day(-7), to: day(14), primeiras: '2' },
  'sessions/week-copy': { semana: day(-7) },
  'sessions/{id}/cancellation': { motivo: 'aluno_fora_do_prazo' },
  'free-times': { from: `${day(0)}T03:00:00Z`, to: `${day(7)}T03:00:00Z` },
  'vacations/preview': { start_date: day(1), end_date: day(30), semanas: '5' },
  holidays: { from: day(0), to: day(365) },
  'series/preview': { data: day(1), hora: '07:00', duracao: '60', dias: '1,3', intervalo: '1' },
  'signature-requests': { student_id: student },
  transactions: { month: thisMonth },
  'students/{id}/dossier': { de: day(-365), ate: day(0) },
  'students/{id}/dossier/file': { de: day(-365), ate: day(0) },
  'students/{id}/merge': { com: other },
  'students/{id}/pause/preview': { ate: day(10) },
  'finance/months/{month}/forecast': { at: new Date(Date.now() - 1000).toISOString() },
  'finance/months/{month}/changes': { at: new Date(Date.now() - 1000).toISOString() },
  'finance/owed-sessions': { month: thisMonth },
  'what-if/plans/{id}': { valor: '50000', creditos: '12' },
  'what-if/policy': { cancel_limite_horas: '24', taxa_percent: '50', queima_credito: 'sim' },
  'what-if/hours': { dias: '0,1,2,3,4,5,6', inicio: '18:00', fim: '24:00' },
  'what-if/vacation': { start_date: day(-30), end_date: day(30) },
  'what-if/students': { alunos: `${student},${other}` },
  'transactions/sheet': { month: thisMonth },
  'finance/lines': { figura: 'previsto', de: day(-365), ate: day(30) },
  history: { subject: `student:${student}` },
  why: { de: `balance:${student}` },
  'student/why': { de: 'balance:own' },
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
  [/^what-if\/plans\/\{id\}/, /"plano_id":"([\w-]+)"/],
  [/^students\/\{id\}\/dossier/, /"student_id":"([\w-]+)"/],
];
/**
 * They ask another service, send a file that a job wrote, rehearse a write that is small, or are about what the demonstration has
 * none of.
 */
const elsewhere = [
  'sessions/groups/{id}/cancellation',
  'charges/{id}/payments/{payment}/reverse/preview',
  'charges/{id}/restore/preview',
  'sessions/{id}/reopen/preview',
  'students/{id}/credits/grants/{lot}/undo/preview',
  'vacations/{id}/undo/preview',
  'student-merges/{id}/undo/preview',
  'transactions/{id}/reverse/preview',
  'student-imports/{id}/undo/preview',
  'sessions/groups/{id}/reopen/preview',
  'finance/months/{month}/delivery/preview',
  'charges/{id}/cancel/preview',
  'sessions/undo-bookings/preview',
  'payers/{id}/payments/{payment}/reverse/preview',
  'students/{id}/restore/preview',
  'students/{id}/pause/end/preview',
  'credits/transfers/{id}/undo/preview',
  'series/{id}/changes/{change}/undo/preview',
  'postal-codes/{cep}',
  'account/exports/{export}/file',
  'letter-links/{token}',
  'contract-files/{sha256}',
  'student/signature-requests/{id}/pdf',
];

type Schema = Record<string, unknown> & {
  items?: Schema;
  properties?: Record<string, Schema>;
  anyOf?: Schema[];
};
interface Size {
  characters: number;
  items: number;
}

/** How many characters and items a body of this schema has at most. A text without a limit counts as endless. */
function mostOf(schema: Schema): Size {
  const { items, properties, anyOf } = schema;
  const all = (anyOf ?? Object.values(properties ?? {})).map(mostOf);
  const join = (sizes: number[]) => (anyOf ? Math.max(...sizes) : sizes.reduce((sum, size) => sum + size, 0));
  if (anyOf ?? properties)
    return {
      characters: join(all.map(({ characters }) => characters)),
      items: join(all.map((one) => one.items)),
    };
  if (items) {
    const one = mostOf(items);
    const times = items.enum ? 0 : Number(schema.maxItems ?? Infinity);
    return { characters: times && one.characters * times, items: times * Math.max(1, one.items) };
  }
  const { type, format, pattern, maxLength = Infinity } = schema;
  const isShort = type !== 'string' || schema.enum || schema.const || format || pattern;
  return { characters: isShort ? 0 : Number(maxLength), items: 0 };
}

const text = (length: number) =>
  'Treino com calma às 7:00; '.repeat(length / 26 + 1).slice(0, length - 1) + '.';

/** They belong to visitors, who may send few, or need what the demonstration has none of. */
const notMeasured = [
  'PUT /api/v1/settings/pix/provider',
  'POST /api/v1/visits/strangers/forget',
  'POST /api/v1/public/bookings',
  'POST /api/v1/public/waitlist',
];

/** What the answers of the writes below have in common. */
interface Made {
  id: string;
  ids: string[];
  session_ids: string[];
  mudanca_id: string;
}
type Write = [path: string, body?: object];

/** The largest request of each route that takes much, or changes much at once. `n` counts the attempts at one. */
function writesOf(trainer: Client, made: Record<string, Made>) {
  interface Listed {
    items: { id: string; serie_id?: string; inicio: string; fim: string; session_ids: string[] }[];
    next?: string | null;
  }
  const page = async (path: string, query: Record<string, string> = {}) =>
    (await trainer.get<Listed>(path, { query })).body;
  const idsOf = async (path: string) => {
    const found: string[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined;) {
      const { items, next } = await page(path, { limit: '100', ...(cursor && { cursor }) });
      found.push(...items.map(({ id }) => id));
      cursor = next;
    }
    return found;
  };
  const sunday = day(70 - new Date(`${day(0)}T12:00:00Z`).getUTCDay());
  const at = (days: number, hours: number) =>
    new Date(Date.parse(`${sunday}T03:00:00Z`) + (days * 24 + hours) * 3_600_000).toISOString();
  const hour = (hours: number) => `${String(hours).padStart(2, '0')}:00`;
  const lines = (n: number, lots: number) => ({
    import_id: randomUUID(),
    linhas: Array.from({ length: LINES_AT_ONCE }, (_, linha) => ({
      linha: linha + 1,
      aluno: {
        nome: `${text(60)} ${n} ${linha}`,
        whatsapp: '(11) 98765-4321',
        email: `a${n}-${linha}@exemplo.com.br`,
      },
      saldo: Array.from({ length: lots }, (__, lot) => ({ quantidade: 1 + lot, expira_em: day(30 + lot) })),
    })),
  });
  let students: string[] = [];
  let vacation: object = {};
  let charged: object = {};
  const series = (hours: number) => ({
    student_id: students[0],
    outros_alunos: students.slice(1, 10),
    observacoes: text(2_000),
    data: sunday,
    hora: hour(hours),
    duracao: 60,
    dias: [0, 1, 2, 3, 4, 5, 6],
    intervalo: 1,
    vezes: 10,
    mesmo_assim: Array.from({ length: 10 }, (_, n) => at(n, 12).slice(0, 10)),
  });
  const formatted = (n: number) => ({
    titulo: `${text(140)} ${n}`,
    conteudo: `${n} ${'<b>a</b>'.repeat(999)}${'&lt;a '.repeat(5_000)}`,
    tipo: 'termo_aluno',
  });
  const rows = (n: number, count: number) =>
    Array.from({ length: count }, (_, row) => ({
      start_time: hour(6 + (row % 12)),
      end_time: `${hour(6 + (row % 12)).slice(0, 3)}${50 - n}`,
      is_blocked: false,
    }));
  const quarter = (instant: string, n: number) =>
    new Date(Date.parse(instant) + (n % 2 === 0 ? 15 : -15) * 60_000).toISOString();

  return {
    'POST /api/v1/student-imports': (n) => ['student-imports', lines(n, 10)],
    'POST /api/v1/students': (n) => [
      'students',
      {
        nome: text(119 - n),
        telefone: '(11) 98765-4321',
        observacoes: text(2_000),
        responsavel_nome: text(120),
      },
    ],
    'POST /api/v1/students/bulk': async (n) => {
      students = await idsOf('/students');
      return ['students/bulk', { acao: 'etiquetar', ids: students.slice(-100), etiqueta: text(29 - n) }];
    },
    'PATCH /api/v1/students/{id}': (n) => [`students/${students[0]}`, { observacoes: text(2_000 - n) }],
    'POST /api/v1/students/{id}/notes': () => [
      `students/${students[0]}/notes`,
      { dia: day(0), texto: text(2_000) },
    ],
    'PATCH /api/v1/student-notes/{id}': (n) => [
      `student-notes/${made['POST /api/v1/students/{id}/notes']!.id}`,
      { texto: text(1_999 - n) },
    ],
    'POST /api/v1/locations': async (n) => [
      'locations',
      {
        nome: text(79 - n),
        endereco: text(300),
        deslocamentos: (await idsOf('/locations')).map((location_id) => ({ location_id, minutos: 30 })),
      },
    ],
    'PATCH /api/v1/locations/{id}': async (n) => {
      const { id } = made['POST /api/v1/locations']!;
      const others = (await idsOf('/locations')).filter((other) => other !== id);
      const deslocamentos = others.map((location_id) => ({ location_id, minutos: 20 + n }));
      return [`locations/${id}`, { endereco: text(299 - n), deslocamentos }];
    },
    'POST /api/v1/sessions/groups': (n) => [
      'sessions/groups',
      {
        // In the past, where they can be done.
        student_ids: students.slice(0, 10),
        inicio: at(n - 140, 1),
        fim: at(n - 140, 2),
        observacoes: text(2_000),
        permitir_conflito: true,
      },
    ],
    'POST /api/v1/sessions/groups/{id}/reopen': async () => {
      const { id, session_ids } = made['POST /api/v1/sessions/groups']!;
      await trainer.post(`/sessions/groups/${id}/complete`, {});
      return [`sessions/groups/${id}/reopen`, { session_ids }];
    },
    'POST /api/v1/sessions': (n) => [
      'sessions',
      {
        student_id: students[0],
        inicio: at(n, 3),
        fim: at(n, 4),
        observacoes: text(2_000),
        permitir_conflito: true,
      },
    ],
    'PATCH /api/v1/sessions/{id}': (n) => [
      `sessions/${made['POST /api/v1/sessions']!.id}`,
      { observacoes: text(1_999 - n) },
    ],
    'POST /api/v1/series': (n) => ['series', series(5 + n)],
    'POST /api/v1/sessions/week-copy': async (n) => {
      if (n === 0) for (const hours of [12, 14, 16]) await trainer.post('/series', series(hours));
      const { items } = await page('/sessions/week-copy', { semana: sunday });
      const session_ids = items.flatMap((one) => one.session_ids).slice(0, 200);
      expect(session_ids).toHaveLength(200);
      return ['sessions/week-copy', { session_ids, mesmo_assim: session_ids }];
    },
    'POST /api/v1/sessions/undo-bookings': (n) => [
      'sessions/undo-bookings',
      { session_ids: made['POST /api/v1/sessions/week-copy']!.session_ids.slice(n * 20) },
    ],
    'PATCH /api/v1/sessions/{id}/series': async (n) => {
      const query = { from: at(0, 15), to: at(0, 18), limit: '100' };
      const { id, inicio, fim } = (await page('/sessions', query)).items.find((one) => one.serie_id)!;
      const times = { inicio: quarter(inicio, n), fim: quarter(fim, n) };
      return [
        `sessions/${id}/series`,
        { escopo: 'todas', observacoes: text(1_999 - n), ...times, impedidas: 'mudar' },
      ];
    },
    'POST /api/v1/vacations': async (n) => {
      if (n > 0) await trainer.post(`/vacations/${made['POST /api/v1/vacations']!.id}/undo`);
      const days = { start_date: sunday, end_date: at(6, 12).slice(0, 10), semanas: 60 };
      const { sessoes } = (
        await trainer.get<{ sessoes: { id: string; destino: { impedimento: string | null } }[] }>(
          '/vacations/preview',
          { query: days },
        )
      ).body;
      expect(sessoes.length).toBeGreaterThan(200);
      const chosen = (isFree: boolean) =>
        sessoes.filter(({ destino }) => (destino.impedimento === null) === isFree).map(({ id }) => id);
      vacation = { ...days, description: text(200), mover: chosen(true), cancelar: chosen(false) };
      return ['vacations', vacation];
    },
    'POST /api/v1/vacations/{id}/undo': async (n) => {
      const { id } =
        n > 0 ? (await trainer.post('/vacations', vacation)).body : made['POST /api/v1/vacations']!;
      return [`vacations/${id}/undo`];
    },
    'POST /api/v1/charges/sessions': async (n) => {
      const plan = (await trainer.get<{ items: { id: string; tipo: string }[] }>('/plans')).body.items.find(
        ({ tipo }) => tipo === 'pacote',
      )!;
      const known = { telefone: '(11) 98765-4321', plano_id: plan.id };
      const student_id = (await trainer.post<Made>('/students', { nome: `Devedor ${n}`, ...known })).body.id;
      const at = { inicio: `${day(-3)}T10:00:00.000Z`, fim: `${day(-3)}T11:00:00.000Z` };
      const session_ids = await Promise.all(
        Array.from({ length: 50 }, async () => {
          const { id } = (
            await trainer.post<Made>('/sessions', { student_id, ...at, permitir_conflito: true })
          ).body;
          await trainer.post(`/sessions/${id}/complete`, {});
          return id;
        }),
      );
      const { valor } = (await trainer.get<{ valor: number }>(`/sessions/${session_ids[0]!}`)).body;
      charged = { student_id, session_ids, total: 50 * valor };
      return ['charges/sessions', charged];
    },
    'POST /api/v1/charges/cancel': async (n) => {
      const { ids } =
        n > 0
          ? (await trainer.post<Made>('/charges/sessions', charged)).body
          : made['POST /api/v1/charges/sessions']!;
      return ['charges/cancel', { ids }];
    },
    'POST /api/v1/contracts': (n) => ['contracts', formatted(n)],
    'PATCH /api/v1/contracts/{id}': (n) => [
      `contracts/${made['POST /api/v1/contracts']!.id}`,
      formatted(n + 9),
    ],
    'POST /api/v1/contracts/{id}/send/preview': async (n) => {
      if (n === 0)
        for (const more of Array.from({ length: 20 }, (_, k) => k + 7))
          await trainer.post('/student-imports', lines(more, 0));
      students = (await idsOf('/students')).slice(0, 500);
      return [`contracts/${made['POST /api/v1/contracts']!.id}/send/preview`, { alunos: students }];
    },
    'POST /api/v1/contracts/{id}/send': () => [
      `contracts/${made['POST /api/v1/contracts']!.id}/send`,
      { alunos: students, canal: 'email' },
    ],
    'POST /api/v1/bank-lines/compare': () => [
      'bank-lines/compare',
      {
        // One more has more values than a body may have.
        linhas: Array.from({ length: 199 }, (_, n) => ({
          chave: `${n} ${text(490)}`,
          data: day(-n),
          valor: 10_000 + n * 500,
          texto: `PIX RECEBIDO ANA SOUZA ${text(270)}`,
        })),
      },
    ],
    'POST /api/v1/financial-advisor': () => [
      'financial-advisor',
      {
        // More are too long for a body.
        messages: Array.from({ length: 40 }, (_, n) => ({
          role: n % 2 ? 'user' : 'assistant',
          content: `Quanto recebi? ${text(n > 30 ? 3_900 : 600)}`,
        })),
      },
    ],
    'POST /api/v1/onboarding': () => [
      'onboarding',
      {
        alunos_ativos: 10,
        tipo_atendimento: text(500),
        ticket_medio_mensal: 100,
        emite_recibo: true,
        formas_cobranca: Array.from({ length: 20 }, () => text(100)),
        objetivos: Array.from({ length: 20 }, () => text(100)),
        faturamento_mensal_medio: 100,
        tipo_planos: text(500),
        faz_desconto: true,
        tem_politica_cancelamento: true,
        meta_faturamento_6meses: 100,
      },
    ],
    'POST /api/v1/tasks': () => ['tasks', { titulo: text(200), descricao: text(2_000) }],
    'PATCH /api/v1/tasks/{id}': (n) => [
      `tasks/${made['POST /api/v1/tasks']!.id}`,
      { titulo: text(199 - n), descricao: text(1_999 - n) },
    ],
    'POST /api/v1/tasks/restore': async (n) => {
      if (n === 0)
        await Promise.all(
          Array.from({ length: 60 }, async () => {
            const { id } = (await trainer.post('/tasks', { titulo: text(200), descricao: text(2_000) })).body;
            await trainer.post(`/tasks/${id}/complete`, {});
          }),
        );
      const { ids } = (await trainer.post<Made>('/tasks/delete-completed', {})).body;
      return ['tasks/restore', { ids }];
    },
    'POST /api/v1/services': (n) => [
      'services',
      { nome: `Serviço ${n}`, duracao_min: 60, locais: Array.from({ length: 50 }, () => randomUUID()) },
    ],
    'PATCH /api/v1/services/{id}': (n) => [
      `services/${made['POST /api/v1/services']!.id}`,
      { nome: `Aula ${n}`, locais: Array.from({ length: 50 }, () => randomUUID()) },
    ],
    'PUT /api/v1/public-link': async (n) => [
      'public-link',
      {
        ativo: true,
        dias: 7,
        duracao_min: 60,
        intervalo_min: 0,
        por_dia: 3,
        antecedencia_min: 60,
        locais: (await idsOf('/locations')).slice(0, 50),
        texto: text(299 - n),
        whatsapp: null,
        indexavel: false,
      },
    ],
    'PUT /api/v1/availability': (n) => [
      'availability',
      {
        horarios: [0, 1, 2, 3, 4, 5, 6].flatMap((day_of_week) =>
          rows(n, 10).map((row) => ({ day_of_week, ...row })),
        ),
      },
    ],
    'PUT /api/v1/availability/exceptions/{data}': (n) => [
      `availability/exceptions/${day(20)}`,
      { horarios: rows(n, 12) },
    ],
  } satisfies Record<string, (n: number) => Write | Promise<Write>>;
}

(existsSync('/proc/self/schedstat') ? describe : describe.skip)(
  'the event loop is kept from other requests',
  () => {
    let api: TestProcess;
    /** For how many milliseconds it was kept at most since this was last asked. */
    let kept: () => Promise<number>;
    const clientOf = async (of: Login) => {
      const { data } = await signIn(api.url, of);
      const accessToken = data.session!.access_token;
      return new Client(api.url, { accessToken, address: anyAddress(), positions: new Map() });
    };

    beforeAll(async () => {
      const port = await privatePort();
      kept = async () => Number(await (await fetch(`http://127.0.0.1:${port}`)).text());
      const env = { NODE_OPTIONS: '--require ./test/support/loop-probe.cjs', LOOP_PROBE: `${port}` };
      api = await startProcess({ roles: 'api', env });
    });

    it('by no route that reads for more than 20 ms', async () => {
      const { pid } = api;
      const [trainer, student] = [await clientOf(login), await clientOf(studentLogin)];
      const { items } = (await trainer.get<{ items: { id: string }[] }>('/students')).body;
      const queries = queriesOf(items[0]!.id, items[1]!.id);
      const invite = await trainer.post<object>(`/students/${items[0]!.id}/invites`);
      const routes = (await apiRoutes(api)).filter(({ method }) => method === 'GET');
      const pathOf = (path: string) => path.replace('/api/v1/', '');
      const ofThePast = routes
        .filter(({ operation }) =>
          operation.parameters?.some(({ name, required }) => name === 'at' && !required),
        )
        .map(({ path }) => pathOf(path));
      // Those without parameters first: the others are named by what these answer.
      const inOrder = [...routes.map(({ path }) => pathOf(path)), '/p/{slug}'].toSorted(
        (one, other) => one.split('{').length - other.split('{').length,
      );
      const answers = new Map([['', JSON.stringify(invite.body)]]);
      const most = allowance();
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
        const query = queries[path] ?? {};
        const ask = (more: Record<string, string> = {}) =>
          client.request('GET', path.startsWith('/') ? at : `/api/v1/${at}`, {
            query: { ...query, ...more },
          });
        const answer = await ask();
        answers.set(path, JSON.stringify(answer.body));
        let least = Infinity;
        for (let n = 0; n < 15 && least > most; n += 1) {
          const before = computed(pid);
          await ask();
          // Other guests of the machine may slow it down by half for seconds: what is long is compared with that moment.
          least = Math.min(least, inUsualTime(computed(pid) - before, most));
        }
        measured.push([path, answer.status, least]);
        if (!ofThePast.includes(path)) continue;
        // The past is folded in turns.
        const turns = [];
        let status = 0;
        for (let n = 0; n < 3; n += 1) {
          await kept();
          ({ status } = await ask({ at: new Date(Date.now() - 1000).toISOString() }));
          turns.push(await kept());
        }
        measured.push([`${path}?at`, status, Math.min(...turns)]);
      }
      expect(measured.filter(([, , ms]) => ms > most)).toEqual([]);
      expect(measured.filter(([, status]) => status >= 300)).toEqual([]);
      expect(ofThePast.length).toBeGreaterThan(5);
    });

    it('by no route that writes for more than 20 ms, at its largest input', async () => {
      const made: Record<string, Made> = {};
      const trainer = await clientOf(login);
      const writes: Record<string, (n: number) => Write | Promise<Write>> = writesOf(trainer, made);
      const large = (await apiRoutes(api)).filter(({ operation }) =>
        Object.values(operation.requestBody?.content ?? {}).some(({ schema }) => {
          const { characters, items } = mostOf(schema);
          return characters > 2_000 || items > 20;
        }),
      );
      expect(large.map(nameOf).filter((name) => !(name in writes) && !notMeasured.includes(name))).toEqual(
        [],
      );
      const usual = allowance();
      const tooLong: [route: string, ms: number][] = [];
      for (const [route, write] of Object.entries(writes)) {
        let least = Infinity;
        // The first ones of a route are compiled meanwhile.
        for (let n = 0; n < 15 && least > usual; n += 1) {
          const [path, body] = await write(n);
          await kept();
          const answer = await trainer.request<Made>(route.split(' ')[0]!, `/api/v1/${path}`, { body });
          least = Math.min(least, inUsualTime(await kept(), usual));
          expect({ route, ...(answer.status >= 300 && { refused: answer.body }) }).toEqual({ route });
          made[route] = answer.body;
        }
        if (least > usual) tooLong.push([route, least]);
      }
      expect(tooLong).toEqual([]);
    });
  },
);
