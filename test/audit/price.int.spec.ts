import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Price } from '../../backend/modules/audit/price.api.js';
import type { ChargePage, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { Renewed } from '../../backend/modules/charges/renewals.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { MonthSummary } from '../../backend/modules/finance/finance.api.js';
import type { SeriesAnswer } from '../../backend/modules/series/series.api.js';
import type { Imported, UndoneImport } from '../../backend/modules/student-imports/student-imports.api.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { seriesOf } from '../series/trainer.js';
import { SetClock } from '../support/clock.js';
import { signUp } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

/** What undos announce, each compared with what they then do. */
const clock = new SetClock(new Date(on(9)(12)));
const app = await sharedApp(clock);
const trainer = await signUp(app, { nome: 'Carla Dias' });
const { api } = trainer;
const agenda = agendaOf(api);

const price = async (path: string) =>
  (await api.get<Price>(path)).body.efeitos.map((one) => one.replaceAll('\u00a0', ' '));
const received = async () => (await api.get<MonthSummary>('/finance/months/2026-11')).body.recebido;
const owed = async (student_id: string) =>
  (await api.get<ChargePage>('/charges', { query: { situacao: 'a_receber', student_id } })).body.total.falta;

it('a payment undone takes its credits back, opens its amount again and cancels its receipt', async () => {
  const ana = await agenda.student('Ana Souza', await agenda.plan());
  const paid = await api.post<PaymentDone>(`/students/${ana}/credits/renew/payment`, {
    valor: 32_000,
    data: '2026-11-09',
    metodo_pagamento: 'pix',
  });
  const { id, payment_id } = paid.body;
  const [entry] = (await api.get<ChargePage>('/charges', { query: { student_id: ana } })).body.items[0]!
    .pagamentos;
  await api.put('/settings/receipts', {
    nome: 'Carla Dias',
    documento: '111.444.777-35',
    cref: '012345-G/SP',
    cidade: 'São Paulo',
  });
  const receipt = await api.post<{ numero: number }>(`/transactions/${entry!.transaction_id}/receipt`, {
    nome: 'Ana Souza',
    cpf: '529.982.247-25',
    descricao: 'Treinos',
    de: '2026-11-01',
    ate: '2026-11-30',
  });
  const path = `/charges/${id}/payments/${payment_id}`;
  expect(await price(`${path}/reverse/preview`)).toEqual([
    'tira R$ 320,00 do recebido de 11/2026',
    'remove 4 créditos de Ana',
    'reabre R$ 320,00 a receber de Ana',
    `o recibo ${receipt.body.numero} fica cancelado`,
  ]);
  const before = await received();
  expect([await agenda.balance(ana), await owed(ana)]).toEqual([4, 0]);
  await api.post(`${path}/reverse`);
  expect([await agenda.balance(ana), await owed(ana)]).toEqual([0, 32_000]);
  expect(await received()).toBe(before - 32_000);

  await api.post(`/charges/${id}/cancel`);
  expect(await price(`/charges/${id}/restore/preview`)).toEqual(['reabre R$ 320,00 a receber de Ana']);
  await api.post(`/charges/${id}/restore`);
  expect(await owed(ana)).toBe(32_000);
});

it('a session reopened gives its credit back and cancels its fee', async () => {
  const park = await agenda.location();
  await api.put(`/locations/${park}/policy`, {
    cancel_limite_horas: 48,
    taxa_percent: 50,
    queima_credito: true,
  });
  const bia = await agenda.student('Bia Lima', await agenda.plan());
  await agenda.renew(bia);
  const id = await agenda.book({ student_id: bia, location_id: park, inicio: on(10)(9), fim: on(10)(10) });
  await agenda.cancel(id, { motivo: 'aluno_fora_do_prazo', aplicar_politica: true });
  expect([await agenda.balance(bia), await owed(bia)]).toEqual([3, 4_000]);
  expect((await price(`/sessions/${id}/reopen/preview`)).toSorted()).toEqual([
    'agenda de novo 1 sessão de Bia',
    'cancela R$ 40,00 a receber de Bia',
    'devolve 1 crédito a Bia',
  ]);
  expect(await agenda.get(id)).toMatchObject({ status: 'cancelada' });
  await agenda.reopen(id);
  expect([await agenda.balance(bia), await owed(bia)]).toEqual([4, 0]);
});

it('a charge and a booking that the advisor made say what goes with them', async () => {
  const ivo = await agenda.student('Ivo Leal');
  const terms = { descricao: 'Avaliação', valor: 9_000, vencimento: '2026-11-20' };
  const { id } = (await api.post('/charges', { student_id: ivo, ...terms })).body;
  expect(await price(`/charges/${id}/cancel/preview`)).toEqual(['cancela R$ 90,00 a receber de Ivo']);
  await api.post(`/charges/${id}/cancel`);
  expect(await owed(ivo)).toBe(0);
  const session = await agenda.book({ student_id: ivo, inicio: on(14)(9), fim: on(14)(10) });
  expect(await price(`/sessions/undo-bookings/preview?session_ids=${session}`)).toEqual([
    'tira da agenda 1 sessão de Ivo',
  ]);
  await api.post('/sessions/undo-bookings', { session_ids: [session] });
  await api.get(`/sessions/${session}`, { status: 404 });
});

it('an hour of several reopened gives all credits back', async () => {
  const plan = await agenda.plan();
  const students = [await agenda.student('Lia Pinto', plan), await agenda.student('Max Luz', plan)];
  for (const id of students) await agenda.renew(id);
  const { id: group, session_ids } = (
    await api.post<GroupChanged>('/sessions/groups', {
      student_ids: students,
      inicio: on(9)(6),
      fim: on(9)(7),
    })
  ).body;
  await api.post(`/sessions/groups/${group}/complete`, { inicio: on(9)(6) });
  const balances = async () => Promise.all(students.map((id) => agenda.balance(id)));
  expect(await balances()).toEqual([3, 3]);
  const query = { session_ids: session_ids.join(), de: 'feita' };
  const path = `/sessions/groups/${group}/reopen`;
  const { efeitos } = (await api.get<Price>(`${path}/preview`, { query })).body;
  expect(efeitos.toSorted()).toEqual(['agenda de novo 2 sessões', 'devolve 2 créditos']);
  await api.post(path, { session_ids, de: 'feita' });
  expect(await balances()).toEqual([4, 4]);
});
interface GroupChanged {
  id: string;
  session_ids: string[];
}

it('a renewal, a receita and an import say what they take', async () => {
  const caio = await agenda.student('Caio Reis', await agenda.plan());
  const { lot_id } = (await api.post<Renewed>(`/students/${caio}/credits/renew`)).body;
  const renewal = `/students/${caio}/credits/grants/${lot_id}`;
  expect(await price(`${renewal}/undo/preview`)).toEqual(['remove 4 créditos de Caio']);
  await api.post(`${renewal}/undo`);
  expect(await agenda.balance(caio)).toBe(0);

  const entry = await api.post('/transactions', {
    tipo: 'receita',
    descricao: 'Aula',
    valor: 9_000,
    metodo_pagamento: 'pix',
    data: '2026-11-08',
  });
  const receita = `/transactions/${entry.body.id}/reverse`;
  expect(await price(`${receita}/preview`)).toEqual(['tira R$ 90,00 do recebido de 11/2026']);
  const before = await received();
  await api.post(receita, { motivo: 'Em dobro' });
  expect(await received()).toBe(before - 9_000);

  const aluno = (nome: string, whatsapp: string) => ({ nome, whatsapp });
  const imported = await api.post<Imported>('/student-imports', {
    import_id: randomUUID(),
    linhas: [
      {
        linha: 1,
        aluno: aluno('Davi', '(11) 94321-0001'),
        saldo: [{ quantidade: 2, expira_em: '2027-02-01' }],
      },
      { linha: 2, aluno: aluno('Eva', '(11) 94321-0002'), saldo: [] },
    ],
  });
  await agenda.book({ student_id: imported.body.student_ids[1], inicio: on(20)(9), fim: on(20)(10) });
  const undo = `/student-imports/${imported.body.id}/undo`;
  expect(await price(`${undo}/preview`)).toEqual([
    'remove 2 créditos de Davi',
    'remove 1 aluno',
    'mantém 1 aluno já em uso',
  ]);
  expect((await api.post<UndoneImport>(undo)).body).toMatchObject({ removidos: 1, mantidos: 1 });
});

it('a transfer says who gets its credits back and from whom, until one of them is used', async () => {
  const plan = await agenda.plan();
  const [gabi, hugo] = [await agenda.student('Gabi Melo', plan), await agenda.student('Hugo Paz', plan)];
  for (const id of [gabi, hugo]) await agenda.renew(id);
  const transfer = async (quantidade: number) =>
    (
      await api.post(`/students/${gabi}/credits/transfer`, {
        para: hugo,
        quantidade,
        motivo: 'Mesma família',
      })
    ).body.id;
  const undo = `/credits/transfers/${await transfer(3)}/undo`;
  expect(await price(`${undo}/preview`)).toEqual([
    'devolve 3 créditos a Gabi, e o saldo fica 4',
    'tira 3 créditos de Hugo, e o saldo fica 4',
  ]);
  expect([await agenda.balance(gabi), await agenda.balance(hugo)]).toEqual([1, 7]);
  const offered = async () => (await statementOf(gabi)).map(({ pode_desfazer }) => pode_desfazer);
  expect(await offered()).toEqual([true, false]);
  await api.post(undo);
  expect([await agenda.balance(gabi), await agenda.balance(hugo)]).toEqual([4, 4]);
  expect(await offered()).toEqual([false, false, false]);

  const used = `/credits/transfers/${await transfer(4)}/undo`;
  for (let n = 0; n < 5; n += 1) await api.post(`/students/${hugo}/credits/consume`, { motivo: 'Aula' });
  await api.get(`${used}/preview`, { status: 409 });
});
const statementOf = async (id: string) =>
  (await api.get<CreditStatement>(`/students/${id}/credits`)).body.extrato.items;

it('the last change of a series says which sessions come back, go or move, until its first day is over', async () => {
  const series = seriesOf(api);
  const iris = await agenda.student('Iris Sá', await agenda.plan());
  const weekly = {
    student_id: iris,
    data: '2026-12-01',
    hora: '05:00',
    duracao: 60,
    dias: [2],
    intervalo: 1,
  };
  const { id } = await series.start({ ...weekly, vezes: 4 });
  const undoing = async () => (await api.get<SeriesAnswer>(`/series/${id}`)).body.pode_desfazer;
  const sessions = async (status = 'agendada') =>
    (await series.sessions()).filter((one) => one.serie_id === id && one.status === status);
  /** What the undo of the last change says; then it is done, and nothing is left to undo. */
  const undone = async (tipo: string) => {
    const last = await undoing();
    expect(last?.tipo).toBe(tipo);
    const said = await price(`/series/${id}/changes/${last!.mudanca_id}/undo/preview`);
    await api.post(`/series/${id}/undo`, { mudanca_id: last!.mudanca_id });
    expect(await undoing()).toBeNull();
    return said;
  };
  const all = await sessions();
  const second = all[1]!.id;
  const change = (more: object) => api.patch(`/sessions/${second}/series`, { escopo: 'proximas', ...more });
  expect((await undoing())?.tipo).toBe('criada');

  await api.post(`/sessions/${second}/series/cancel`, { escopo: 'proximas', motivo: 'personal' });
  expect(await sessions()).toHaveLength(1);
  expect(await undone('cancelada')).toEqual(['agenda de novo 3 sessões de Iris']);
  expect(await sessions()).toHaveLength(4);

  await change({ inicio: '2026-12-08T09:00:00Z', fim: '2026-12-08T10:00:00Z' });
  expect(await undone('alterada')).toEqual(['leva 3 sessões de Iris de volta ao horário de antes']);
  await change({ observacoes: 'Ombro' });
  expect(await undone('alterada')).toEqual(['deixa 3 sessões de Iris com o local e as observações de antes']);
  await change({ dias: [4] });
  expect(await undone('dias')).toEqual([
    'tira da agenda 3 sessões de Iris',
    'traz de volta à agenda 3 sessões de Iris',
  ]);
  expect(await sessions()).toEqual(all);

  await api.post(`/sessions/${second}/series/delete`, { escopo: 'proximas' });
  clock.at = new Date('2026-12-09T12:00:00Z');
  expect(await undoing()).toBeNull();
  clock.at = new Date(on(9)(12));
  expect(await undone('excluida')).toEqual(['traz de volta à agenda 3 sessões de Iris']);
  const { mudanca_id } = await series.start({ ...weekly, data: '2027-01-05', vezes: 2 });
  await api.get(`/series/${id}/changes/${mudanca_id}/undo/preview`, { status: 409 });
});

it('the delivery of a month says what its changes count from then', async () => {
  const month = '/finance/months/2026-10';
  const said: string[] = [];
  for (let n = 0; n < 2; n += 1) await api.put(`${month}/delivery`, undefined);
  for (let n = 0; n < 2; n += 1) {
    said.push(...(await price(`${month}/delivery/preview`)));
    await api.delete(`${month}/delivery`);
  }
  expect(said).toEqual([
    'as mudanças de 10/2026 voltam a contar desde a entrega anterior',
    '10/2026 deixa de estar entregue, e o Rende não avisa mais de mudanças nesse mês',
  ]);
  await api.get(`${month}/delivery/preview`, { status: 409 });
});

it('bringing a student back and ending a pause say what is billed again, and what becomes of credits and sessions', async () => {
  const monthly = await agenda.plan({ nome: 'Mensal', tipo: 'mensal', valor: 48_000, validade_dias: 60 });
  const terms = { plano_id: monthly, valor: 48_000, desde: '2026-11-01', ate: null, vence_dia: 5 };
  const { body: gil } = await api.post('/students', {
    nome: 'Gil Reis',
    telefone: '11943214321',
    plano_id: monthly,
    mensalidade: terms,
  });
  const billed = 'a mensalidade de R$ 480,00 volta a ser cobrada, a partir de 12/2026';
  const back = `/students/${gil.id}/restore`;
  expect(await price(`${back}/preview`)).toEqual([]);
  await api.post(`/students/${gil.id}/archive`);
  expect(await price(`${back}/preview`)).toEqual([
    'Gil volta à lista de ativos, com o plano de antes',
    billed,
  ]);
  await api.post(back);
  expect(await price(`${back}/preview`)).toEqual([]);

  await agenda.renew(gil.id);
  await agenda.book({ student_id: gil.id, inicio: on(12)(6), fim: on(12)(7) });
  const end = `/students/${gil.id}/pause/end/preview`;
  await api.get(end, { status: 409 });
  await api.put(`/students/${gil.id}/pause`, { ate: '2026-12-03', sessoes: 'cancelar' });
  const said = await price(end);
  expect(said.toSorted()).toEqual(
    [
      'Gil pode agendar de novo, já a partir de hoje',
      'agenda de novo 1 sessão de Gil',
      'tira da validade dos créditos de Gil os dias que faltavam da pausa',
      billed,
    ].toSorted(),
  );
  // A pause that ends before the month does leaves it billed.
  await api.put(`/students/${gil.id}/pause`, { ate: '2026-11-20', sessoes: 'cancelar' });
  expect(await price(end)).toEqual(said.filter((one) => one !== billed));
});

it('a vacation and a merge say what comes back, and a refusal says why', async () => {
  const eli = await agenda.student('Eli Prado', await agenda.plan({ validade_dias: 60 }));
  await agenda.renew(eli);
  const id = await agenda.book({ student_id: eli, inicio: on(24)(9), fim: on(24)(10) });
  const vacation = await api.post('/vacations', {
    start_date: '2026-11-23',
    end_date: '2026-11-25',
    cancelar: [id],
    mover: [],
  });
  const undo = `/vacations/${vacation.body.id}/undo`;
  expect(await price(`${undo}/preview`)).toEqual(
    expect.arrayContaining(['agenda de novo 1 sessão de Eli', expect.stringMatching(/^volta a validade/)]),
  );
  await api.post(undo);
  expect(await agenda.get(id)).toMatchObject({ status: 'agendada' });

  const other = await agenda.student('Eli P.', null);
  const merge = await api.post(`/students/${other}/merge`, { com: eli });
  const parting = `/student-merges/${merge.body.id}/undo`;
  expect(await price(`${parting}/preview`)).toEqual(
    expect.arrayContaining([
      'passa 1 sessão de volta ao outro cadastro',
      'passa 4 créditos de volta ao outro cadastro',
    ]),
  );
  await api.post(parting);
  expect(await agenda.balance(eli)).toBe(4);
  await api.get(`${parting}/preview`, { status: 409 });
});
