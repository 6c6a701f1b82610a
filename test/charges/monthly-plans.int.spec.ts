import { beforeEach, describe, expect, it, jest } from '@jest/globals';
import { monthlyBilling } from '../../backend/modules/charges/billing.job.js';
import type { ChargePage, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { ShownMonthlyPlan } from '../../backend/modules/charges/monthly-plans.api.js';
import type { PausePreview } from '../../backend/modules/student-pauses/student-pauses.api.js';
import type { KnownStudent } from '../../backend/modules/students/students.api.js';
import type { MonthSummary, TransactionPage } from '../../backend/modules/finance/finance.api.js';
import type { RecurringExpensePage } from '../../backend/modules/finance/recurring-expenses.api.js';
import { recurringExpenseDays } from '../../backend/modules/finance/recurring-expenses.job.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { tenantsReadBy } from '../support/tenants-read.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { toldOf } from '../support/history.js';

const clock = new SetClock(new Date());
let trainer: Trainer;
let planId: string;

const app = await sharedApp(clock);
beforeEach(async () => {
  clock.at = new Date('2026-11-21T12:00:00Z');
  trainer = await signUp(app);
  planId = (
    await trainer.api.post('/plans', { nome: 'Mensal 8', valor: 48_000, creditos: 8, tipo: 'mensal' })
  ).body.id;
});

const student = async () =>
  (await trainer.api.post('/students', { nome: 'Ana', telefone: '(11) 98877-6655' })).body.id;
const terms = (more: object = {}) => ({
  plano_id: planId,
  valor: 40_000,
  desde: '2026-11-01',
  ate: null,
  vence_dia: 5,
  ...more,
});
/** Waits for the projections, because the job reads read tables. */
const agree = async (id: string, more: object = {}) => {
  await trainer.api.put(`/students/${id}/monthly-plan`, terms(more));
  await shown(id);
};
const shown = async (id: string) =>
  (await trainer.api.get<ShownMonthlyPlan>(`/students/${id}/monthly-plan`)).body.mensalidade;
const run = () => app.run(monthlyBilling.Handler);
/** Reads after a write of the trainer, so that it waits for the job's writes before it. */
const charges = async (student_id: string) => {
  await trainer.api.post('/plans', { nome: 'Outro', valor: 1, creditos: 0 });
  const { items } = (
    await trainer.api.get<ChargePage>('/charges', { query: { student_id, situacao: 'a_receber' } })
  ).body;
  return items.map(({ valor, vencimento, origem }) => [vencimento, valor, origem]);
};
const previsto = async (mes: string) =>
  (await trainer.api.get<MonthSummary>(`/finance/months/${mes}`)).body.previsto;

it('is billed on day 1 at 6:00 in the time zone, once, however often and late the job runs', async () => {
  const id = await student();
  await agree(id);
  expect(await shown(id)).toMatchObject({ valor: 40_000, proximo_mes: '2026-12-01' });
  clock.at = new Date('2026-12-01T08:59:59Z');
  await run();
  expect(await charges(id)).toEqual([]);
  clock.at = new Date('2026-12-01T09:00:00Z');
  await Promise.all([run(), run(), run()]);
  await run();
  expect(await charges(id)).toEqual([['2026-12-05', 40_000, 'mensalidade']]);
  // The worker is away over the beginnings of two months.
  clock.at = new Date('2027-02-10T12:00:00Z');
  await run();
  expect(await charges(id)).toEqual([
    ['2026-12-05', 40_000, 'mensalidade'],
    ['2027-01-05', 40_000, 'mensalidade'],
    ['2027-02-05', 40_000, 'mensalidade'],
  ]);
  await expectRebuildToEqualLive(app, 'monthly-plans');
});

describe('with the plan of a student', () => {
  const { plano_id: _own, ...mensalidade } = terms();
  const register = async () =>
    (
      await trainer.api.post('/students', {
        nome: 'Bia',
        telefone: '(11) 98877-6655',
        plano_id: planId,
        mensalidade,
      })
    ).body.id;

  it('it begins, ends and comes back in the same request, and overdue months are billed first', async () => {
    const fields = { nome: 'Bia', telefone: '(11) 98877-6655', plano_id: planId };
    const { body } = await trainer.api.post<{ code: string; errors: unknown }>('/students', fields, {
      status: 422,
    });
    expect(body).toMatchObject({ code: 'charges.no_terms', errors: [{ pointer: '/mensalidade' }] });
    const id = await register();
    const { body: known } = await trainer.api.get<KnownStudent>(`/students/${id}`);
    expect(known.mensalidade).toEqual({ ...mensalidade, plano_id: planId });
    clock.at = new Date('2027-01-03T12:00:00Z');
    await trainer.api.patch(`/students/${id}`, { plano_id: null });
    expect(await shown(id)).toBeNull();
    expect((await charges(id)).map(([due]) => due)).toEqual(['2026-12-05', '2027-01-05']);
    const undo = {
      plano_id: planId,
      mensalidade: known.mensalidade,
      se_ainda: { plano_id: null, mensalidade: null },
    };
    await trainer.api.patch(`/students/${id}`, undo);
    expect(await shown(id)).toMatchObject({ ...mensalidade, proximo_mes: '2027-02-01' });
    const { body: again } = await trainer.api.patch<{ code: string }>(`/students/${id}`, undo, {
      status: 409,
    });
    expect(again.code).toBe('changed_since');
    await expectRebuildToEqualLive(app, 'monthly-plans');
  });

  it('it does not keep a student who was never billed from being removed, and comes back with them', async () => {
    const [id, kept] = [await register(), await register()];
    await trainer.api.delete(`/students/${id}`);
    expect(await previsto('2026-12')).toBe(40_000);
    await trainer.api.post(`/students/${id}/restore`);
    expect([await shown(id), await previsto('2026-12')]).toMatchObject([
      { ...mensalidade, proximo_mes: '2026-12-01' },
      80_000,
    ]);
    await trainer.api.delete(`/students/${id}`);
    clock.at = new Date('2026-12-03T12:00:00Z');
    await run();
    await trainer.api.delete(`/students/${kept}`, { status: 409 });
    await trainer.api.post(`/students/${id}/restore`);
    expect([await shown(id), (await charges(kept)).length]).toEqual([null, 1]);
  });

  it('it keeps its plan from being removed only while it stands, if it was never billed', async () => {
    const id = await register();
    await trainer.api.delete(`/plans/${planId}`, { status: 409 });
    await trainer.api.patch(`/students/${id}`, { plano_id: null });
    await trainer.api.delete(`/plans/${planId}`);
  });
});

it('changes from the next cycle on, and can be ended', async () => {
  const id = await student();
  await agree(id);
  clock.at = new Date('2026-12-03T12:00:00Z');
  await run();
  await agree(id, { valor: 50_000, vence_dia: 10 });
  clock.at = new Date('2027-01-03T12:00:00Z');
  await run();
  await trainer.api.delete(`/students/${id}/monthly-plan`);
  clock.at = new Date('2027-02-03T12:00:00Z');
  await run();
  expect(await charges(id)).toEqual([
    ['2026-12-05', 40_000, 'mensalidade'],
    ['2027-01-10', 50_000, 'mensalidade'],
  ]);
  expect(await shown(id)).toBeNull();
});

it('of a missed month is billed by the agreement of that month, although it was changed or ended before a worker ran', async () => {
  const [id, other] = [await student(), await student()];
  await agree(id);
  await agree(other);
  clock.at = new Date('2026-12-03T12:00:00Z');
  await agree(id, { valor: 50_000 });
  await trainer.api.delete(`/students/${other}/monthly-plan`);
  await run();
  expect([await charges(id), await charges(other)]).toEqual([
    [['2026-12-05', 40_000, 'mensalidade']],
    [['2026-12-05', 40_000, 'mensalidade']],
  ]);
  clock.at = new Date('2027-01-03T12:00:00Z');
  await run();
  expect([(await charges(id)).at(-1), (await charges(other)).length]).toEqual([
    ['2027-01-05', 50_000, 'mensalidade'],
    1,
  ]);
});

describe('the month in which an agreement begins', () => {
  const begin = async (more: object, status?: number) => {
    const id = await student();
    await trainer.api.put(`/students/${id}/monthly-plan`, terms(more), status ? { status } : undefined);
    return id;
  };

  it('is charged for its days, where that is wanted, at the price that was shown', async () => {
    // 20 of 30 days of 400, and of 8 credits.
    const share = { desde: '2026-11-11', proporcional: 26_667 };
    const id = await begin(share);
    const { items } = (
      await trainer.api.get<ChargePage>('/charges', { query: { student_id: id, situacao: 'a_receber' } })
    ).body;
    expect(
      items.map(({ descricao, valor, creditos, vencimento }) => [descricao, valor, creditos, vencimento]),
    ).toEqual([['Mensal 8, 11/11 a 30/11/2026', 26_667, 5, '2026-11-24']]);
    expect(await shown(id)).toMatchObject({ proximo_mes: '2026-12-01' });
    await begin({ ...share, proporcional: 26_666 }, 409);
    await trainer.api.put(`/students/${id}/monthly-plan`, terms({ ...share, valor: 40_001 }), {
      status: 409,
    });
    clock.at = new Date('2026-12-03T12:00:00Z');
    await run();
    expect(await charges(id)).toEqual([
      ['2026-11-24', 26_667, 'mensalidade'],
      ['2026-12-05', 40_000, 'mensalidade'],
    ]);
  });

  it('is not charged where it is over, or is billed anyway', async () => {
    await begin({ desde: '2026-10-11', proporcional: 27_097 }, 409);
    await begin({ desde: '2026-12-01', proporcional: 40_000 }, 409);
    const later = await begin({ desde: '2026-12-17', proporcional: 19_355 });
    expect(await charges(later)).toEqual([['2026-12-17', 19_355, 'mensalidade']]);
    expect(await shown(later)).toMatchObject({ proximo_mes: '2027-01-01' });
  });

  it('is charged with the student who is registered, as its part of a plan of three months', async () => {
    const plan = { nome: 'Trimestre', valor: 120_000, creditos: 24, tipo: 'trimestral' };
    const plano_id = (await trainer.api.post('/plans', plan)).body.id;
    const mensalidade = {
      valor: 120_000,
      desde: '2026-11-16',
      ate: null,
      vence_dia: 5,
      proporcional: 20_000,
    };
    const { id } = (
      await trainer.api.post('/students', { nome: 'Bia', telefone: '(11) 98877-6600', plano_id, mensalidade })
    ).body;
    expect(await charges(id)).toEqual([['2026-11-24', 20_000, 'mensalidade']]);
    expect(await shown(id)).toMatchObject({ proximo_mes: '2026-12-01' });
  });
});

describe('a plan of three months', () => {
  beforeEach(async () => {
    const quarterly = { nome: 'Trimestre', valor: 120_000, creditos: 24, tipo: 'trimestral' };
    planId = (await trainer.api.post('/plans', quarterly)).body.id;
  });
  const all = ['2026-12', '2027-01', '2027-02', '2027-03', '2027-04', '2027-05', '2027-06', '2027-07'];
  const expected = () => Promise.all(all.map(previsto));

  it('has one charge a period, due on the last day where the month lacks the day, and one amount in previsto', async () => {
    const id = await student();
    await agree(id, { valor: 100_000, vence_dia: 31 });
    const sums = [100_000, 0, 0, 100_000, 0, 0, 100_000, 0];
    expect(await expected()).toEqual(sums);
    clock.at = new Date('2027-03-03T12:00:00Z');
    await run();
    expect(await charges(id)).toEqual([
      ['2026-12-31', 100_000, 'mensalidade'],
      ['2027-03-31', 100_000, 'mensalidade'],
    ]);
    const { items } = (
      await trainer.api.get<ChargePage>('/charges', { query: { student_id: id, situacao: 'a_receber' } })
    ).body;
    expect(items.map(({ descricao, creditos }) => [descricao, creditos])).toEqual([
      ['Trimestre, 12/2026 a 02/2027', 24],
      ['Trimestre, 03/2027 a 05/2027', 24],
    ]);
    expect(await shown(id)).toMatchObject({ tipo: 'trimestral', proximo_mes: '2027-06-01' });
    expect(await expected()).toEqual(sums);
    await trainer.api.patch(`/plans/${planId}`, { tipo: 'mensal' }, { status: 409 });
    await expectRebuildToEqualLive(app, 'monthly-plans');
  });

  it('begins after a pause in which it would begin, and its periods follow', async () => {
    const id = await student();
    await agree(id, { valor: 100_000 });
    await trainer.api.put(`/students/${id}/pause`, { ate: '2027-01-10' });
    const sums = [0, 0, 100_000, 0, 0, 100_000, 0, 0];
    expect(await expected()).toEqual(sums);
    clock.at = new Date('2027-02-03T12:00:00Z');
    await run();
    expect(await charges(id)).toEqual([['2027-02-05', 100_000, 'mensalidade']]);
    expect((await expected()).slice(2)).toEqual(sums.slice(2));
  });
});

it('shows the next month to be billed, and none once it has ended or the student is inactive', async () => {
  const id = await student();
  await agree(id, { ate: '2027-02-28' });
  await trainer.api.put(`/students/${id}/pause`, { ate: '2027-01-01' });
  expect(await shown(id)).toMatchObject({ proximo_mes: '2027-02-01' });
  await trainer.api.put(`/students/${id}/pause`, { ate: '2027-02-01' });
  expect(await shown(id)).toMatchObject({ ate: '2027-02-28', proximo_mes: null });
  await trainer.api.put(`/students/${id}/pause`, { ate: null });
  expect(await shown(id)).toMatchObject({ proximo_mes: '2026-12-01' });
  await trainer.api.post(`/students/${id}/archive`);
  expect(await shown(id)).toMatchObject({ proximo_mes: null });
  await trainer.api.post(`/students/${id}/restore`);
  clock.at = new Date('2027-02-03T12:00:00Z');
  await run();
  expect(await charges(id)).toHaveLength(3);
  expect(await shown(id)).toMatchObject({ proximo_mes: null });
});

it('continues, changes and can begin again with a plan that is no longer offered', async () => {
  const [id, other] = [await student(), await student()];
  await agree(id);
  await trainer.api.patch(`/plans/${planId}`, { is_active: false });
  await agree(id, { valor: 45_000 });
  await trainer.api.delete(`/students/${id}/monthly-plan`);
  await agree(id, { valor: 45_000 });
  expect(await shown(id)).toMatchObject({ valor: 45_000 });
  const { body } = await trainer.api.request<{ code: string }>(
    'PUT',
    `/api/v1/students/${other}/monthly-plan`,
    { body: terms() },
  );
  expect(body.code).toBe('plans.inactive');
});

it('skips the months of an inactive student', async () => {
  const id = await student();
  await agree(id);
  await trainer.api.post(`/students/${id}/archive`);
  clock.at = new Date('2026-12-03T12:00:00Z');
  await run();
  await trainer.api.post(`/students/${id}/restore`);
  clock.at = new Date('2027-01-03T12:00:00Z');
  await run();
  expect(await charges(id)).toEqual([['2027-01-05', 40_000, 'mensalidade']]);
});

it('skips the months whose first day is in a pause of the student', async () => {
  const id = await student();
  await agree(id);
  await trainer.api.put(`/students/${id}/pause`, { ate: '2027-01-01' });
  expect([await previsto('2026-12'), await previsto('2027-01'), await previsto('2027-02')]).toEqual([
    0, 0, 40_000,
  ]);
  clock.at = new Date('2026-12-03T12:00:00Z');
  await run();
  await trainer.api.put(`/students/${id}/pause`, { ate: null });
  expect(await previsto('2027-01')).toBe(40_000);
  clock.at = new Date('2027-01-03T12:00:00Z');
  await run();
  expect(await charges(id)).toEqual([['2027-01-05', 40_000, 'mensalidade']]);
  expect(await toldOf(trainer.api, `student:${id}`)).toContain(
    'Não cobrou a mensalidade de 12/2026: o aluno estava pausado',
  );
});

it('is announced as not billed by a pause until its billing hour, and a pause later bills it first, although no worker ran', async () => {
  const id = await student();
  await agree(id, { ate: '2027-02-28' });
  const pause = { ate: '2027-01-20' };
  const announced = async (ate: string) =>
    (await trainer.api.get<PausePreview>(`/students/${id}/pause/preview`, { query: { ate } })).body.meses;
  clock.at = new Date('2026-12-01T08:00:00Z');
  expect(await announced('2026-12-20')).toEqual(['2026-12-01']);
  clock.at = new Date('2026-12-01T12:00:00Z');
  expect(await announced('2026-12-20')).toEqual([]);
  expect(await announced('2027-03-20')).toEqual(['2027-01-01', '2027-02-01']);
  expect(await charges(id)).toEqual([]);
  await trainer.api.put(`/students/${id}/pause`, pause);
  expect(await charges(id)).toEqual([['2026-12-05', 40_000, 'mensalidade']]);
  clock.at = new Date('2027-01-21T12:00:00Z');
  await run();
  expect(await charges(id)).toHaveLength(1);
});

it('is expected until it is billed, and then its charge is', async () => {
  const id = await student();
  await agree(id, { ate: '2027-01-15' });
  const other = (
    await trainer.api.post('/charges', {
      student_id: id,
      descricao: 'Camiseta',
      valor: 7_000,
      vencimento: '2026-12-20',
    })
  ).body.id;
  expect([await previsto('2026-11'), await previsto('2026-12'), await previsto('2027-01')]).toEqual([
    0, 47_000, 40_000,
  ]);
  expect(await previsto('2027-02')).toBe(0);
  clock.at = new Date('2026-12-01T12:00:00Z');
  await run();
  expect(await charges(id)).toHaveLength(2);
  expect(await previsto('2026-12')).toBe(47_000);
  await trainer.api.post<PaymentDone>(`/charges/${other}/payments`, {
    valor: 7_000,
    data: '2026-12-01',
    metodo_pagamento: 'pix',
  });
  expect(await previsto('2026-12')).toBe(47_000);
  const [monthly] = (await trainer.api.get<ChargePage>('/charges', { query: { situacao: 'a_receber' } })).body
    .items;
  await trainer.api.post(`/charges/${monthly!.id}/cancel`);
  expect(await previsto('2026-12')).toBe(7_000);
});

it('is only read in the months in which it is due', async () => {
  const isRead = async () => (await tenantsReadBy(app, 'monthly_plans', run)).has(trainer.tenantId);
  const id = await student();
  await agree(id, { ate: '2026-12-31' });
  expect(await isRead()).toBe(false);
  clock.at = new Date('2026-12-01T09:00:00Z');
  expect(await isRead()).toBe(true);
  expect([await charges(id), await isRead()]).toEqual([[expect.anything()], false]);
  clock.at = new Date('2027-01-01T09:00:00Z');
  expect(await isRead()).toBe(false);
});

it('needs a monthly plan and an active student', async () => {
  const id = await student();
  const pack = (await trainer.api.post('/plans', { nome: 'Pacote', valor: 48_000, creditos: 8 })).body.id;
  const refused = async (more: object) =>
    (
      await trainer.api.request<{ code: string }>('PUT', `/api/v1/students/${id}/monthly-plan`, {
        body: terms(more),
      })
    ).body.code;
  expect(await refused({ plano_id: pack })).toBe('charges.not_monthly');
  expect(await refused({ ate: '2026-10-01' })).toBe('broken_rule');
  await trainer.api.post(`/students/${id}/archive`);
  expect(await refused({})).toBe('students.archived');
});

/** Makes the first of these trainers that the run processes fail, and expects that the run reports it. */
async function runAndFailOne(run: () => Promise<void>, trainers: Trainer[]): Promise<void> {
  const store = app.nest.get(EventStore);
  const transact = store.transact.bind(store);
  let failing: string | undefined;
  const broken = jest.spyOn(store, 'transact').mockImplementation((command, work) => {
    const { tenantId } = command.context;
    if (trainers.some((one) => one.tenantId === tenantId)) failing ??= tenantId;
    return tenantId === failing ? Promise.reject(new Error('broken')) : transact(command, work);
  });
  await expect(run()).rejects.toThrow(/1 of \d+ failed/);
  broken.mockRestore();
}

it('is billed for all others if the billing of one trainer fails, and for that one afterwards', async () => {
  clock.at = new Date('2027-02-01T12:00:00Z');
  const others: [Trainer, string][] = [];
  for (let n = 0; n < 3; n++) {
    trainer = await signUp(app);
    planId = (
      await trainer.api.post('/plans', { nome: 'Mensal', valor: 48_000, creditos: 8, tipo: 'mensal' })
    ).body.id;
    const id = await student();
    await agree(id);
    others.push([trainer, id]);
  }
  const billed = async () => {
    const counts: number[] = [];
    for (const [each, id] of others) {
      trainer = each;
      counts.push((await charges(id)).length);
    }
    return counts.toSorted();
  };
  clock.at = new Date('2027-03-01T12:00:00Z');
  await runAndFailOne(
    run,
    others.map(([each]) => each),
  );
  expect(await billed()).toEqual([0, 1, 1]);
  await run();
  expect(await billed()).toEqual([1, 1, 1]);
});

describe('recurring expenses', () => {
  const rent = {
    descricao: 'Aluguel',
    valor: 180_000,
    metodo_pagamento: 'pix',
    categoria: 'aluguel',
    vence_dia: 25,
    desde: '2026-11-01',
    ate: null,
  };
  const list = async () => (await trainer.api.get<RecurringExpensePage>('/recurring-expenses')).body;
  const add = async (more: object = {}) => {
    const { id } = (await trainer.api.post('/recurring-expenses', { ...rent, ...more })).body;
    await list();
    return id;
  };
  const record = () => app.run(recurringExpenseDays.Handler);
  const byName = (one: readonly unknown[], other: readonly unknown[]) =>
    String(one[2]).localeCompare(String(other[2]));
  /** Reads after a write of the trainer, so that it waits for the job's writes before it. */
  const spent = async (month: string) => {
    await trainer.api.post('/plans', { nome: 'Outro', valor: 1, creditos: 0 });
    const { items } = (await trainer.api.get<TransactionPage>('/transactions', { query: { month } })).body;
    return items.map(({ data, valor, descricao, categoria }) => [data, valor, descricao, categoria]);
  };

  it('are recorded on their day at 6:00 in the time zone, once, however often and late the job runs', async () => {
    await add();
    expect(await list()).toMatchObject({
      items: [{ descricao: 'Aluguel', proxima: '2026-11-25' }],
      total: { quantidade: 1, valor: 180_000 },
    });
    clock.at = new Date('2026-11-25T08:59:59Z');
    await record();
    expect(await spent('2026-11')).toEqual([]);
    clock.at = new Date('2026-11-25T09:00:00Z');
    await Promise.all([record(), record(), record()]);
    await record();
    expect(await spent('2026-11')).toEqual([['2026-11-25', 180_000, 'Aluguel', 'aluguel']]);
    // The worker is away over the beginnings of two months.
    clock.at = new Date('2027-01-26T12:00:00Z');
    await record();
    expect([await spent('2026-12'), await spent('2027-01'), await spent('2027-02')]).toEqual([
      [['2026-12-25', 180_000, 'Aluguel', 'aluguel']],
      [['2027-01-25', 180_000, 'Aluguel', 'aluguel']],
      [],
    ]);
    const { despesas } = (await trainer.api.get<MonthSummary>('/finance/months/2026-12')).body;
    expect(despesas).toBe(180_000);
    await expectRebuildToEqualLive(app, 'recurring-expenses');
  });

  it('are only read on their day', async () => {
    const isRead = async () => (await tenantsReadBy(app, 'recurring_expenses', record)).has(trainer.tenantId);
    await add();
    clock.at = new Date('2026-11-24T12:00:00Z');
    expect(await isRead()).toBe(false);
    clock.at = new Date('2026-11-25T09:00:00Z');
    expect(await isRead()).toBe(true);
    expect([await spent('2026-11'), await isRead()]).toEqual([[expect.anything()], false]);
  });

  it('change from the next cycle on, end, and can begin again', async () => {
    const id = await add();
    clock.at = new Date('2026-11-26T12:00:00Z');
    await record();
    await list();
    await trainer.api.put(`/recurring-expenses/${id}`, { ...rent, valor: 190_000, vence_dia: 28 });
    await list();
    clock.at = new Date('2026-12-28T12:00:00Z');
    await record();
    expect([await spent('2026-11'), await spent('2026-12')]).toEqual([
      [['2026-11-25', 180_000, 'Aluguel', 'aluguel']],
      [['2026-12-28', 190_000, 'Aluguel', 'aluguel']],
    ]);
    await trainer.api.delete(`/recurring-expenses/${id}`);
    expect((await list()).items).toEqual([]);
    clock.at = new Date('2027-01-29T12:00:00Z');
    await record();
    expect(await spent('2027-01')).toEqual([]);
    await trainer.api.put(`/recurring-expenses/${id}`, rent);
    expect((await list()).items).toMatchObject([{ id, proxima: '2027-02-25' }]);
  });

  it('of missed months are recorded with the values of that time, although they were changed or ended before a worker ran', async () => {
    const [changed, ended] = [await add(), await add({ descricao: 'Academia', categoria: 'academia' })];
    await add({ descricao: 'Curso', categoria: 'cursos' });
    clock.at = new Date('2026-12-26T12:00:00Z');
    await trainer.api.put(`/recurring-expenses/${changed}`, { ...rent, valor: 190_000, vence_dia: 28 });
    await trainer.api.delete(`/recurring-expenses/${ended}`);
    await record();
    clock.at = new Date('2027-01-29T12:00:00Z');
    await record();
    const entry = (data: string, valor: number, descricao: string, categoria: string) =>
      [data, valor, descricao, categoria] as const;
    for (const month of ['2026-11', '2026-12'])
      expect((await spent(month)).toSorted(byName)).toEqual([
        entry(`${month}-25`, 180_000, 'Academia', 'academia'),
        entry(`${month}-25`, 180_000, 'Aluguel', 'aluguel'),
        entry(`${month}-25`, 180_000, 'Curso', 'cursos'),
      ]);
    expect(await spent('2027-01')).toEqual([
      entry('2027-01-28', 190_000, 'Aluguel', 'aluguel'),
      entry('2027-01-25', 180_000, 'Curso', 'cursos'),
    ]);
    await expectRebuildToEqualLive(app, 'recurring-expenses');
  });

  it('end, and a reversed one is not recorded again', async () => {
    await add({ ate: '2026-12-24' });
    clock.at = new Date('2026-11-26T12:00:00Z');
    await record();
    expect(await spent('2026-11')).toHaveLength(1);
    const [entry] = (await trainer.api.get<TransactionPage>('/transactions', { query: { month: '2026-11' } }))
      .body.items;
    await trainer.api.post(`/transactions/${entry!.id}/reverse`, { motivo: 'em dobro' });
    clock.at = new Date('2027-01-26T12:00:00Z');
    await record();
    expect([(await spent('2026-11')).length, await spent('2026-12')]).toEqual([2, []]);
    expect(await list()).toMatchObject({ items: [{ proxima: null }], total: { quantidade: 1, valor: 0 } });
  });

  it('are recorded for all others if one trainer fails, and for that one afterwards', async () => {
    const first = trainer;
    await add();
    trainer = await signUp(app);
    await add();
    const both = async () => {
      const lengths: number[] = [];
      for (const each of [first, trainer]) {
        trainer = each;
        lengths.push((await spent('2026-11')).length);
      }
      return lengths.toSorted();
    };
    clock.at = new Date('2026-11-25T09:00:00Z');
    await runAndFailOne(record, [first, trainer]);
    expect(await both()).toEqual([0, 1]);
    await record();
    expect(await both()).toEqual([1, 1]);
  });

  it('are refused with a day that not every month has, or with an end before the beginning', async () => {
    const refused = async (more: object) =>
      (
        await trainer.api.request<{ code: string; errors?: { pointer: string }[] }>(
          'POST',
          '/api/v1/recurring-expenses',
          { body: { ...rent, ...more } },
        )
      ).body.errors?.map(({ pointer }) => pointer);
    expect([await refused({ vence_dia: 29 }), await refused({ ate: '2026-10-01' })]).toEqual([
      ['/vence_dia'],
      ['/ate'],
    ]);
  });
});
