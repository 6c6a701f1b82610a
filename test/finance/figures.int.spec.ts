import { beforeAll, describe, expect, it } from '@jest/globals';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { DebtorPage, Receivables } from '../../backend/modules/charges/receivables.api.js';
import type {
  Figure,
  FigureLines,
  MonthSummary,
  TransactionPage,
  YearSummary,
} from '../../backend/modules/finance/finance.api.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';

let app: TestApp;
let trainer: Trainer;

const methods = ['pix', 'cartao_credito', 'dinheiro'];
const day = (month: string, number: number) => `${month}-${String((number % 28) + 1).padStart(2, '0')}`;

/** Three months of a business: entries of both kinds, some reversed, charges in every state, students with monthly plans. */
async function live({ api }: Trainer): Promise<void> {
  const monthly = (await api.post('/plans', { nome: 'Mensal 8', valor: 48_001, creditos: 8, tipo: 'mensal' }))
    .body.id;
  const students = await Promise.all(
    Array.from({ length: 5 }, async (_, index) => {
      const fields = { nome: `Aluno ${index}`, telefone: `1191234000${index}`, plano_id: monthly };
      return (await api.post('/students', fields)).body.id;
    }),
  );
  const agreed = { plano_id: monthly, valor: 33_333, desde: '2026-12-01', ate: null, vence_dia: 28 };
  await api.put(`/students/${students[0]}/monthly-plan`, agreed);
  for (const [at, month] of ['2026-10', '2026-11', '2026-12'].entries()) {
    await Promise.all(
      Array.from({ length: 24 }, async (_, index) => {
        const tipo = index % 4 === 3 ? 'despesa' : 'receita';
        const { id } = (
          await api.post('/transactions', {
            ...{ tipo, descricao: `Lançamento ${index}`, valor: 1_001 + index * 777 + at },
            ...{ metodo_pagamento: methods[index % 3], data: day(month, index * 3) },
          })
        ).body;
        if (index % 7 === 0) await api.post(`/transactions/${id}/reverse`, { motivo: 'em dobro' });
      }),
    );
    for (const [index, student_id] of students.entries()) {
      const terms = { descricao: 'Pacote', valor: 10_003 + index, vencimento: day(month, index * 6) };
      const { id } = (await api.post('/charges', { student_id, ...terms })).body;
      const payment = { data: day(month, index), metodo_pagamento: 'pix' };
      if (index === 0) await api.post(`/charges/${id}/cancel`);
      if (index === 1) await api.post(`/charges/${id}/payments`, { ...payment, valor: terms.valor });
      if (index === 2) await api.post(`/charges/${id}/payments`, { ...payment, valor: 4_001 });
    }
  }
}

async function linesOf(month: string, figura: Figure) {
  const items: FigureLines['items'] = [];
  const totals = new Set<number>();
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const query = { figura, limit: 7, ...(cursor && { cursor }) };
    const { body } = await trainer.api.get<FigureLines>(`/finance/months/${month}/lines`, { query });
    items.push(...body.items);
    totals.add(body.total);
    cursor = body.next ?? undefined;
  }
  return { items, totals: [...totals], sum: items.reduce((sum, { valor }) => sum + valor, 0) };
}

beforeAll(async () => {
  app = await startApp({ clock: new SetClock(new Date('2026-11-21T12:00:00Z')) });
  trainer = await signUp(app);
  await live(trainer);
});

describe.each(['2026-10', '2026-11', '2026-12', '2027-01'])('every figure of %s', (month) => {
  it('is the sum of the lines that it opens into, to the cent', async () => {
    const summary = (await trainer.api.get<MonthSummary>(`/finance/months/${month}`)).body;
    const { recebido, despesas, lucro, previsto, alocacoes } = summary;
    const figures = { recebido, despesas, lucro, previsto, ...alocacoes };
    for (const [figura, value] of Object.entries(figures)) {
      const { items, totals, sum } = await linesOf(month, figura as Figure);
      expect([figura, sum, totals]).toEqual([figura, value, [value]]);
      expect(new Set(items.map(({ origem, id }) => `${origem} ${id}`)).size).toBe(items.length);
      expect(items.every(({ data }) => data.startsWith(month))).toBe(true);
    }
    // The others follow from these.
    const receitas = (await linesOf(month, 'recebido')).items;
    const count = receitas.reduce((sum, { estorno }) => sum + (estorno ? -1 : 1), 0);
    expect(summary.receitas).toBe(count);
    expect(summary.ticket_medio).toBe(count === 0 ? null : Math.round(recebido / count));
    expect(summary.aderencia).toBe(Math.round((recebido / summary.meta) * 1000) / 10);
    expect(summary.reserva_sugerida).toBe(Math.round(recebido / 5));
  });
});

it.each(['2026', '2027'])('every figure of the year %s is the sum of the lines of its month', async (ano) => {
  const { meses } = (await trainer.api.get<YearSummary>(`/finance/years/${ano}`)).body;
  expect(meses).toHaveLength(12);
  for (const { mes, ...figures } of meses)
    for (const [figura, value] of Object.entries(figures))
      expect([mes, figura, (await linesOf(mes, figura as Figure)).sum]).toEqual([mes, figura, value]);
});

it('the totals of a history are the sums of its entries', async () => {
  const query = { month: '2026-11', limit: 100 };
  const { items, total } = (await trainer.api.get<TransactionPage>('/transactions', { query })).body;
  const sum = (tipo: string) =>
    items.reduce((all, entry) => all + (entry.tipo === tipo ? entry.valor : 0), 0);
  const [receitas, despesas] = [sum('receita'), sum('despesa')];
  expect(total).toEqual({ quantidade: items.length, receitas, despesas, saldo: receitas - despesas });
  expect(items.length).toBeGreaterThan(24);
});

it('what is owed is the sum of the open charges, by age and by student', async () => {
  const query = { situacao: 'a_receber', limit: 100 };
  const { items, total } = (await trainer.api.get<ChargePage>('/charges', { query })).body;
  const left = (from: string, to: string) =>
    items
      .filter(({ vencimento }) => vencimento >= from && vencimento <= to)
      .reduce((sum, { falta }) => sum + falta, 0);
  const { falta, vencido, faixas } = (await trainer.api.get<Receivables>('/receivables')).body;
  const all = left('2026-10-01', '2026-12-31');
  expect([falta, total.falta, total.quantidade]).toEqual([all, all, items.length]);
  expect(vencido).toBe(left('2026-10-01', '2026-11-20'));
  expect(faixas.map((age) => [age.faixa, age.falta])).toEqual([
    ['a_vencer', left('2026-11-22', '2026-12-31')],
    ['hoje', left('2026-11-21', '2026-11-21')],
    ['ate_7', left('2026-11-14', '2026-11-20')],
    ['ate_30', left('2026-10-22', '2026-11-13')],
    ['mais', left('2026-10-01', '2026-10-21')],
  ]);
  const debtors = (await trainer.api.get<DebtorPage>('/receivables/students')).body.items;
  expect(new Set(debtors.map(({ id }) => id))).toEqual(new Set(items.map(({ student_id }) => student_id)));
  for (const { id, falta } of debtors) {
    const own = items.filter(({ student_id }) => student_id === id);
    expect(falta).toBe(own.reduce((sum, charge) => sum + charge.falta, 0));
  }
});

it('says what was charged and what is still to be billed apart, and whose it is', async () => {
  const { items } = await linesOf('2026-12', 'previsto');
  const { length } = items.filter(({ origem }) => origem === 'cobranca');
  expect([length, items.length - length]).toEqual([4, 5]);
  expect(items).toContainEqual(
    expect.objectContaining({
      ...{ origem: 'mensalidade', titulo: 'Mensal 8', aluno: 'Aluno 0' },
      ...{ valor: 33_333, data: '2026-12-28' },
    }),
  );
});
