import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  Allocations,
  MonthSummary,
  TransactionPage,
  YearSummary,
} from '../../backend/modules/finance/finance.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { connect, testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';

const clock = new SetClock(new Date());
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ clock });
});

beforeEach(async () => {
  clock.at = new Date('2026-11-21T12:00:00Z');
  trainer = await signUp(app);
});

const income = {
  tipo: 'receita',
  descricao: 'Mensalidade',
  valor: 32_001,
  metodo_pagamento: 'pix',
  data: '2026-11-05',
};
const record = async (entry: object = {}) =>
  (await trainer.api.post('/transactions', { ...income, ...entry })).body.id;
const reverse = async (id: string) => (await trainer.api.post(`/transactions/${id}/reverse`)).body.id;
const list = async (query: Record<string, string | number> = {}) =>
  (await trainer.api.get<TransactionPage>('/transactions', { query: { month: '2026-11', ...query } })).body;
const allocations = async (id: string) =>
  (await trainer.api.get<Allocations>(`/transactions/${id}/allocations`)).body;
const month = async (mes: string) => (await trainer.api.get<MonthSummary>(`/finance/months/${mes}`)).body;
const year = async (ano: string) => (await trainer.api.get<YearSummary>(`/finance/years/${ano}`)).body;
const refused = async (status: number, method: string, path: string, body?: unknown) => {
  const answer = await trainer.api.request<ProblemBody>(method, `/api/v1${path}`, { body });
  expect([answer.status, answer.body]).toEqual([status, expect.anything()]);
  return answer.body;
};

describe('a receita', () => {
  it('is listed, divided and counted in its month', async () => {
    const id = await record();
    expect(await list()).toEqual({
      items: [
        {
          id,
          ...income,
          estorno_de: null,
          estornada_por: null,
          registrada_em: expect.stringMatching(/^\d{4}-.*Z$/),
          cobranca: null,
        },
      ],
      next: null,
    });
    expect(await allocations(id)).toEqual({
      items: [
        { tipo: 'imposto', valor: 3200 },
        { tipo: 'reserva', valor: 6400 },
        { tipo: 'operacional', valor: 9600 },
        { tipo: 'retirada', valor: 12_801 },
      ],
      total: 32_001,
    });
    expect(await month('2026-11')).toEqual({
      mes: '2026-11',
      recebido: 32_001,
      despesas: 0,
      lucro: 32_001,
      ticket_medio: 32_001,
      receitas: 1,
      previsto: 0,
      meta: 1_000_000,
      aderencia: 3.2,
      reserva_sugerida: 6400,
      meta_reserva: 100_000,
      alocacoes: { imposto: 3200, reserva: 6400, operacional: 9600, retirada: 12_801 },
      variacao: { lucro: null, ticket_medio: null, aderencia: null },
      dias_restantes: 10,
    });
  });
});

describe('a despesa', () => {
  it('is not divided and lowers the profit', async () => {
    await record({ valor: 50_000 });
    const id = await record({ tipo: 'despesa', descricao: 'Aluguel', valor: 20_000, data: '2026-11-30' });
    expect(await allocations(id)).toEqual({ items: [], total: 0 });
    expect(await month('2026-11')).toMatchObject({
      recebido: 50_000,
      despesas: 20_000,
      lucro: 30_000,
      ticket_medio: 50_000,
    });
  });
});

describe('a reversal', () => {
  it("is an entry of its own on the original's date, which lowers that month", async () => {
    const [id] = [await record(), await record({ valor: 10_000 })];
    clock.at = new Date('2027-02-10T12:00:00Z');
    const reversal = await reverse(id);
    const rows = (await list()).items;
    expect(rows.find((row) => row.id === reversal)).toMatchObject({
      valor: -32_001,
      data: '2026-11-05',
      estorno_de: id,
      descricao: 'Mensalidade',
    });
    expect(rows.find((row) => row.id === id)).toMatchObject({ valor: 32_001, estornada_por: reversal });
    expect(await allocations(reversal)).toEqual({
      items: [
        { tipo: 'imposto', valor: -3200 },
        { tipo: 'reserva', valor: -6400 },
        { tipo: 'operacional', valor: -9600 },
        { tipo: 'retirada', valor: -12_801 },
      ],
      total: -32_001,
    });
    expect(await month('2026-11')).toMatchObject({
      recebido: 10_000,
      receitas: 1,
      ticket_medio: 10_000,
      alocacoes: { imposto: 1000, reserva: 2000, operacional: 3000, retirada: 4000 },
    });
  });

  it('happens once', async () => {
    const id = await record();
    await reverse(id);
    expect((await refused(409, 'POST', `/transactions/${id}/reverse`)).code).toBe('finance.already_reversed');
    await refused(404, 'POST', `/transactions/${randomUUID()}/reverse`);
  });

  it('of everything leaves an empty month', async () => {
    await reverse(await record());
    await reverse(await record({ tipo: 'despesa' }));
    expect(await month('2026-11')).toMatchObject({
      recebido: 0,
      despesas: 0,
      receitas: 0,
      ticket_medio: null,
      meta_reserva: 0,
    });
  });
});

describe('the list of a month', () => {
  it('has its days only, the newest first, page by page', async () => {
    await record({ data: '2026-10-31' });
    await record({ data: '2026-12-01' });
    const first = await record({ data: '2026-11-01' });
    const last = await record({ data: '2026-11-30' });
    const [one, two] = [await record(), await record()];
    const ids: string[] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list({ limit: 1, ...(cursor && { cursor }) });
      ids.push(...page.items.map(({ id }) => id));
      cursor = page.next;
    } while (cursor);
    expect(ids).toEqual([last, two, one, first]);
  });
});

describe('a month', () => {
  it('is compared with the one before', async () => {
    await record({ valor: 200_000, data: '2025-12-15' });
    await record({ valor: 150_000, data: '2026-01-15' });
    await record({ valor: 150_000, data: '2026-01-15' });
    expect((await month('2026-01')).variacao).toEqual({ lucro: 50, ticket_medio: -25, aderencia: 50 });
  });

  it('expects the monthly plans of active students, now and later', async () => {
    const planFor = async (fields: object) =>
      (await trainer.api.post('/plans', { nome: 'Mensal 8', creditos: 8, ...fields })).body.id;
    const [monthly, pack] = [
      await planFor({ tipo: 'mensal', valor: 64_000 }),
      await planFor({ tipo: 'pacote', valor: 90_000 }),
    ];
    const student = async (plano_id: string | null) =>
      (await trainer.api.post('/students', { nome: 'Ana Souza', telefone: '11943214321', plano_id })).body.id;
    await student(monthly);
    await student(pack);
    await student(null);
    const gone = await student(monthly);
    expect(await month('2026-11')).toMatchObject({ previsto: 128_000 });
    await trainer.api.post(`/students/${gone}/archive`);
    expect((await month('2026-10')).previsto).toBe(0);
    expect((await month('2026-11')).previsto).toBe(64_000);
    const { meses } = await year('2026');
    expect(meses.map(({ previsto }) => previsto).slice(-3)).toEqual([0, 64_000, 64_000]);
  });

  it("changes at the zone's midnight", async () => {
    clock.at = new Date('2026-12-01T02:59:00Z');
    expect((await month('2026-11')).dias_restantes).toBe(1);
    clock.at = new Date('2026-12-01T03:00:00Z');
    expect((await month('2026-11')).dias_restantes).toBe(0);
  });
});

describe('a year', () => {
  it('has twelve months', async () => {
    await record({ valor: 100, data: '2026-01-31' });
    await record({ valor: 30, tipo: 'despesa', data: '2026-12-31' });
    await record({ valor: 1, data: '2025-12-31' });
    const { ano, meses } = await year('2026');
    expect(ano).toBe(2026);
    expect(meses).toHaveLength(12);
    expect(meses[0]).toEqual({ mes: '2026-01', previsto: 0, recebido: 100, despesas: 0 });
    expect(meses[11]).toEqual({ mes: '2026-12', previsto: 0, recebido: 0, despesas: 30 });
  });

  it.each([
    ['2022', 422],
    ['2023', 200],
    ['2027', 200],
    ['2028', 422],
    ['26', 400],
  ])('%s answers %i', async (ano, status) => {
    expect((await trainer.api.request('GET', `/api/v1/finance/years/${ano}`)).status).toBe(status);
  });
});

describe('bad input', () => {
  it.each<[string, object, string]>([
    ['a negative amount', { valor: -1 }, '/valor'],
    ['nothing', { valor: 0 }, '/valor'],
    ['half a cent', { valor: 0.5 }, '/valor'],
    ['more than everything', { valor: 10_000_000_001 }, '/valor'],
    ['a huge number', { valor: 1e300 }, '/valor'],
    ['text for a number', { valor: '100' }, '/valor'],
    ['a day that does not exist', { data: '2026-02-29' }, '/data'],
    ['an instant for a day', { data: '2026-11-05T00:00:00Z' }, '/data'],
    ['another kind', { tipo: 'taxa' }, '/tipo'],
    ['another method', { metodo_pagamento: 'cartao' }, '/metodo_pagamento'],
    ['no description', { descricao: '  ' }, '/descricao'],
    ['NUL', { descricao: 'a\0' }, '/descricao'],
    ['an unknown field', { alocacoes: [] }, '/alocacoes'],
  ])('%s is refused with its field', async (_case, entry, pointer) => {
    const problem = await refused(400, 'POST', '/transactions', { ...income, ...entry });
    expect(problem.errors).toEqual([{ pointer, detail: expect.any(String) }]);
    expect((await list()).items).toEqual([]);
  });

  it.each(['/transactions', '/transactions?month=2026-13', '/transactions?month=2026-11&cursor=e30'])(
    '%s is refused',
    async (path) => {
      await refused(400, 'GET', path);
    },
  );

  it.each(['2026-00', '2026-1', '11-2026', 'x'])('the month %s is refused', async (mes) => {
    await refused(400, 'GET', `/finance/months/${mes}`);
  });
});

it('what is written about money cannot be read in the log', async () => {
  await reverse(await record({ descricao: 'Presente da Zuleika' }));
  const stored = await database.query<{ data: string }>(
    "select data::text from events where tenant_id = $1 and stream_id like 'transaction:%'",
    [trainer.tenantId],
  );
  expect(stored).toHaveLength(2);
  for (const { data } of stored) expect(data).not.toContain('Zuleika');
});

it('a month whose summary has yet to follow says so, and the entries do not', async () => {
  const holder = await connect(database.environment.DATABASE_OWNER_URL);
  await holder.query('begin');
  await holder.query(
    "select from projection_checkpoint where tenant_id = $1 and projection = 'summaries' for update",
    [trainer.tenantId],
  );
  await record();
  const staleness = async () => {
    const paths = ['/transactions?month=2026-11', '/finance/months/2026-11', '/finance/years/2026'];
    const answers = await Promise.all(paths.map((path) => trainer.api.request('GET', `/api/v1${path}`)));
    return answers.map(({ headers }) => headers.get('rende-stale'));
  };
  expect(await staleness()).toEqual([null, 'true', 'true']);
  await holder.query('rollback');
  await eventually(staleness, [null, null, null]);
  expect((await month('2026-11')).recebido).toBe(32_001);
});

it.each(['transactions', 'finance-months'])('a rebuild finds the same %s', (name) =>
  expectRebuildToEqualLive(app, name),
);
