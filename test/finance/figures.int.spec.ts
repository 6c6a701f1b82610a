import { beforeAll, expect, it } from '@jest/globals';
import type { TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import {
  allLines,
  expectHistoryToAddUp,
  expectMonthToAddUp,
  expectReceivablesToAddUp,
  expectYearToAddUp,
  linesOf,
} from './figures.js';

const clock = new SetClock(new Date('2026-11-21T12:00:00Z'));
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
      const mensalidade = { valor: 48_001, desde: '2026-11-01', ate: null, vence_dia: 1 + index * 6 };
      const fields = { nome: `Aluno ${index}`, telefone: `1191234000${index}`, plano_id: monthly };
      return (await api.post('/students', { ...fields, mensalidade })).body.id;
    }),
  );
  const agreed = { plano_id: monthly, valor: 33_333, desde: '2026-12-01', ate: null, vence_dia: 28 };
  await api.put(`/students/${students[0]}/monthly-plan`, agreed);
  // Money is dated today or before.
  clock.at = new Date('2026-12-31T12:00:00Z');
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
  clock.at = new Date('2026-11-21T12:00:00Z');
}

beforeAll(async () => {
  app = await sharedApp(clock);
  trainer = await signUp(app);
  await live(trainer);
});

it.each(['2026-10', '2026-11', '2026-12', '2027-01'])(
  'every figure of %s is the sum of its lines, to the cent',
  async (month) => {
    await expectMonthToAddUp(trainer.api, month);
  },
);

it.each(['2026', '2027'])('every figure of the year %s is the sum of the lines of its month', (ano) =>
  expectYearToAddUp(trainer.api, ano),
);

it('the totals of a history are the sums of its entries', async () => {
  expect(await expectHistoryToAddUp(trainer.api, '2026-11')).toBeGreaterThan(24);
});

it('debts are the sum of the open charges, by age and by student', async () => {
  await expectReceivablesToAddUp(trainer.api, [
    ['a_vencer', '2026-11-22', '2026-12-31'],
    ['hoje', '2026-11-21', '2026-11-21'],
    ['ate_7', '2026-11-14', '2026-11-20'],
    ['ate_30', '2026-10-22', '2026-11-13'],
    ['mais', '2026-10-01', '2026-10-21'],
  ]);
});

it('separates charged amounts from those still to be billed, with their students', async () => {
  const { items } = await linesOf(trainer.api, '2026-12', 'previsto');
  const { length } = items.filter(({ origem }) => origem === 'cobranca');
  expect([length, items.length - length]).toEqual([4, 5]);
  expect(items).toContainEqual(
    expect.objectContaining({
      ...{ origem: 'mensalidade', titulo: 'Mensal 8', aluno: 'Aluno 0' },
      ...{ valor: 33_333, data: '2026-12-28' },
    }),
  );
});

it('the expected amount of some days is what is due on them', async () => {
  const { items } = await linesOf(trainer.api, '2026-12', 'previsto');
  const days = { de: '2026-12-10', ate: '2026-12-28' };
  const due = items.filter(({ data }) => data >= days.de && data <= days.ate);
  expect(due.length).toBeGreaterThan(0);
  expect(due.length).toBeLessThan(items.length);
  const some = await allLines(trainer.api, { figura: 'previsto', ...days });
  expect(some.items).toEqual(due);
  expect(some.totals).toEqual([some.sum]);
});
