import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays, addHours, subDays } from 'date-fns';
import fc from 'fast-check';
import type {
  Figure,
  FigureLines,
  FigurePart,
  MonthChanges,
  MonthSummary,
  TransactionPage,
  YearSummary,
} from '../../backend/modules/finance/finance.api.js';
import type { ProblemBody } from '../../backend/platform/http/common.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { reacted } from '../proof/read-tables.js';
import type { Client } from '../support/client.js';
import { SetClock, dayOf } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';
import { consents, type RequestPage } from '../../backend/modules/contracts/contracts.api.js';
import type { ChargePage } from '../../backend/modules/charges/charges.api.js';
import type { DebtorPage, Receivables } from '../../backend/modules/charges/receivables.api.js';
import { daysOf } from '../../backend/modules/advisor/days.js';

const clock = new SetClock(new Date('2026-11-21T12:00:00Z'));

const methods = ['pix', 'cartao_credito', 'dinheiro'];
const day = (month: string, number: number) => `${month}-${String((number % 28) + 1).padStart(2, '0')}`;

/** All lines that a figure of a month opens into. */
const linesOf = (api: Client, month: string, figura: Figure) =>
  allLines(api, { figura, ...daysOf({ de: month, ate: month }) });

/** All lines that a figure opens into, page by page; their sum, and the totals that the pages gave. */
async function allLines(api: Client, part: FigurePart) {
  const items: FigureLines['items'] = [];
  const totals = new Set<number>();
  for (let cursor: string | undefined, first = true; first || cursor; first = false) {
    const query = { ...part, limit: 7, ...(cursor && { cursor }) };
    const { body } = await api.get<FigureLines>('/finance/lines', { query });
    items.push(...body.items);
    totals.add(body.total);
    cursor = body.next ?? undefined;
  }
  return { items, totals: [...totals], sum: items.reduce((sum, { valor }) => sum + valor, 0) };
}

async function expectMonthToAddUp(api: Client, month: string): Promise<MonthSummary> {
  const summary = (await api.get<MonthSummary>(`/finance/months/${month}`)).body;
  const { recebido, despesas, lucro, previsto, ainda_entra, alocacoes } = summary;
  const figures = { recebido, despesas, lucro, previsto, ainda_entra, ...alocacoes };
  for (const [figura, value] of Object.entries(figures)) {
    const { items, totals, sum } = await linesOf(api, month, figura as Figure);
    expect([figura, sum, totals]).toEqual([figura, value, [value]]);
    expect(new Set(items.map(({ origem, id }) => `${origem} ${id}`)).size).toBe(items.length);
    expect(items.every(({ data }) => data.startsWith(month))).toBe(true);
  }
  // The other figures are computed from these.
  const receitas = (await linesOf(api, month, 'recebido')).items;
  const count = receitas.reduce((sum, { estorno }) => sum + (estorno ? -1 : 1), 0);
  expect(summary.receitas).toBe(count);
  expect(summary.ticket_medio).toBe(count === 0 ? null : Math.round(recebido / count));
  expect(summary.aderencia).toBe(Math.round((recebido * 1000) / summary.meta) / 10);
  expect(summary.reserva_sugerida).toBe(Math.round(recebido / 5));
  return summary;
}

async function expectYearToAddUp(api: Client, ano: string): Promise<void> {
  const { meses } = (await api.get<YearSummary>(`/finance/years/${ano}`)).body;
  expect(meses).toHaveLength(12);
  for (const { mes, ...figures } of meses)
    for (const [figura, value] of Object.entries(figures))
      expect([mes, figura, (await linesOf(api, mes, figura as Figure)).sum]).toEqual([mes, figura, value]);
}

/** Returns the number of entries in the month's history. */
async function expectHistoryToAddUp(api: Client, month: string): Promise<number> {
  const items: TransactionPage['items'] = [];
  let total: TransactionPage['total'];
  let cursor: string | undefined;
  do {
    const query = { month, limit: 100, ...(cursor && { cursor }) };
    const { body } = await api.get<TransactionPage>('/transactions', { query });
    items.push(...body.items);
    total ??= body.total;
    cursor = body.next ?? undefined;
  } while (cursor);
  const sum = (tipo: string) =>
    items.reduce((all, entry) => all + (entry.tipo === tipo ? entry.valor : 0), 0);
  const [receitas, despesas] = [sum('receita'), sum('despesa')];
  expect(total).toEqual({ quantidade: items.length, receitas, despesas, saldo: receitas - despesas });
  return items.length;
}

/** `ages`: first and last due date of each age by its name. Returns the number of open charges. */
async function expectReceivablesToAddUp(
  api: Client,
  ages: readonly [name: string, from: string, to: string][],
): Promise<number> {
  const items: ChargePage['items'] = [];
  let total: ChargePage['total'];
  let cursor: string | undefined;
  do {
    const query = { situacao: 'a_receber', limit: 100, ...(cursor && { cursor }) };
    const { body } = await api.get<ChargePage>('/charges', { query });
    items.push(...body.items);
    total ??= body.total;
    cursor = body.next ?? undefined;
  } while (cursor);
  const left = (from: string, to: string) =>
    items
      .filter(({ vencimento }) => vencimento >= from && vencimento <= to)
      .reduce((sum, { falta }) => sum + falta, 0);
  const { falta, vencido, faixas } = (await api.get<Receivables>('/receivables')).body;
  const all = left('', '9');
  expect([falta, total!.falta, total!.quantidade]).toEqual([all, all, items.length]);
  expect(vencido).toBe(left('', ages.find(([name]) => name === 'ate_7')![2]));
  expect(faixas.map((age) => [age.faixa, age.falta])).toEqual(
    ages.map(([name, from, to]) => [name, left(from, to)]),
  );
  const debtors: DebtorPage['items'] = [];
  do {
    const { body } = await api.get<DebtorPage>('/receivables/students', {
      query: { limit: 100, ...(cursor && { cursor }) },
    });
    debtors.push(...body.items);
    cursor = body.next ?? undefined;
  } while (cursor);
  expect(new Set(debtors.map(({ id }) => id))).toEqual(new Set(items.map(({ student_id }) => student_id)));
  for (const { id, falta: owed } of debtors) {
    const own = items.filter(({ student_id }) => student_id === id);
    expect(owed).toBe(own.reduce((sum, charge) => sum + charge.falta, 0));
  }
  return items.length;
}

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
            tipo,
            descricao: `Lançamento ${index}`,
            valor: 1_001 + index * 777 + at,
            metodo_pagamento: methods[index % 3],
            data: day(month, index * 3),
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

const database = await testDatabase();
const app = await sharedApp(clock);
const trainer = await signUp(app);
await live(trainer);

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
      origem: 'mensalidade',
      titulo: 'Mensal 8',
      aluno: 'Aluno 0',
      valor: 33_333,
      data: '2026-12-28',
    }),
  );
});

it('what is still to come is what is not paid of the expected amount', async () => {
  const [all, left] = await Promise.all(
    (['previsto', 'ainda_entra'] as const).map(
      async (figura) => (await linesOf(trainer.api, '2026-12', figura)).items,
    ),
  );
  const settled = all!.filter(({ id }) => !left!.some((line) => line.id === id));
  expect(settled.map(({ valor }) => valor)).toEqual([10_004]);
  const partly = left!.flatMap(({ id, valor }) => {
    const whole = all!.find((line) => line.id === id)!.valor;
    return whole === valor ? [] : [[whole, valor]];
  });
  expect(partly).toEqual([[10_005, 6_004]]);
});

it('what is overdue is what was due before today and is not paid', async () => {
  const overdue: number[] = [];
  for (const month of ['2026-10', '2026-11', '2026-12']) {
    const { items } = await linesOf(trainer.api, month, 'ainda_entra');
    const { vencido } = (await trainer.api.get<MonthSummary>(`/finance/months/${month}`)).body;
    const due = items.filter(({ data }) => data < '2026-11-21').map(({ valor }) => valor);
    expect(vencido).toBe(due.reduce((sum, valor) => sum + valor, 0));
    overdue.push(vencido);
  }
  expect(overdue[1]).toBeGreaterThan(0);
  expect(overdue[2]).toBe(0);
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

describe('a past moment', () => {
  const kinds = [
    ...(['record', 'record', 'reverse', 'correct', 'issue', 'issue', 'pay', 'unpay', 'refund'] as const),
    ...([
      'cancel',
      'change',
      'enrol',
      'rename',
      'archive',
      'pause',
      'agree',
      'end',
      'goals',
      'price',
    ] as const),
    ...(['renew', 'renew', 'use', 'adjust', 'transfer', 'lesson', 'lesson', 'reopen', 'merge'] as const),
    ...(['move', 'miss', 'remove', 'task', 'task', 'vacation'] as const),
    ...(['deliver', 'take back'] as const),
    ...([
      'note',
      'note',
      'receipt',
      'receipt',
      'send',
      'answer',
      'revise',
      'coming',
      'coming',
      'class',
    ] as const),
  ];
  const step = fc.record({
    kind: fc.constantFrom(...kinds),
    pick: fc.nat(1_000),
    valor: fc.integer({ min: 100, max: 99_999 }),
    days: fc.integer({ min: 0, max: 45 }),
  });
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  /** What a business has, by kind; paid: charge and payment. */
  interface Business {
    students: string[];
    entries: string[];
    charges: { id: string; valor: number }[];
    paid: { id: string; payment: string; valor: number }[];
    plan: string;
    lessons: string[];
    tasks: string[];
    vacations: string[];
    notes: string[];
    contract: string;
    /** A location where late cancellations cost. */
    place: string;
    /** The client of the first student, who is merged into nobody. */
    own: Client;
  }

  /** One step of a random history; what the rules refuse changes nothing. */
  async function take(api: Client, all: Business, { kind, pick, valor, days }: Step): Promise<void> {
    const one = <Thing>(of: readonly Thing[]) => of[pick % Math.max(of.length, 1)];
    const day = (back: number) => dayOf(subDays(clock.at, back));
    const [student, charge, paid] = [one(all.students)!, one(all.charges), one(all.paid)];
    const ask = (method: string, path: string, body: unknown = {}) =>
      api.request<Record<string, string>>(method, `/api/v1${path}`, { body });
    const entry = {
      tipo: pick % 3 === 0 ? 'despesa' : 'receita',
      descricao: `Lançamento ${pick}`,
      valor,
      metodo_pagamento: 'pix',
      data: day(days),
      student_id: pick % 2 ? student : null,
    };
    switch (kind) {
      case 'record':
        return void all.entries.push((await api.post('/transactions', entry)).body.id);
      case 'reverse':
        return void (await ask('POST', `/transactions/${one(all.entries)}/reverse`, { motivo: 'em dobro' }));
      case 'correct': {
        const body = { ...entry, motivo: 'era outro' };
        const { status, body: next } = await ask('POST', `/transactions/${one(all.entries)}/correct`, body);
        return void (status === 201 && all.entries.push(next.id!));
      }
      case 'issue': {
        const due = { descricao: 'Pacote', valor, vencimento: day(20 - days) };
        const { body } = await ask('POST', '/charges', { student_id: student, ...due });
        return void (body.id && all.charges.push({ id: body.id, valor }));
      }
      case 'pay': {
        const part = pick % 2 ? charge?.valor : 50;
        const body = { valor: part, data: day(days), metodo_pagamento: 'pix' };
        const { status, body: done } = await ask('POST', `/charges/${charge?.id}/payments`, body);
        return void (
          status === 201 && all.paid.push({ id: charge!.id, payment: done.payment_id!, valor: part! })
        );
      }
      case 'unpay':
        return void (await ask('POST', `/charges/${paid?.id}/payments/${paid?.payment}/reverse`));
      case 'refund': {
        const body = { valor: 40, valor_atual: paid?.valor, creditos: 0, motivo: 'porque sim' };
        return void (await ask('POST', `/charges/${paid?.id}/payments/${paid?.payment}/refund`, body));
      }
      case 'cancel':
        return void (await ask('POST', `/charges/${charge?.id}/cancel`));
      case 'change':
        return void (await ask('PATCH', `/charges/${charge?.id}`, { valor, vencimento: day(20 - days) }));
      case 'enrol': {
        const fields = {
          nome: `Aluno ${pick}`,
          telefone: '(11) 98877-6655',
          plano_id: all.plan,
          mensalidade: { valor, desde: day(0), ate: null, vence_dia: (pick % 28) + 1 },
        };
        return void all.students.push((await api.post('/students', fields)).body.id);
      }
      case 'rename':
        return void (await ask('PATCH', `/students/${student}`, { nome: `Outro ${pick}` }));
      case 'archive':
        return void (await ask('POST', `/students/${student}/${pick % 3 ? 'archive' : 'restore'}`));
      case 'pause':
        return void (await ask('PUT', `/students/${student}/pause`, { ate: pick % 3 ? day(-days) : null }));
      case 'agree': {
        const terms = { plano_id: all.plan, valor, desde: day(0), ate: null, vence_dia: (pick % 28) + 1 };
        return void (await ask('PUT', `/students/${student}/monthly-plan`, terms));
      }
      case 'end':
        return void (await ask('DELETE', `/students/${student}/monthly-plan`));
      case 'goals': {
        const shares = { imposto: 10, reserva: pick % 40, operacional: 40 - (pick % 40), retirada: 50 };
        return void (await ask('PUT', '/settings', { meta_mensal: valor, meta_reserva: valor, ...shares }));
      }
      case 'price':
        return void (await ask('PATCH', `/plans/${all.plan}`, { valor, nome: `Mensal ${pick}` }));
      case 'renew': {
        // Some of these credits have expired by now.
        if (pick % 2) clock.at = subDays(clock.at, days);
        if (pick % 3 === 0) return void (await ask('POST', `/students/${student}/credits/renew`));
        const paid = { valor, data: dayOf(clock.at), metodo_pagamento: 'pix' };
        return void (await ask('POST', `/students/${student}/credits/renew/payment`, paid));
      }
      case 'use':
        return void (await ask('POST', `/students/${student}/credits/consume`, { motivo: `Uso ${pick}` }));
      case 'adjust': {
        const quantidade = (pick % 5) - 1 || 2;
        return void (await ask('POST', `/students/${student}/credits/adjust`, {
          quantidade,
          motivo: 'acerto',
        }));
      }
      case 'transfer': {
        const body = { para: all.students[days % all.students.length], quantidade: 1, motivo: 'irmãos' };
        return void (await ask('POST', `/students/${student}/credits/transfer`, body));
      }
      case 'lesson': {
        const inicio = subDays(clock.at, days).toISOString();
        const fim = addHours(subDays(clock.at, days), 1).toISOString();
        const booking = { student_id: student, inicio, fim, permitir_conflito: true };
        const { body } = await ask('POST', '/sessions', booking);
        if (body.id) all.lessons.push(body.id);
        return void (await ask('POST', `/sessions/${body.id}/complete`));
      }
      case 'reopen':
        return void (await ask('POST', `/sessions/${one(all.lessons)}/${pick % 3 ? 'reopen' : 'complete'}`));
      case 'move': {
        const inicio = subDays(clock.at, days);
        const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
        const lesson = `/sessions/${one(all.lessons)}`;
        await ask('POST', `${lesson}/reopen`);
        return void (await ask('PATCH', lesson, { ...times, permitir_conflito: true }));
      }
      case 'miss': {
        await ask('POST', `/sessions/${one(all.lessons)}/reopen`);
        return void (await ask('POST', `/sessions/${one(all.lessons)}/cancel`, { motivo: 'falta' }));
      }
      case 'remove': {
        const lesson = one(all.lessons);
        const { status } = await ask('DELETE', `/sessions/${lesson}`);
        return void (status < 300 && all.lessons.splice(all.lessons.indexOf(lesson!), 1));
      }
      case 'deliver':
      case 'take back': {
        const method = kind === 'deliver' ? 'PUT' : 'DELETE';
        return void (await ask(method, `/finance/months/${day(days).slice(0, 7)}/delivery`));
      }
      case 'task': {
        const id = one(all.tasks);
        if (id && pick % 2)
          return void (pick % 3
            ? await ask('POST', `/tasks/${id}/complete`)
            : await ask('DELETE', `/tasks/${id}`));
        const task = { titulo: `Tarefa ${pick}`, data_vencimento: day(days) };
        return void all.tasks.push((await api.post('/tasks', task)).body.id);
      }
      case 'vacation': {
        if (all.vacations.length > 0 && pick % 2)
          return void (await ask('DELETE', `/vacations/${one(all.vacations)}`));
        const dates = {
          start_date: day(-60 - days),
          end_date: day(-63 - days),
          description: `Viagem ${pick}`,
        };
        const { body } = await ask('POST', '/vacations', { ...dates, cancelar: [], mover: [], manter: [] });
        return void (body.id && all.vacations.push(body.id));
      }
      case 'note': {
        const id = one(all.notes);
        const note = { dia: day(days), texto: `Anotação ${pick}` };
        if (id && pick % 3 === 0) return void (await ask('PATCH', `/student-notes/${id}`, note));
        if (id && pick % 5 === 0) return void (await ask('DELETE', `/student-notes/${id}`));
        return void all.notes.push((await api.post(`/students/${student}/notes`, note)).body.id);
      }
      case 'receipt': {
        const wanted = {
          nome: 'Quem Pagou',
          cpf: null,
          descricao: `Aulas ${pick}`,
          de: day(30),
          ate: day(0),
        };
        const id = pick % 2 ? paid?.payment : one(all.entries);
        return void (await ask('POST', `/transactions/${id}/receipt`, wanted));
      }
      case 'send':
        return void (await ask('POST', `/contracts/${all.contract}/send`, {
          alunos: [student],
          canal: 'link',
        }));
      case 'revise':
        return void (await ask('PATCH', `/contracts/${all.contract}`, { titulo: `Contrato ${pick}` }));
      case 'answer': {
        const { body } = await api.get<RequestPage>(`/contracts/${all.contract}/requests`);
        const sent = one(body.items.filter(({ url }) => url !== null));
        if (!sent) return;
        if (pick % 3 === 0) return void (await ask('DELETE', `/signature-requests/${sent.id}`));
        const token = sent.url!.split('/').at(-1);
        if (pick % 3 === 1) {
          return void (await ask('POST', '/signature-links/decline', { token, motivo: `Motivo ${pick}` }));
        }
        await ask('POST', '/signature-links/sign', {
          token,
          nome: 'Quem Assina',
          cpf: '529.982.247-25',
          telefone: '(21) 98888-7777',
          consent_data_processing: true,
          consent_terms: true,
          consentimento: consents.versao,
        });
        return;
      }
      case 'coming': {
        const inicio = addHours(addDays(clock.at, days % 3), 1 + (pick % 12));
        const times = { inicio: inicio.toISOString(), fim: addHours(inicio, 1).toISOString() };
        const booking = {
          student_id: all.students[0],
          location_id: all.place,
          ...times,
          permitir_conflito: true,
        };
        const { body } = await ask('POST', '/sessions', booking);
        if (!body.id) return;
        all.lessons.push(body.id);
        const wish = `/student/sessions/${body.id}/request`;
        if (pick % 3) await all.own.request('POST', `/api/v1${wish}`, { body: { motivo: 'prova' } });
        if (pick % 3 === 1) await ask('POST', `/session-requests/${body.id}/grant`);
        return;
      }
      case 'class': {
        const inicio = addHours(addDays(clock.at, days % 3), 13 + (pick % 9)).toISOString();
        const fim = addHours(inicio, 1).toISOString();
        const booking = { student_id: student, inicio, fim, permitir_conflito: true };
        const { body } = await ask('POST', '/sessions', booking);
        if (!body.id) return;
        all.lessons.push(body.id);
        const { body: opened } = await ask('PUT', `/sessions/${body.id}/class`, {
          escopo: 'so_esta',
          aberta: pick % 5 > 0,
          nome: `Turma ${pick}`,
          vagas: 2 + (pick % 3),
          ate_horas: 0,
          minimo_alunos: null,
          minimo_horas: 1,
        });
        const seat = `/api/v1/student/classes/${opened.id}`;
        await all.own.request('POST', `${seat}/book`, { body: { inicio } });
        return void (pick % 2 && (await all.own.request('POST', `${seat}/wait`, { body: { inicio } })));
      }
      case 'merge': {
        const com = all.students[days % all.students.length];
        if (com === all.students[0]) return;
        const { status } = await ask('POST', `/students/${student}/merge`, { com });
        return void (status < 300 && all.students.splice(all.students.indexOf(com!), 1));
      }
    }
  }

  const ONLY_NOW = new Set([
    'pagamento',
    'link',
    'mensagem',
    'whatsapp',
    'pix',
    'provedor',
    'pode_desfazer',
    'recebe',
  ]);

  /** A moment, and what there was then. */
  type Then = { moment: Date } & Record<'students' | 'charges' | 'lessons', readonly string[]>;
  type Clients = Pick<Business, 'own'> & { api: Client };

  /** The answers of all reads that can be asked for a moment, with the accounts of these students. */
  async function figures(
    { api, own }: Clients,
    { moment, students, charges, lessons }: Then,
    at?: string,
  ): Promise<Record<string, unknown>> {
    const month = (days: number) => dayOf(addDays(moment, days)).slice(0, 7);
    const days = {
      de: dayOf(subDays(moment, 60)),
      ate: dayOf(addDays(moment, 60)),
    };
    const lines = { ...days, limit: 100 };
    const asked: [path: string, query: Record<string, string | number>][] = [
      ['/transactions', { month: month(0), limit: 100 }],
      ['/transactions', { month: month(0), texto: 'aluno', limit: 3 }],
      ['/receivables', {}],
      ['/receivables/students', { limit: 100 }],
      [`/finance/years/${month(0).slice(0, 4)}`, {}],
    ];
    for (const each of [-30, 0, 30]) {
      asked.push([`/finance/months/${month(each)}`, {}]);
      asked.push(['/finance/owed-sessions', { month: month(each), limit: 100 }]);
    }
    for (const figura of ['recebido', 'lucro', 'despesas', 'previsto', 'ainda_entra', 'reserva'])
      asked.push(['/finance/lines', { ...lines, figura }]);
    const agenda = { from: subDays(moment, 20).toISOString(), to: moment.toISOString(), limit: 100 };
    asked.push(['/sessions', agenda], ['/charges', { limit: 100 }]);
    asked.push(
      ['/tasks', { from: days.de, to: days.ate, limit: 100 }],
      ['/tasks', { situacao: 'concluidas' }],
    );
    asked.push(['/vacations', {}]);
    for (const student of students) {
      asked.push([`/students/${student}`, {}], [`/students/${student}/credits`, { limit: 100 }]);
      asked.push(['/sessions', { student_id: student, limit: 100 }]);
      asked.push([`/students/${student}/payments`, { limit: 100 }]);
      asked.push([`/students/${student}/notes`, { limit: 100 }]);
      asked.push(['/signature-requests', { student_id: student }]);
    }
    for (const [kind, path, ids] of [
      ['charge', '/charges', charges],
      ['session', '/sessions', lessons],
    ] as const)
      for (const id of ids)
        asked.push([`${path}/${id}`, {}], ['/history', { subject: `${kind}:${id}`, limit: 100 }]);
    for (const path of ['sessions', 'charges', 'payments', 'signature-requests', 'credits'])
      asked.push([`/student/${path}`, {}]);
    const answers: Record<string, unknown> = {};
    for (const [path, query] of asked) {
      const client = path.startsWith('/student/') ? own : api;
      const { body } = await client.get<{ at?: string }>(path, { query: { ...query, ...(at && { at }) } });
      const { at: said, ...answer } = body;
      expect([path, said]).toEqual([path, at]);
      // Whether a grant is paid, how a charge can be paid and what can be undone is only known as it is now.
      answers[`${path} ${JSON.stringify(query)}`] = JSON.parse(
        JSON.stringify(answer, (name, value: unknown) => (ONLY_NOW.has(name) ? null : value)),
      );
    }
    return answers;
  }

  it('is answered as the pages of that moment were, after any history', async () => {
    const seed = Date.now() % 1_000_000;
    clock.at = new Date();
    const trainer = await signUp(app);
    const { api } = trainer;
    const plan = { nome: 'Mensal', valor: 48_001, creditos: 8, tipo: 'mensal', validade_dias: 30 };
    await api.put('/settings/receipts', {
      nome: 'Estúdio',
      documento: '11.222.333/0001-81',
      cref: '012345-G/SP',
      cidade: 'São Paulo',
    });
    const business: Business = {
      students: [],
      entries: [],
      charges: [],
      paid: [],
      lessons: [],
      tasks: [],
      vacations: [],
      notes: [],
      own: api,
      plan: (await api.post('/plans', plan)).body.id,
      place: (await api.post('/locations', { nome: 'Parque' })).body.id,
      contract: (await api.post('/contracts', { titulo: 'Contrato', conteudo: '<p>{{aluno}}</p>' })).body.id,
    };
    await api.put(`/locations/${business.place}/policy`, {
      cancel_limite_horas: 48,
      taxa_percent: 50,
      queima_credito: false,
    });
    await take(api, business, { kind: 'enrol', pick: 1, valor: 1, days: 0 });
    business.own = (await studentAccount(app, trainer, business.students[0]!)).api;
    for (const pick of [2, 3]) await take(api, business, { kind: 'enrol', pick, valor: 1, days: 0 });
    // A pause moves the last day of credits; a cancellation costs a fee.
    for (const kind of ['renew', 'pause', 'coming'] as const)
      await take(api, business, { kind, pick: 4, valor: 1, days: 10 });
    const seen: (Then & { answers: Record<string, unknown> })[] = [];
    for (const [at, one] of fc.sample(step, { numRuns: rounds(45, 180), seed }).entries()) {
      clock.at = new Date();
      await take(api, business, one);
      if (at % 9 !== 0) continue;
      // Also what the student did, and what follows from it.
      await reacted(database);
      clock.at = new Date();
      const then = {
        moment: clock.at,
        students: [...business.students],
        lessons: [...business.lessons],
        charges: business.charges.map(({ id }) => id),
      };
      seen.push({ ...then, answers: await figures({ api, own: business.own }, then) });
    }
    clock.at = addDays(new Date(), 40);
    for (const { answers, ...then } of seen)
      expect([seed, await figures({ api, own: business.own }, then, then.moment.toISOString())]).toEqual([
        seed,
        answers,
      ]);
  });

  it('tells what changed since: each line with who, when and why, and the difference to the cent', async () => {
    clock.at = new Date('2026-11-21T12:00:00Z');
    const { api } = await signUp(app);
    const { body: ana } = await api.post('/students', { nome: 'Ana Lima', telefone: '(11) 98877-6655' });
    const entry = { tipo: 'receita', metodo_pagamento: 'pix', data: '2026-11-05', student_id: ana.id };
    const { body: kept } = await api.post('/transactions', { ...entry, descricao: 'Plano', valor: 45_000 });
    const due = { student_id: ana.id, descricao: 'Pacote', valor: 30_000, vencimento: '2026-11-25' };
    const { body: charge } = await api.post('/charges', due);
    // Due in the month once, and no longer at the moment that is asked for.
    const { body: moved } = await api.post('/charges', { ...due, vencimento: '2026-11-26' });
    await api.patch(`/charges/${moved.id}`, { vencimento: '2026-12-05' });
    clock.at = new Date();
    const at = clock.at.toISOString();
    const since = async (query: object = {}) => {
      clock.at = new Date();
      return (await api.get<MonthChanges>('/finance/months/2026-11/changes', { query: { at, ...query } }))
        .body;
    };
    const same = { antes: 45_000, agora: 45_000 };
    expect(await since()).toEqual({
      at,
      items: [],
      next: null,
      valores: {
        recebido: same,
        despesas: { antes: 0, agora: 0 },
        previsto: { antes: 30_000, agora: 30_000 },
      },
      previsto: { items: [], resto: { quantidade: 0, valor: 0 } },
    });

    const spent = { ...entry, tipo: 'despesa', descricao: 'Aluguel', valor: 8_000, student_id: null };
    await api.post('/transactions', spent);
    await api.post('/transactions', { ...entry, data: '2026-10-05', descricao: 'Outubro', valor: 1_000 });
    const body = { ...entry, descricao: 'Plano', valor: 40_000, motivo: 'desconto' };
    await api.post(`/transactions/${kept.id}/correct`, body);
    await api.patch(`/charges/${charge.id}`, { valor: 25_000 });
    const { items, valores, previsto } = await since();
    expect(valores).toEqual({
      recebido: { antes: 45_000, agora: 40_000 },
      despesas: { antes: 0, agora: 8_000 },
      previsto: { antes: 30_000, agora: 25_000 },
    });
    const told = [...items, ...previsto!.items].map(({ figura, titulo, aluno, valor, mudanca }) => [
      figura,
      titulo,
      aluno,
      valor,
      mudanca!.quem!.nome,
      mudanca!.texto,
    ]);
    expect(told).toEqual([
      [
        'recebido',
        'Plano',
        'Ana Lima',
        40_000,
        'Ana Personal',
        'Corrigiu para a receita de R$\u00a0400,00 de 05/11/2026 (Pix): Plano',
      ],
      [
        'recebido',
        'Plano',
        'Ana Lima',
        -45_000,
        'Ana Personal',
        'Corrigiu a receita de R$\u00a0450,00 de 05/11/2026 (Pix): Plano (motivo: desconto)',
      ],
      [
        'despesas',
        'Aluguel',
        null,
        8_000,
        'Ana Personal',
        'Registrou a despesa de R$\u00a080,00 de 05/11/2026 (Pix): Aluguel',
      ],
      [
        'previsto',
        'Pacote',
        'Ana Lima',
        -5_000,
        'Ana Personal',
        'Alterou a cobrança: valor de R$\u00a0300,00 para R$\u00a0250,00',
      ],
    ]);
    const first = await since({ limit: 2 });
    const rest = await since({ limit: 2, cursor: first.next });
    expect([...first.items, ...rest.items]).toEqual(items);
    expect([rest.next, rest.valores, rest.previsto]).toEqual([null, null, null]);

    // Who was forgotten since has no name in the past either; the amounts stay.
    const owed = { id: ana.id, quantidade: 2, falta: 60_000, vencido: 0, desde: '2026-11-25' };
    const debtors = async () =>
      (await api.get<{ items: object[] }>('/receivables/students', { query: { at } })).body.items;
    const [debtor] = await debtors();
    expect(debtor).toMatchObject({ ...owed, vencido: expect.any(Number), nome: 'Ana Lima' });
    await api.post(`/students/${ana.id}/forget`);
    expect(await debtors()).toEqual([{ ...debtor, nome: null }]);
  });

  it('has no name, text or number of who was forgotten since; credits and amounts stay', async () => {
    clock.at = new Date();
    const { api } = await signUp(app);
    const contact = { telefone: '(11) 98877-6655', observacoes: 'Joelho' };
    const { body: ana } = await api.post('/students', { nome: 'Ana Lima', ...contact });
    const times = {
      inicio: subDays(clock.at, 1).toISOString(),
      fim: addHours(subDays(clock.at, 1), 1).toISOString(),
    };
    const booking = { student_id: ana.id, ...times, observacoes: 'Dor no ombro da Ana Lima' };
    const { body: lesson } = await api.post('/sessions', booking);
    const grant = { quantidade: 3, motivo: 'presente da Ana Lima' };
    await api.post(`/students/${ana.id}/credits/adjust`, grant);
    const due = { student_id: ana.id, descricao: 'Pacote', valor: 30_000, vencimento: dayOf(clock.at) };
    const { body: charge } = await api.post('/charges', due);
    await api.post(`/students/${ana.id}/notes`, { dia: dayOf(clock.at), texto: 'Ana Lima sente o punho' });
    clock.at = new Date();
    const query = { at: clock.at.toISOString() };
    const known = async () =>
      Promise.all(
        [
          `/students/${ana.id}`,
          `/students/${ana.id}/credits`,
          `/sessions?student_id=${ana.id}`,
          `/sessions/${lesson.id}`,
          '/charges',
          `/charges/${charge.id}`,
          `/students/${ana.id}/notes`,
          `/students/${ana.id}/payments`,
          `/history?subject=session:${lesson.id}`,
          `/history?subject=charge:${charge.id}`,
        ].map(async (path) => (await api.get<object>(path, { query })).body),
      );
    const before = await known();
    for (const text of ['Ana Lima', '98877', 'Joelho', 'Dor no ombro', 'presente', 'punho'])
      expect(JSON.stringify(before)).toContain(text);
    await api.post(`/students/${ana.id}/forget`);
    const after = await known();
    expect(JSON.stringify(after)).not.toMatch(/Ana Lima|98877|Joelho|Dor no ombro|presente|punho/);
    expect(after[0]).toMatchObject({ nome: 'Aluno apagado', creditos: 3 });
    expect(after[1]).toMatchObject({ saldo: 3 });
    expect(after[5]).toMatchObject({ student_nome: null, falta: 30_000, situacao: 'aberta' });
  });

  it('is refused where it is to come, or before the account', async () => {
    clock.at = new Date();
    const { api } = await signUp(app);
    const early = new Date().toISOString();
    const { body: ana } = await api.post('/students', { nome: 'Ana Lima', telefone: '(11) 98877-6655' });
    const paths = [
      `/students/${ana.id}/credits`,
      '/finance/months/2026-11',
      '/finance/years/2026',
      '/transactions?month=2026-11',
      '/receivables',
      '/finance/owed-sessions?month=2026-11',
      '/sessions',
      '/charges',
    ];
    paths.push(`/students/${ana.id}/payments`, `/students/${ana.id}/notes`);
    paths.push(`/signature-requests?student_id=${ana.id}`);
    paths.push('/receivables/students', '/finance/lines?figura=lucro&de=2026-11-01&ate=2026-11-02');
    for (const path of [...paths, '/finance/months/2026-11/changes']) {
      const ask = async (at: string) => {
        const { status, body } = await api.request<ProblemBody>('GET', `/api/v1${path}`, { query: { at } });
        return [path, status, body.code, body.errors?.map(({ pointer }) => pointer)];
      };
      const soon = new Date(clock.at.getTime() + 1_000).toISOString();
      expect(await ask(soon)).toEqual([path, 422, 'past.not_yet', ['/at']]);
      expect(await ask('2020-01-01T00:00:00Z')).toEqual([path, 422, 'past.before_account', ['/at']]);
      expect((await ask('ontem'))[1]).toBe(400);
    }
    clock.at = new Date();
    const { body } = await api.get<ProblemBody>(`/students/${ana.id}/credits`, {
      query: { at: early },
      status: 422,
    });
    expect(body.code).toBe('past.not_there');
    const id = randomUUID();
    for (const path of [`/students/${id}`, `/sessions/${id}`, `/charges/${id}`]) {
      const { body } = await api.get<ProblemBody>(path, { query: { at: early }, status: 422 });
      expect(body.code).toBe('past.not_there');
    }
  });
});
