import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { sql } from 'kysely';
import type {
  Allocations,
  MonthSummary,
  TransactionPage,
  YearSummary,
} from '../../backend/modules/finance/finance.api.js';
import { Database } from '../../backend/platform/database/database.js';
import { statement } from '../../backend/platform/database/statement.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date());
let trainer: Trainer;

const database = await testDatabase();
const app = await sharedApp(clock);

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
const reverse = async (id: string) =>
  (await trainer.api.post(`/transactions/${id}/reverse`, { motivo: 'em dobro' })).body.id;
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
          student_id: null,
          aluno: null,
          categoria: null,
          motivo: null,
          corrige: null,
          corrigida_por: null,
          cobranca: null,
        },
      ],
      next: null,
      total: { quantidade: 1, receitas: 32_001, despesas: 0, saldo: 32_001 },
    });
    expect((await trainer.api.get(`/transactions/${id}`)).body).toEqual((await list()).items[0]);
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
      entrega: null,
      recebido: 32_001,
      despesas: 0,
      lucro: 32_001,
      ticket_medio: 32_001,
      receitas: 1,
      sem_cobranca: 32_001,
      previsto: 0,
      ainda_entra: 0,
      vencido: 0,
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
    const id = await record({ tipo: 'despesa', descricao: 'Aluguel', valor: 20_000, data: '2026-11-20' });
    expect(await allocations(id)).toEqual({ items: [], total: 0 });
    expect(await month('2026-11')).toMatchObject({
      recebido: 50_000,
      despesas: 20_000,
      lucro: 30_000,
      ticket_medio: 50_000,
    });
  });
});

const wordsOf = async (id: string) => {
  const query = { subject: `transaction:${id}` };
  const { body } = await trainer.api.get<{ items: { texto: string }[] }>('/history', { query });
  return body.items.map(({ texto }) => texto);
};

describe('a correction', () => {
  const wrong = { ...income, motivo: 'valor digitado errado', valor: 23_001 };

  it('reverses the entry and records its replacement, in one step', async () => {
    const id = await record();
    const other = (await trainer.api.post('/students', { nome: 'Ana Prado', telefone: '11912345678' })).body
      .id;
    const corrected = { ...wrong, student_id: other };
    const { id: next } = (await trainer.api.post(`/transactions/${id}/correct`, corrected)).body;
    const { items, total } = await list();
    expect(items).toHaveLength(3);
    expect(items.find((row) => row.id === next)).toMatchObject({
      valor: 23_001,
      corrige: id,
      student_id: other,
      aluno: 'Ana Prado',
    });
    expect(items.find((row) => row.id === id)).toMatchObject({ corrigida_por: next });
    expect(items.find((row) => row.estorno_de === id)).toMatchObject({
      motivo: wrong.motivo,
      valor: -32_001,
    });
    expect(total).toEqual({ quantidade: 3, receitas: 23_001, despesas: 0, saldo: 23_001 });
    expect(await month('2026-11')).toMatchObject({ recebido: 23_001, receitas: 1 });
    expect(await wordsOf(next)).toEqual(
      expect.arrayContaining([
        'Corrigiu para a receita de R$\u00a0230,01 de 05/11/2026 (Pix): Mensalidade',
        'Corrigiu a receita de R$\u00a0320,01 de 05/11/2026 (Pix): Mensalidade (motivo: valor digitado errado)',
      ]),
    );
    await expectRebuildToEqualLive(app, 'transactions');
  });

  it('is refused without a reason, without a change, a second time, and for an unknown student', async () => {
    const id = await record();
    const path = `/transactions/${id}/correct`;
    expect((await refused(400, 'POST', path, income)).code).toBe('validation');
    const same = { ...income, motivo: wrong.motivo };
    expect((await refused(422, 'POST', path, same)).code).toBe('finance.nothing_to_correct');
    await refused(404, 'POST', path, { ...wrong, student_id: randomUUID() });
    expect((await list()).items).toHaveLength(1);
    await trainer.api.post(path, wrong);
    expect((await refused(409, 'POST', path, wrong)).code).toBe('finance.already_reversed');
    await refused(404, 'POST', `/transactions/${randomUUID()}/correct`, wrong);
  });
});

it('a history can be filtered by kind, method, category, text and amounts, with the totals of the result', async () => {
  const ana = (await trainer.api.post('/students', { nome: 'João Prado', telefone: '11912345678' })).body.id;
  await record({ student_id: ana, valor: 10_000 });
  await record({ descricao: 'Avaliação 100%', metodo_pagamento: 'dinheiro', valor: 5_000 });
  await record({ tipo: 'despesa', descricao: 'Sala', categoria: 'aluguel', valor: 70_000 });
  await record({ tipo: 'despesa', descricao: 'Ônibus', categoria: 'transporte', valor: 900 });
  const found = async (query: Record<string, string | number>) => {
    const { items, total } = await list(query);
    expect(total.saldo).toBe(
      items.reduce((sum, { tipo, valor }) => sum + (tipo === 'receita' ? valor : -valor), 0),
    );
    expect(total.quantidade).toBe(items.length);
    return items.map(({ descricao }) => descricao).toSorted();
  };
  expect(await found({})).toHaveLength(4);
  expect(await found({ tipo: 'despesa' })).toEqual(['Sala', 'Ônibus']);
  expect(await found({ categoria: 'aluguel' })).toEqual(['Sala']);
  expect(await found({ metodo_pagamento: 'dinheiro' })).toEqual(['Avaliação 100%']);
  expect(await found({ texto: 'joao' })).toEqual(['Mensalidade']);
  expect(await found({ texto: 'AVALIACAO  100' })).toEqual(['Avaliação 100%']);
  // Wildcards of a pattern are ordinary characters here.
  expect(await found({ texto: '%' })).toEqual(['Avaliação 100%']);
  expect(await found({ min: 5_000, max: 10_000 })).toEqual(['Avaliação 100%', 'Mensalidade']);
  expect(await list({ tipo: 'receita', limit: 1 })).toMatchObject({
    total: { quantidade: 2, receitas: 15_000 },
  });
});

describe('a reversal', () => {
  it("is a separate entry on the original's date, which lowers that month", async () => {
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

  it('shows its reason in its own line and in the history', async () => {
    const id = await record();
    const answer = await trainer.api.post(`/transactions/${id}/reverse`, { motivo: 'cliente desistiu' });
    const reversal = (await list()).items.find((row) => row.id === answer.body.id);
    expect(reversal).toMatchObject({ motivo: 'cliente desistiu' });
    expect(await wordsOf(id)).toContain('Estornou a receita (motivo: cliente desistiu)');
  });

  it('is refused without a reason', async () => {
    const path = `/transactions/${await record()}/reverse`;
    await refused(400, 'POST', path, {});
    for (const [motivo, detail] of [
      [' ', 'Informe o motivo'],
      [' a ', 'Motivo deve ter pelo menos 3 caracteres'],
    ])
      expect((await refused(400, 'POST', path, { motivo })).errors).toEqual([{ pointer: '/motivo', detail }]);
  });

  it('happens once', async () => {
    const id = await record();
    await reverse(id);
    expect((await refused(409, 'POST', `/transactions/${id}/reverse`, { motivo: 'em dobro' })).code).toBe(
      'finance.already_reversed',
    );
    await refused(404, 'POST', `/transactions/${randomUUID()}/reverse`, { motivo: 'em dobro' });
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
  it('contains only its own days, newest first, in pages', async () => {
    clock.at = new Date('2026-12-01T12:00:00Z');
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
  it('is compared with the previous one', async () => {
    await record({ valor: 200_000, data: '2025-12-15' });
    await record({ valor: 150_000, data: '2026-01-15' });
    await record({ valor: 150_000, data: '2026-01-15' });
    expect((await month('2026-01')).variacao).toEqual({ lucro: 50, ticket_medio: -25, aderencia: 50 });
  });

  it('expects the agreements of active students from their start, and no monthly plan without one', async () => {
    const planFor = async (fields: object) =>
      (await trainer.api.post('/plans', { nome: 'Mensal 8', creditos: 8, ...fields })).body.id;
    const [monthly, pack] = [
      await planFor({ tipo: 'mensal', valor: 64_000 }),
      await planFor({ tipo: 'pacote', valor: 90_000 }),
    ];
    const student = async (plano_id: string | null, mensalidade?: object) =>
      (
        await trainer.api.post('/students', {
          nome: 'Ana Souza',
          telefone: '11943214321',
          plano_id,
          mensalidade,
        })
      ).body.id;
    const agreed = (desde: string, valor = 64_000) => ({ valor, desde, ate: null, vence_dia: 5 });
    const expected = async (...months: string[]) => {
      const all: number[] = [];
      for (const each of months) all.push((await month(each)).previsto);
      return all;
    };
    await student(monthly, agreed('2026-11-01'));
    await student(monthly, agreed('2027-02-01', 50_000));
    await student(pack);
    await student(null);
    const gone = await student(monthly, agreed('2026-11-21'));
    expect(await expected('2026-11', '2026-12', '2027-01', '2027-02')).toEqual([
      0, 128_000, 128_000, 178_000,
    ]);
    await trainer.api.post(`/students/${gone}/archive`);
    expect(await expected('2026-10', '2026-11', '2026-12', '2027-02')).toEqual([0, 0, 64_000, 114_000]);
    const { meses } = await year('2026');
    expect(meses.map(({ previsto }) => previsto).slice(-3)).toEqual([0, 0, 64_000]);
  });

  it("begins at the zone's midnight", async () => {
    clock.at = new Date('2026-12-01T02:59:00Z');
    expect((await month('2026-11')).dias_restantes).toBe(1);
    clock.at = new Date('2026-12-01T03:00:00Z');
    expect((await month('2026-11')).dias_restantes).toBe(0);
  });
});

const plans = statement((db) =>
  sql<{ generic: boolean }>`select generic_plans > 0 as generic from pg_prepared_statements
    where statement like '%from "finance_months"%generate_series(%' and statement not like '%pg_prepared_statements%'`.compile(
    db,
  ),
);

it('months and years are planned once for all trainers', async () => {
  // Each connection plans for itself, after some executions, and the reads use several when there is more to do.
  const kept = async () => {
    await month('2026-11');
    await year('2026');
    return app.nest.get(Database).read(trainer.tenantId, plans({}));
  };
  await eventually(kept, [{ generic: true }, { generic: true }]);
});

describe('a year', () => {
  it('has twelve months', async () => {
    clock.at = new Date('2026-12-31T12:00:00Z');
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
    ['more than everything', { valor: 10_000_000_001 }, '/valor'],
    ['a day that does not exist', { data: '2026-02-29' }, '/data'],
    ['another kind', { tipo: 'taxa' }, '/tipo'],
    ['another method', { metodo_pagamento: 'cartao' }, '/metodo_pagamento'],
    ['no description', { descricao: '  ' }, '/descricao'],
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

it('texts about money cannot be read in the log', async () => {
  await reverse(await record({ descricao: 'Presente da Zuleika' }));
  const stored = await database.query<{ data: string }>(
    "select data::text from events where tenant_id = $1 and stream_id like 'transaction:%'",
    [trainer.tenantId],
  );
  expect(stored).toHaveLength(2);
  for (const { data } of stored) expect(data).not.toContain('Zuleika');
});

it.each(['transactions', 'finance-months'])('a rebuild gives the same %s', (name) =>
  expectRebuildToEqualLive(app, name),
);
