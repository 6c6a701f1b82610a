import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { BillingJob } from '../../backend/modules/charges/billing.job.js';
import type { ChargePage, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { ShownMonthlyPlan } from '../../backend/modules/charges/monthly-plans.api.js';
import type { MonthSummary } from '../../backend/modules/finance/finance.api.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';

const clock = new SetClock(new Date());
let app: TestApp;
let trainer: Trainer;
let planId: string;

beforeAll(async () => {
  await testDatabase();
  app = await startApp({ clock });
});
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
  ...{ plano_id: planId, valor: 40_000, desde: '2026-11-01', ate: null, vence_dia: 5 },
  ...more,
});
/** The job reads what is projected: so does this, before it goes on. */
const agree = async (id: string, more: object = {}) => {
  await trainer.api.put(`/students/${id}/monthly-plan`, terms(more));
  await shown(id);
};
const shown = async (id: string) =>
  (await trainer.api.get<ShownMonthlyPlan>(`/students/${id}/monthly-plan`)).body.mensalidade;
const run = () => app.nest.get(BillingJob).run();
/** After a write of the trainer's own, which what the job wrote comes before. */
const charges = async (student_id: string) => {
  await trainer.api.post('/plans', { nome: 'Outro', valor: 1, creditos: 0 });
  const { items } = (
    await trainer.api.get<ChargePage>('/charges', { query: { student_id, situacao: 'a_receber' } })
  ).body;
  return items.map(({ valor, vencimento, origem }) => [vencimento, valor, origem]);
};
const previsto = async (mes: string) =>
  (await trainer.api.get<MonthSummary>(`/finance/months/${mes}`)).body.previsto;

it('is billed on day 1 at 6:00 in the zone, once, however often and late the job runs', async () => {
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
  // Away over two turns of the month.
  clock.at = new Date('2027-02-10T12:00:00Z');
  await run();
  expect(await charges(id)).toEqual([
    ['2026-12-05', 40_000, 'mensalidade'],
    ['2027-01-05', 40_000, 'mensalidade'],
    ['2027-02-05', 40_000, 'mensalidade'],
  ]);
  await expectRebuildToEqualLive(app, 'monthly-plans');
});

it('changes from the next cycle on, and ends', async () => {
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

it('passes over the months of a student who is inactive', async () => {
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

it('is expected until it is billed, and then by its charge', async () => {
  const id = await student();
  await agree(id, { ate: '2027-01-15' });
  const other = (
    await trainer.api.post('/charges', {
      ...{ student_id: id, descricao: 'Camiseta', valor: 7_000, vencimento: '2026-12-20' },
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
    ...{ valor: 7_000, data: '2026-12-01', metodo_pagamento: 'pix' },
  });
  expect(await previsto('2026-12')).toBe(47_000);
  const [monthly] = (await trainer.api.get<ChargePage>('/charges', { query: { situacao: 'a_receber' } })).body
    .items;
  await trainer.api.post(`/charges/${monthly!.id}/cancel`);
  expect(await previsto('2026-12')).toBe(7_000);
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
