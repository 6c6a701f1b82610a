import { beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChargePage, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type {
  Allocations,
  MonthSummary,
  TransactionPage,
} from '../../backend/modules/finance/finance.api.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';

const CREDITS = 10;
const months = ['2026-10', '2026-11', '2026-12'];
let app: TestApp;

interface Payment {
  id: string;
  valor: number;
  mes: string;
}
interface Charge {
  id: string;
  /** What settling it grants. */
  creditos: number;
  /** What the student kept of what was given back. */
  left?: number;
  valor: number;
  mes: string;
  cancelled: boolean;
  payments: Payment[];
}

beforeAll(async () => {
  app = await startApp({ clock: new SetClock(new Date('2026-11-21T12:00:00Z')) });
});

const step = fc.record({
  kind: fc.constantFrom(
    'issue',
    'issue',
    'pay',
    'pay',
    'pay',
    'reverse',
    'refund',
    'cancel',
    'restore',
    'change',
  ),
  pick: fc.nat(),
  share: fc.integer({ min: 1, max: 110 }),
  valor: fc.integer({ min: 1, max: 99_999 }),
  mes: fc.constantFrom(...months),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Does what the model says is possible, and expects a refusal of what is not. */
async function take({ api }: Trainer, studentId: string, planId: string, model: Charge[], one: Step) {
  const { kind, pick, share, valor, mes } = one;
  if (kind === 'issue') {
    const terms = { descricao: 'Plano', valor, vencimento: `${mes}-15` };
    const { id } = (await api.post('/charges', { student_id: studentId, plano_id: planId, ...terms })).body;
    model.push({ id, creditos: CREDITS, valor, mes, cancelled: false, payments: [] });
    return;
  }
  const charge = model[pick % model.length];
  if (!charge) return;
  const paid = charge.payments.reduce((sum, payment) => sum + payment.valor, 0);
  const due = charge.valor - paid;
  const send = (method: string, path: string, body?: unknown) =>
    api.request<PaymentDone>(method, `/api/v1/charges/${charge.id}${path}`, { body });
  const expectDone = (status: number, isAllowed: boolean) =>
    expect([one, status < 300]).toEqual([one, isAllowed]);
  if (kind === 'pay') {
    const part = Math.max(1, Math.round((due * share) / 100));
    const answer = await send('POST', '/payments', {
      valor: part,
      data: `${mes}-20`,
      metodo_pagamento: 'pix',
    });
    expectDone(answer.status, !charge.cancelled && part <= due);
    if (answer.status < 300) charge.payments.push({ id: answer.body.payment_id, valor: part, mes });
  } else if (kind === 'reverse') {
    const payment = charge.payments[pick % Math.max(charge.payments.length, 1)];
    if (!payment) return;
    expectDone((await send('POST', `/payments/${payment.id}/reverse`)).status, true);
    charge.payments = charge.payments.filter((each) => each !== payment);
  } else if (kind === 'refund') {
    const payment = charge.payments[pick % Math.max(charge.payments.length, 1)];
    if (!payment) return;
    const back = Math.max(1, Math.round((payment.valor * share) / 100));
    const creditos = pick % 4;
    const body = { valor: back, valor_atual: payment.valor, creditos, motivo: 'porque sim' };
    const { status } = await send('POST', `/payments/${payment.id}/refund`, body);
    expectDone(status, due === 0 && back <= payment.valor && creditos <= charge.creditos);
    if (status >= 300) return;
    payment.valor -= back;
    charge.payments = charge.payments.filter((each) => each.valor > 0);
    if (charge.payments.length > 0) {
      charge.valor -= back;
      charge.creditos -= creditos;
    } else {
      charge.cancelled = true;
      charge.left = (charge.left ?? 0) + charge.creditos - creditos;
      charge.creditos = creditos;
    }
  } else if (kind === 'cancel') {
    const { status } = await send('POST', '/cancel');
    expectDone(status, charge.payments.length === 0);
    if (status < 300) charge.cancelled = true;
  } else if (kind === 'restore') {
    expectDone((await send('POST', '/restore')).status, true);
    charge.cancelled = false;
  } else {
    const { status } = await send('PATCH', '', { valor });
    const isOpen = !charge.cancelled && due > 0;
    expectDone(status, isOpen && (charge.payments.length === 0 || valor === charge.valor));
    if (status < 300) charge.valor = valor;
  }
}

it('whatever is charged, paid in parts, taken back and given back, every figure is the sum of what stands', async () => {
  const seed = Date.now() % 1_000_000;
  const steps = fc.sample(step, { numRuns: 120, seed });
  const trainer = await signUp(app);
  const { api } = trainer;
  const planId = (await api.post('/plans', { nome: 'Plano', valor: 1_000, creditos: CREDITS })).body.id;
  const studentId = (await api.post('/students', { nome: 'Ana', telefone: '(11) 98877-6655' })).body.id;
  const model: Charge[] = [];
  for (const one of steps) await take(trainer, studentId, planId, model, one);

  const sumOf = (numbers: number[]) => numbers.reduce((sum, each) => sum + each, 0);
  const payments = model.flatMap((charge) => charge.payments);
  for (const mes of months) {
    const own = payments.filter((payment) => payment.mes === mes);
    const summary = (await api.get<MonthSummary>(`/finance/months/${mes}`)).body;
    const recebido = sumOf(own.map(({ valor }) => valor));
    expect([seed, summary.recebido, summary.receitas]).toEqual([seed, recebido, own.length]);
    expect([seed, sumOf(Object.values(summary.alocacoes))]).toEqual([seed, recebido]);
    const entries = (await api.get<TransactionPage>('/transactions', { query: { month: mes, limit: 100 } }))
      .body;
    expect([seed, sumOf(entries.items.map(({ valor }) => valor))]).toEqual([seed, recebido]);
    for (const entry of entries.items) {
      const { total } = (await api.get<Allocations>(`/transactions/${entry.id}/allocations`)).body;
      expect(total).toBe(entry.valor);
    }
    const due = (await api.get<ChargePage>('/charges', { query: { mes, situacao: 'a_receber' } })).body.total;
    const open = model
      .filter((charge) => charge.mes === mes && !charge.cancelled)
      .map(({ valor, payments: own }) => valor - sumOf(own.map((payment) => payment.valor)));
    expect([seed, due.falta]).toEqual([seed, sumOf(open)]);
  }
  const settled = model.filter(
    ({ valor, payments: own }) => sumOf(own.map((payment) => payment.valor)) === valor,
  );
  const granted = sumOf(settled.map(({ creditos }) => creditos)) + sumOf(model.map(({ left = 0 }) => left));
  const { saldo } = (await api.get<CreditStatement>(`/students/${studentId}/credits`)).body;
  expect([seed, saldo]).toEqual([seed, granted]);
});
