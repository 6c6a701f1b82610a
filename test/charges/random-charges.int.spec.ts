import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ChargePage, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type {
  Allocations,
  MonthSummary,
  TransactionPage,
  YearSummary,
} from '../../backend/modules/finance/finance.api.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';

const CREDITS = 10;
const months = ['2026-09', '2026-10', '2026-11'];

interface Payment {
  id: string;
  valor: number;
  mes: string;
}
interface Charge {
  id: string;
  /** The credits that settling it grants. */
  creditos: number;
  /** The granted credits that the student kept after refunds. */
  left: number;
  valor: number;
  mes: string;
  cancelled: boolean;
  payments: Payment[];
}
interface Model {
  charges: Charge[];
  /** Entries that pay no charge and were not reversed. */
  entries: (Payment & { tipo: 'receita' | 'despesa' })[];
  /** Number of credits. */
  used: number;
}

const app = await sharedApp(new SetClock(new Date('2026-11-21T12:00:00Z')));

const step = fc.record({
  kind: fc.constantFrom(
    ...(['issue', 'issue', 'issue', 'pay', 'pay', 'pay', 'pay', 'reverse', 'refund', 'refund'] as const),
    ...(['cancel', 'restore', 'change', 'use', 'record', 'correct', 'undo'] as const),
  ),
  pick: fc.nat(),
  share: fc.integer({ min: 1, max: 110 }),
  isWhole: fc.boolean(),
  valor: fc.integer({ min: 1, max: 99_999 }),
  mes: fc.constantFrom(...months),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type ChargeStep = Step & { kind: Exclude<Step['kind'], 'issue' | 'use' | 'record' | 'correct' | 'undo'> };

const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0);
const paidOf = ({ payments }: Charge) => sumOf(payments.map(({ valor }) => valor));
/** Valid credits: those of each settled charge, once, and those that the student kept after refunds. */
function balanceOf({ charges, used }: Model): number {
  const settled = charges.filter((charge) => paidOf(charge) === charge.valor);
  return sumOf(settled.map(({ creditos }) => creditos)) + sumOf(charges.map(({ left }) => left)) - used;
}

interface Known {
  trainer: Trainer;
  studentId: string;
  planId: string;
  model: Model;
}

/** Performs the action; expects a refusal where the model says that it is impossible. */
async function take(known: Known, one: Step): Promise<void> {
  const { api } = known.trainer;
  const { charges, entries } = known.model;
  const { kind, pick, valor, mes } = one;
  if (kind === 'issue') {
    const terms = { descricao: 'Plano', valor, vencimento: `${mes}-15` };
    const body = { student_id: known.studentId, plano_id: known.planId, ...terms };
    const { id } = (await api.post('/charges', body)).body;
    charges.push({ id, creditos: CREDITS, left: 0, valor, mes, cancelled: false, payments: [] });
  } else if (kind === 'use') {
    const path = `/students/${known.studentId}/credits/consume`;
    const isAllowed = balanceOf(known.model) > 0;
    if (await ask(api, isAllowed, 'post', path, { motivo: 'Aula' })) known.model.used += 1;
  } else if (kind === 'record' || kind === 'correct' || kind === 'undo') {
    const at = pick % Math.max(entries.length, 1);
    const path = kind === 'record' ? '' : `/${entries[at]?.id}/${kind === 'undo' ? 'reverse' : 'correct'}`;
    if (kind !== 'record' && !entries[at]) return;
    const tipo = pick % 3 === 0 ? 'despesa' : 'receita';
    const entry = { tipo, descricao: `Lançamento ${one.share}`, valor, data: `${mes}-20` } as const;
    const why = { motivo: `Era outro, de ${valor} e ${one.share}` };
    const motivo = kind === 'correct' ? why : {};
    const body = kind === 'undo' ? why : { ...entry, metodo_pagamento: 'pix', ...motivo };
    const { id } = (await api.post(`/transactions${path}`, body)).body;
    const after = kind === 'undo' ? [] : [{ id, tipo, valor, mes } as const];
    entries.splice(at, kind === 'record' ? 0 : 1, ...after);
  } else {
    const charge = charges[pick % Math.max(charges.length, 1)];
    if (charge) await takeCharge(known, charge, { ...one, kind });
  }
}

/** The action's result in the model; null if the system has to refuse it. */
async function ask(
  api: Trainer['api'],
  isAllowed: boolean,
  method: 'post' | 'patch',
  path: string,
  body?: unknown,
): Promise<PaymentDone | null> {
  if (isAllowed) return (await api[method]<PaymentDone>(path, body)).body;
  const { status } = await api.request(method.toUpperCase(), `/api/v1${path}`, { body });
  expect([409, 422]).toContain(status);
  return null;
}

async function takeCharge({ trainer, model }: Known, charge: Charge, one: ChargeStep): Promise<void> {
  const { kind, pick, share, isWhole, valor, mes } = one;
  const due = charge.valor - paidOf(charge);
  const payment = charge.payments[pick % Math.max(charge.payments.length, 1)];
  const post = (isAllowed: boolean, path: string, body?: unknown) =>
    ask(trainer.api, isAllowed, 'post', `/charges/${charge.id}${path}`, body);
  switch (kind) {
    case 'pay': {
      const part = isWhole ? Math.max(due, 1) : Math.max(1, Math.round((due * share) / 100));
      const body = { valor: part, data: `${mes}-20`, metodo_pagamento: 'pix' };
      const done = await post(!charge.cancelled && part <= due, '/payments', body);
      if (done) charge.payments.push({ id: done.payment_id, valor: part, mes });
      return;
    }
    case 'reverse': {
      if (!payment) return;
      const taken = due === 0 ? charge.creditos : 0;
      const path = `/payments/${payment.id}/reverse`;
      const done = await post(taken <= balanceOf(model), path);
      if (done) charge.payments = charge.payments.filter((each) => each !== payment);
      return;
    }
    case 'refund': {
      if (!payment) return;
      const back = isWhole ? payment.valor : Math.max(1, Math.round((payment.valor * share) / 100));
      const creditos = pick % 4;
      const isAllowed =
        due === 0 && back <= payment.valor && creditos <= charge.creditos && creditos <= balanceOf(model);
      const body = { valor: back, valor_atual: payment.valor, creditos, motivo: 'porque sim' };
      if (!(await post(isAllowed, `/payments/${payment.id}/refund`, body))) return;
      payment.valor -= back;
      charge.payments = charge.payments.filter((each) => each.valor > 0);
      if (charge.payments.length > 0) {
        charge.valor -= back;
        charge.creditos -= creditos;
        return;
      }
      charge.cancelled = true;
      charge.left += charge.creditos - creditos;
      charge.creditos = creditos;
      return;
    }
    case 'cancel':
      if (await post(charge.payments.length === 0, '/cancel')) charge.cancelled = true;
      return;
    case 'restore':
      await post(true, '/restore');
      charge.cancelled = false;
      return;
    case 'change': {
      const isAllowed =
        !charge.cancelled && due > 0 && (charge.payments.length === 0 || valor === charge.valor);
      if (await ask(trainer.api, isAllowed, 'patch', `/charges/${charge.id}`, { valor }))
        charge.valor = valor;
    }
  }
}

/** A month's figures, computed by the model. */
function figuresOf({ charges, entries }: Model, mes: string) {
  const ofMonth = <Each extends { mes: string }>(all: readonly Each[]) =>
    all.filter((each) => each.mes === mes);
  const byHand = (tipo: string) => ofMonth(entries.filter((entry) => entry.tipo === tipo));
  const income = [...ofMonth(charges.flatMap(({ payments }) => payments)), ...byHand('receita')];
  const standing = ofMonth(charges).filter(({ cancelled }) => !cancelled);
  return {
    receitas: income.length,
    recebido: sumOf(income.map(({ valor }) => valor)),
    sem_cobranca: sumOf(byHand('receita').map(({ valor }) => valor)),
    despesas: sumOf(byHand('despesa').map(({ valor }) => valor)),
    previsto: sumOf(standing.map(({ valor }) => valor)),
    falta: sumOf(standing.map((charge) => charge.valor - paidOf(charge))),
  };
}

it('every figure is the sum of its valid entries after random charges, partial payments, reversals and refunds', async () => {
  const seed = Date.now() % 1_000_000;
  const steps = fc.sample(step, { numRuns: rounds(60, 600), seed });
  const trainer = await signUp(app);
  const { api } = trainer;
  const planId = (await api.post('/plans', { nome: 'Plano', valor: 1_000, creditos: CREDITS })).body.id;
  const studentId = (await api.post('/students', { nome: 'Ana', telefone: '(11) 98877-6655' })).body.id;
  const known: Known = { trainer, studentId, planId, model: { charges: [], entries: [], used: 0 } };
  const { model } = known;
  for (const [at, one] of steps.entries())
    await take(known, one).catch((cause: unknown) => {
      throw new Error(`seed ${seed}, step ${at}: ${JSON.stringify(one)}`, { cause });
    });
  // One payment that stands: a history may have reversed all of its own, and a rebuild is compared only where there are rows.
  const last = { pick: 0, share: 100, isWhole: true, valor: 10_000, mes: months[0]! };
  await take(known, { ...last, kind: 'issue' });
  await takeCharge(known, model.charges.at(-1)!, { ...last, kind: 'pay' });

  const { meses } = (await api.get<YearSummary>('/finance/years/2026')).body;
  for (const mes of months) {
    const { receitas, recebido, sem_cobranca, despesas, previsto, falta } = figuresOf(model, mes);
    const summary = (await api.get<MonthSummary>(`/finance/months/${mes}`)).body;
    const lucro = recebido - despesas;
    const figures = { receitas, recebido, sem_cobranca, despesas, lucro, previsto };
    expect([seed, summary]).toMatchObject([seed, figures]);
    expect([seed, sumOf(Object.values(summary.alocacoes))]).toEqual([seed, recebido]);
    expect([seed, meses.find((each) => each.mes === mes)]).toEqual([
      seed,
      { mes, previsto, recebido, despesas },
    ]);
    const entries = (await api.get<TransactionPage>('/transactions', { query: { month: mes, limit: 100 } }))
      .body;
    expect([seed, entries.next, entries.total.saldo]).toEqual([seed, null, lucro]);
    for (const entry of entries.items) {
      const { total } = (await api.get<Allocations>(`/transactions/${entry.id}/allocations`)).body;
      expect(total).toBe(entry.tipo === 'receita' ? entry.valor : 0);
    }
    const open = (await api.get<ChargePage>('/charges', { query: { mes, situacao: 'a_receber' } })).body;
    expect([seed, open.total.falta]).toEqual([seed, falta]);
  }
  const { saldo } = (await api.get<CreditStatement>(`/students/${studentId}/credits`)).body;
  expect([seed, saldo]).toEqual([seed, balanceOf(model)]);
  for (const name of ['charges', 'charge-payments', 'transactions', 'finance-months'])
    await expectRebuildToEqualLive(app, name);
});
