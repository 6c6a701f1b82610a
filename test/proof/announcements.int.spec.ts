import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { addDays } from 'date-fns';
import type { CancellationPreview, Session, SessionPage } from '../../backend/modules/agenda/agenda.api.js';
import { costInWords } from '../../backend/modules/agenda/cancellation.api.js';
import type { Group, GroupCancellation } from '../../backend/modules/agenda/groups.api.js';
import type { OwnCancellation } from '../../backend/modules/agenda/own-cancellation.api.js';
import type { WhatIf } from '../../backend/modules/what-if/what-if.api.js';
import type { WeekCopyPreview } from '../../backend/modules/agenda/week-copy.api.js';
import type { ComparedLines } from '../../backend/modules/bank-lines/bank-lines.api.js';
import type { ChargeDetail, ChargePage, PaymentDone } from '../../backend/modules/charges/charges.api.js';
import type { RenewalPaid, RenewalState, Renewed } from '../../backend/modules/charges/renewals.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type { MonthSummary } from '../../backend/modules/finance/finance.api.js';
import type { MergePreview } from '../../backend/modules/merging/merging.api.js';
import type { Forgotten, ForgetPreview } from '../../backend/modules/privacy/privacy.api.js';
import type { SeriesDone, SeriesPreview } from '../../backend/modules/series/series.api.js';
import type { Imported, UndoneImport } from '../../backend/modules/student-imports/student-imports.api.js';
import type { PauseChanged, PausePreview } from '../../backend/modules/student-pauses/student-pauses.api.js';
import type { StudentPage } from '../../backend/modules/students/students.api.js';
import type { VacationPreview } from '../../backend/modules/vacations/vacations.api.js';
import { brl, shortDate } from '../../backend/platform/portuguese.js';
import { tableOf } from '../../frontend/src/features/student-imports/columns.js';
import { previewOf } from '../../frontend/src/features/student-imports/lines.js';
import { agendaOf } from '../agenda/trainer.js';
import { begin, histories, requestOf } from '../faults/random/commands.js';
import { HOUR, START } from '../faults/random/facts.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { sharedApp } from '../support/shared.js';
import { caughtUp } from './read-tables.js';
import { apiRoutes, nameOf } from './routes.js';

const clock = new SetClock(new Date(START));

const database = await testDatabase();
const app = await sharedApp(clock);

const ISSUER = { nome: 'Estúdio', documento: '11.222.333/0001-81', cref: '012345-G/SP', cidade: 'São Paulo' };

/** Routes that say what a command would do. Those with the path of a spec are compared there. */
const announcements: Record<string, Comparison | string> = {
  'GET /api/v1/sessions/{id}/cancellation': cancellations,
  'GET /api/v1/sessions/groups/{id}/cancellation': groupCancellations,
  'GET /api/v1/student/sessions/{id}/cancellation': ownCancellation,
  'GET /api/v1/what-if/policy': policy,
  'GET /api/v1/students/{id}/renewal': renewals,
  'GET /api/v1/students/{id}/pause/preview': pauses,
  'GET /api/v1/vacations/preview': vacations,
  'GET /api/v1/series/preview': series,
  'GET /api/v1/sessions/week-copy': weekCopies,
  'POST /api/v1/bank-lines/compare': bankLines,
  'GET /api/v1/students/{id}/forget': forgetting,
  'GET /api/v1/students/{id}/merge': merges,
  ...Object.fromEntries(
    [
      'charges/{id}/payments/{payment}/reverse',
      'charges/{id}/restore',
      'sessions/{id}/reopen',
      'students/{id}/credits/grants/{lot}/undo',
      'vacations/{id}/undo',
      'student-merges/{id}/undo',
      'transactions/{id}/reverse',
      'student-imports/{id}/undo',
      'credits/transfers/{id}/undo',
      'series/{id}/changes/{change}/undo',
      'sessions/groups/{id}/reopen',
      'finance/months/{month}/delivery',
      'students/{id}/restore',
      'students/{id}/pause/end',
      'charges/{id}/cancel',
      'sessions/undo-bookings',
    ].map((path) => [`GET /api/v1/${path}/preview`, 'test/audit/price.int.spec.ts']),
  ),
  ...Object.fromEntries(
    ['plans/{id}', 'hours', 'vacation', 'students'].map((path) => [
      `GET /api/v1/what-if/${path}`,
      'test/what-if/what-if.int.spec.ts',
    ]),
  ),
  'POST /api/v1/contracts/{id}/send/preview': 'test/contracts/evidence.int.spec.ts',
  'GET /api/v1/payers/{id}/forget': 'test/payers/payers.int.spec.ts',
  'GET /api/v1/payers/{id}/payments/{payment}/reverse/preview': 'test/payers/bills.int.spec.ts',
  'GET /api/v1/account/deletion': 'test/accounts/account-deletion.int.spec.ts',
};
/** What pages announce from data that they have, without a route of its own. */
const saidByPages = [payments, deletions, transfers, imports];
/** Routes whose summaries sound alike, and that say what is. */
const facts = new Set([
  'GET /api/v1/receivables',
  'GET /api/v1/finance/months/{month}/changes',
  'GET /api/v1/finance/months/{month}/forecast',
  'GET /api/v1/students/{id}/dossier',
  'GET /api/v1/advisor/sharing',
  'GET /api/v1/settings/advisor',
]);

it('every route that announces is compared with what then happens', async () => {
  const announcing = (await apiRoutes(app)).filter(({ path, operation }) => {
    const { summary = '' } = operation as { summary?: string };
    const isNamedSo = /\/(preview|cancellation|forget|deletion|week-copy|compare|renewal)$/.test(path);
    return isNamedSo || /^(Mostra o que|O que|Mostra quem .* atingem|Compara)/.test(summary);
  });
  const asking = announcing
    .filter(({ method, path }) => method === 'GET' || /\/(preview|compare)$/.test(path))
    .map(nameOf)
    .filter((name) => !facts.has(name));
  expect(asking.toSorted()).toEqual(Object.keys(announcements).toSorted());
  for (const [route, elsewhere] of Object.entries(announcements))
    if (typeof elsewhere === 'string')
      expect(readFileSync(elsewhere, 'utf8')).toContain(
        route.slice(route.lastIndexOf('}/') + 2).replace(/^.*v1\/|\{\w+\}$/g, ''),
      );
});

interface World {
  trainer: Trainer;
  api: Client;
  agenda: ReturnType<typeof agendaOf>;
  /** Students with a plan whose credits expire, and the location with a costly policy. */
  students: string[];
  /** All students. */
  everyone: readonly string[];
  plan: { id: string; valor: number; creditos: number };
  park: string;
  /** A choice among `most` options, from the random state. */
  pick: (most: number) => number;
}
type Comparison = (world: World) => Promise<void>;

const statement = async ({ api }: World, id: string) =>
  (await api.get<CreditStatement>(`/students/${id}/credits`, { query: { limit: 100 } })).body;
const saldo = async (world: World, id: string) => (await statement(world, id)).saldo;
const lotsOf = async (world: World) =>
  Promise.all(
    world.everyone.map(async (id) =>
      (await statement(world, id)).lotes.map((lot) => [lot.id, lot.restante, lot.expira_em]),
    ),
  );
const received = async ({ api }: World) =>
  (await api.get<MonthSummary>(`/finance/months/${today().slice(0, 7)}`)).body.recebido;
const openOf = async ({ api }: World, student_id: string) =>
  (await api.get<ChargePage>('/charges', { query: { situacao: 'a_receber', student_id, limit: 100 } })).body
    .total.falta;
const dayOf = (at: Date) => at.toLocaleDateString('sv-SE', { timeZone: 'America/Sao_Paulo' });
const today = () => dayOf(clock.at);
const inDays = (days: number) => dayOf(addDays(clock.at, days));
const someone = ({ students, pick }: World) => students[pick(students.length)]!;
const hoursLater = (hours: number) => new Date(clock.at.getTime() + hours * HOUR).toISOString();
/** Whether a session that begins so many hours from now may be done already. */
const isToday = (hours: number) => dayOf(new Date(hoursLater(hours))) === today();

/** A scheduled session that begins so many hours from now. */
const book = ({ agenda, park }: World, student_id: string, hours: number) =>
  agenda.book({
    student_id,
    inicio: hoursLater(hours),
    fim: hoursLater(hours + 1),
    location_id: park,
    ...anyway,
  });

const anyway = { permitir_conflito: true };

/** What a cancelled session's student is charged for it at once. */
const charged = ({ taxa, sem_credito, valor }: Pick<Session, 'taxa' | 'sem_credito' | 'valor'>) =>
  taxa === 0 ? 0 : taxa + (sem_credito ? (valor ?? 0) : 0);

async function cancellations(world: World): Promise<void> {
  const { api, agenda, pick } = world;
  const student = someone(world);
  const hours = [2, 30][pick(2)]!;
  const session = await book(world, student, hours);
  const motivo = (['personal', 'aluno_no_prazo', 'aluno_fora_do_prazo', 'falta'] as const)[pick(4)]!;
  const forgiven = pick(3) === 0;
  if (pick(3) === 0 && isToday(hours)) await agenda.complete(session);
  const state = async () => [await saldo(world, student), await openOf(world, student)] as const;
  const query = { motivo };
  const announced = (await api.get<CancellationPreview>(`/sessions/${session}/cancellation`, { query })).body;
  if (!announced.permitido || !announced.motivo_confere) {
    await api.post(`/sessions/${session}/cancel`, { motivo, aplicar_politica: true }, { status: 422 });
    return;
  }
  const [[before, owed], was] = [await state(), await agenda.get(session)];
  const how = { aplicar_politica: !forgiven, ...(forgiven && { justificativa: 'Febre' }) };
  const done = await agenda.cancel(session, { motivo, ...(announced.tem_custo && how) });
  const cost = forgiven ? announced.perdoado : announced.previsto;
  expect(done).toMatchObject({ ...cost, status: 'cancelada' });
  const said = forgiven ? announced.texto_perdoado : announced.texto;
  expect(said).toContain(costInWords(done, was.usou_credito, 'announced', brl));
  const makeUp = (await statement(world, student)).lotes.find(({ reposicao }) => reposicao);
  if (said.includes('vira reposição')) expect(said).toContain(shortDate(makeUp!.expira_em!));
  // The fee is owed at once, and "Desfazer" takes it back with the credit.
  expect(await state()).toEqual([
    before + Number(was.usou_credito) - Number(cost.usou_credito),
    owed + charged(await agenda.get(session)),
  ]);
  await agenda[was.status === 'feita' ? 'complete' : 'reopen'](session, anyway);
  expect(await state()).toEqual([before, owed]);
}

async function groupCancellations(world: World): Promise<void> {
  const { api, agenda, students, park, pick } = world;
  const hours = [2, 30][pick(2)]!;
  const hour = { inicio: hoursLater(hours), fim: hoursLater(hours + 1), location_id: park };
  const { body: made } = await api.post<GroupCancellation>('/sessions/groups', {
    student_ids: students,
    ...hour,
    ...anyway,
  });
  const [first] = made.session_ids as [string];
  if (pick(3) === 0 && isToday(hours)) await agenda.complete(first);
  else if (pick(3) === 0) await agenda.cancel(first);
  const path = `/sessions/groups/${made.id}`;
  const group = async () => (await api.get<Group>(path)).body.items;
  const state = async () =>
    [
      await group(),
      await Promise.all(students.map(async (id) => [await saldo(world, id), await openOf(world, id)])),
    ] as const;
  const query = { inicio: hour.inicio };
  const announced = (await api.get<GroupCancellation>(`${path}/cancellation`, { query })).body;
  const before = await state();
  const done = (await api.post<GroupCancellation>(`${path}/cancel`, query)).body;
  expect(done).toEqual(announced);
  expect(done.session_ids.toSorted()).toEqual(
    before[0]
      .filter(({ status }) => status === 'agendada')
      .map(({ id }) => id)
      .toSorted(),
  );
  const [after, accounts] = await state();
  for (const one of after.filter(({ id }) => done.session_ids.includes(id)))
    expect(one).toMatchObject({ status: 'cancelada', motivo: 'personal', taxa: announced.taxa });
  expect(costInWords(announced, false, 'announced', brl)).toBe('não cobra nada');
  expect(accounts).toEqual(before[1]);
  await api.post(`${path}/reopen`, { session_ids: done.session_ids, de: 'cancelada', ...anyway });
  expect(await state()).toEqual(before);
}

async function ownCancellation(world: World): Promise<void> {
  const { api, agenda, pick } = world;
  const student = someone(world);
  const session = await book(world, student, [3, 40][pick(2)]!);
  const { url } = (await api.post<{ url: string }>(`/students/${student}/area-link`)).body;
  await caughtUp(database);
  const own = new Client(app.url);
  const headers = { 'Rende-Link': url.split('/').at(-1)! };
  const path = `/student/sessions/${session}`;
  const announced = (await own.get<OwnCancellation>(`${path}/cancellation`, { headers })).body;
  const [before, owed] = [await saldo(world, student), await openOf(world, student)];
  // By the link the trainer decides in any case; `sozinho` says what it costs.
  await own.post(`${path}/request`, { motivo: 'Viagem' }, { headers });
  await caughtUp(database);
  await api.post(`/session-requests/${session}/grant`, {});
  const done = await agenda.get(session);
  expect(announced.texto).toContain(`${costInWords(done, false, 'own', brl)}.`);
  expect(await saldo(world, student)).toBe(before - Number(done.usou_credito));
  expect((await openOf(world, student)) - owed).toBe(charged(done));
}

async function policy(world: World): Promise<void> {
  const { api, agenda, pick } = world;
  // The time of a past cancellation is that of its event, which the database's clock gives.
  const then = clock.at;
  clock.at = new Date();
  const park = await agenda.location('Praça');
  const terms = { cancel_limite_horas: 1 + pick(30), taxa_percent: pick(101), queima_credito: pick(2) === 0 };
  await api.put(`/locations/${park}/policy`, terms);
  const session = await book({ ...world, park }, someone(world), 1.5 + pick(40));
  const { body } = await api.get<CancellationPreview>(`/sessions/${session}/cancellation`, {
    query: { motivo: 'aluno_fora_do_prazo' },
  });
  const motivo = body.motivo_confere ? 'aluno_fora_do_prazo' : 'aluno_no_prazo';
  const done = await agenda.cancel(session, { motivo, ...(body.tem_custo && { aplicar_politica: true }) });
  clock.at = new Date(clock.at.getTime() + 45 * HOUR);
  const query = { ...terms, queima_credito: terms.queima_credito ? 'sim' : 'nao' };
  const tried = { ...query, location_id: park };
  const { body: announced } = await api.get<WhatIf>('/what-if/policy', { query: tried });
  expect(announced.passado).toMatchObject({ quantidade: 0, valor: 0 });
  expect(announced.notas[0]).toContain(brl(done.taxa));
  clock.at = then;
}

async function renewals(world: World): Promise<void> {
  const { api, plan, pick } = world;
  const student = someone(world);
  const state = async () => (await api.get<RenewalState>(`/students/${student}/renewal`)).body;
  const seen = await state();
  const waiting = seen.esperando.filter(({ plano_id }) => plano_id === plan.id);
  const [before, money] = [await saldo(world, student), await received(world)];
  if (pick(2) === 0) {
    const body = { esperando: waiting.length };
    const done = (await api.post<Renewed>(`/students/${student}/credits/renew`, body)).body;
    expect(done.saldo).toBe(before + plan.creditos);
    expect(done.charge_id).toBe(seen.cobrancas.find(({ plano_id }) => plano_id === plan.id)?.id ?? null);
    expect((await state()).esperando).toHaveLength(seen.esperando.length + 1);
    await api.post(`/students/${student}/credits/renew`, body, { status: 409 });
    if (pick(2) > 0) return;
    await api.post(`/students/${student}/credits/grants/${done.lot_id}/undo`);
    expect([await saldo(world, student), await state()]).toEqual([before, seen]);
    return;
  }
  const open = [...waiting.flatMap(({ cobranca }) => cobranca ?? []), ...seen.cobrancas];
  const valor =
    open.toSorted((one, other) => (one.vencimento < other.vencimento ? -1 : 1))[0]?.falta ?? plan.valor;
  const payment = { valor, data: today(), metodo_pagamento: 'pix' };
  const { body } = await api.post<RenewalPaid>(`/students/${student}/credits/renew/payment`, payment);
  expect(await received(world)).toBe(money + valor);
  expect(await saldo(world, student)).toBe(before + body.creditos);
  expect(body.emitida).toBe(open.length === 0);
  // Credits that were granted before it was paid are not granted again.
  if (waiting.length > 0) expect(body.creditos).toBe(0);
  const undo = body.emitida ? 'undo-renewal' : 'reverse';
  await api.post(`/charges/${body.id}/payments/${body.payment_id}/${undo}`);
  expect([await saldo(world, student), await received(world)]).toEqual([before, money]);
}

async function payments(world: World): Promise<void> {
  const { api, plan, pick } = world;
  const student = someone(world);
  const issued = {
    student_id: student,
    descricao: 'Pacote',
    valor: 1_000 + pick(50_000),
    vencimento: inDays(5),
    plano_id: pick(2) === 0 ? plan.id : null,
  };
  const { id } = (await api.post('/charges', issued)).body;
  const detail = async () => (await api.get<ChargeDetail>(`/charges/${id}`)).body;
  const announced = await detail();
  const [before, money] = [await saldo(world, student), await received(world)];
  const payment = { valor: announced.falta, data: today(), metodo_pagamento: 'pix' };
  const paid = (await api.post<PaymentDone>(`/charges/${id}/payments`, payment)).body;
  expect(paid).toMatchObject({ quitada: true, creditos: announced.creditos });
  expect((await detail()).falta).toBe(0);
  expect(await saldo(world, student)).toBe(before + paid.creditos);
  expect(await received(world)).toBe(money + announced.falta);
  if (pick(2) === 0) {
    const valor = 1 + pick(announced.falta);
    const creditos = pick(paid.creditos + 1);
    const refund = { valor, valor_atual: announced.falta, creditos, motivo: 'acerto' };
    await api.post(`/charges/${id}/payments/${paid.payment_id}/refund`, refund);
    expect(await saldo(world, student)).toBe(before + paid.creditos - creditos);
    expect(await received(world)).toBe(money + announced.falta - valor);
    return;
  }
  await api.post(`/charges/${id}/payments/${paid.payment_id}/reverse`);
  expect([await saldo(world, student), await received(world)]).toEqual([before, money]);
  expect((await detail()).falta).toBe(announced.falta);
}

async function deletions(world: World): Promise<void> {
  const { agenda, pick } = world;
  const student = someone(world);
  const session = await book(world, student, 2);
  if (pick(3) > 0 && isToday(2)) await agenda.complete(session);
  const [before, was] = [await saldo(world, student), await agenda.get(session)];
  await agenda.remove(session);
  expect(await saldo(world, student)).toBe(before + Number(was.usou_credito));
  await agenda.restore(session, anyway);
  expect([await saldo(world, student), await agenda.get(session)]).toEqual([before, was]);
}

/** By how many days the last days of each student's credits have moved, which are as many as before; none for those without one. */
const movedSince = async (world: World, before: Awaited<ReturnType<typeof lotsOf>>) => {
  const known = new Map(before.flat().map((lot) => [lot[0], lot]));
  const dayNumber = (day: string) => Date.parse(day) / (24 * HOUR);
  return (await lotsOf(world)).map((own) =>
    own.flatMap(([id, restante, last]) => {
      const [, had, ended] = known.get(id)!;
      expect(restante).toBe(had);
      return typeof last === 'string' ? [dayNumber(last) - dayNumber(ended as string)] : [];
    }),
  );
};
const agreed = (moves: readonly number[]) => ({
  dias: moves.reduce((most, one) => (Math.abs(one) > Math.abs(most) ? one : most), 0),
  dias_iguais: new Set(moves).size <= 1,
});

async function pauses(world: World): Promise<void> {
  const { api, students, everyone, pick } = world;
  const at = pick(students.length);
  const ate = inDays(pick(20));
  const path = `/students/${students[at]}/pause`;
  const { pausado_ate } = await statement(world, students[at]!);
  const before = await lotsOf(world);
  const announced = (await api.get<PausePreview>(`${path}/preview`, { query: { ate } })).body;
  const sessoes = pick(2) === 0 ? 'manter' : 'cancelar';
  const done = (await api.put<PauseChanged>(path, { ate, sessoes })).body;
  const moves = await movedSince(world, before);
  const own = moves[everyone.indexOf(students[at]!)]!;
  expect(announced).toMatchObject({ ...agreed(own), meses: [], reabertas: done.reabertas.length });
  expect(moves.flat().filter(Boolean)).toHaveLength(own.filter(Boolean).length);
  if (sessoes === 'cancelar') {
    expect(announced.sessoes).toBe(done.canceladas.length);
    expect(announced.primeiras).toEqual(done.canceladas.slice(0, announced.primeiras.length));
  } else expect(done.canceladas).toEqual([]);
  const undo = done.mudanca_id === null ? {} : { mudanca_id: done.mudanca_id };
  await api.put(path, { ate: pausado_ate, ...undo });
  expect(await lotsOf(world)).toEqual(before);
}

async function transfers(world: World): Promise<void> {
  const { api, students, pick } = world;
  const [from, to] = pick(2) === 0 ? [students[0]!, students[1]!] : [students[1]!, students[0]!];
  const [giver, taker] = [await saldo(world, from), await saldo(world, to)];
  const quantidade = 1 + pick(4);
  const body = { para: to, quantidade, motivo: 'Irmãs' };
  const path = `/students/${from}/credits/transfer`;
  if (quantidade > giver) return void (await api.post(path, body, { status: 422 }));
  const before = await lotsOf(world);
  const { id } = (await api.post(path, body)).body;
  expect([await saldo(world, from), await saldo(world, to)]).toEqual([
    giver - quantidade,
    taker + quantidade,
  ]);
  await api.post(`/credits/transfers/${id}/undo`);
  expect(await lotsOf(world)).toEqual(before);
}

async function merges(world: World): Promise<void> {
  const { api, students, pick } = world;
  const [fica, com] = [students[pick(2)]!, students[pick(2)]!];
  const path = `/students/${fica}/merge`;
  if (fica === com) return void (await api.post(path, { com }, { status: 422 }));
  const {
    impedimentos,
    saldo: then,
    valor_aberto,
  } = (await api.get<MergePreview>(path, { query: { com } })).body;
  if (impedimentos.length > 0) return void (await api.post(path, { com }, { status: 409 }));
  const [before, open] = [await lotsOf(world), await openOf(world, fica)];
  const { id } = (await api.post(path, { com })).body;
  expect([await saldo(world, fica), await openOf(world, fica)]).toEqual([then, open + valor_aberto]);
  await api.post(`/student-merges/${id}/undo`);
  expect(await lotsOf(world)).toEqual(before);
}

async function vacations(world: World): Promise<void> {
  const { api, agenda, pick } = world;
  for (const hours of [30, 54]) await book(world, someone(world), hours + pick(20));
  const start = pick(4);
  const days = { start_date: inDays(start), end_date: inDays(start + pick(8)) };
  const query = { ...days, semanas: 2 };
  const announced = (await api.get<VacationPreview>('/vacations/preview', { query })).body;
  const cancelar: string[] = [];
  const mover: string[] = [];
  const manter: string[] = [];
  for (const { id, destino } of announced.sessoes) {
    const free = destino?.impedimento === null ? [cancelar, mover, manter] : [cancelar, manter];
    free[pick(free.length)]!.push(id);
  }
  const states = () => Promise.all(announced.sessoes.map(({ id }) => agenda.get(id)));
  const [before, were] = [await lotsOf(world), await states()];
  const wanted = { ...days, cancelar, mover, manter, semanas: 2 };
  const done = (await api.post<{ id: string; creditos: number }>('/vacations', wanted)).body;
  expect(done).toMatchObject({
    canceladas: cancelar.length,
    movidas: mover.length,
    creditos: announced.alunos_com_creditos,
  });
  const target = new Map(announced.sessoes.map(({ id, destino }) => [id, destino!]));
  const expected = were.map((one) => {
    const { inicio, fim } = target.get(one.id)!;
    if (mover.includes(one.id)) return { id: one.id, status: one.status, inicio, fim };
    return {
      id: one.id,
      status: cancelar.includes(one.id) ? 'cancelada' : one.status,
      inicio: one.inicio,
      fim: one.fim,
    };
  });
  expect((await states()).map(({ id, status, inicio, fim }) => ({ id, status, inicio, fim }))).toEqual(
    expected,
  );
  const moves = await movedSince(world, before);
  const { dias, dias_iguais } = announced;
  expect({ dias, dias_iguais }).toEqual(agreed(moves.flat().filter((days) => days !== 0)));
  expect(moves.filter((own) => own.some(Boolean))).toHaveLength(announced.alunos_com_creditos);
  await api.post(`/vacations/${done.id}/undo`);
  expect([await lotsOf(world), await states()]).toEqual([before, were]);
}

async function series(world: World): Promise<void> {
  const { api, park, pick } = world;
  const wanted = {
    data: inDays(3 + pick(5)),
    hora: `${String(6 + pick(12)).padStart(2, '0')}:00`,
    duracao: 60,
    intervalo: 1 + pick(2),
    vezes: 1 + pick(6),
  };
  const dias = [pick(7), pick(7)].filter((day, at, all) => all.indexOf(day) === at);
  const query = { ...wanted, dias: dias.join(',') };
  const { sessoes } = (await api.get<SeriesPreview>('/series/preview', { query })).body;
  const hindered = sessoes.filter(({ obstaculos }) => obstaculos.length > 0);
  const pular = hindered.filter(() => pick(2) === 0).map(({ data }) => data);
  const mesmo_assim = hindered.map(({ data }) => data).filter((data) => !pular.includes(data));
  if (pular.length === sessoes.length) return;
  const student_id = someone(world);
  const body = { ...wanted, dias, student_id, location_id: park, pular, mesmo_assim };
  const done = (await api.post<SeriesDone>('/series', body)).body;
  const all = (
    await api.get<SessionPage>('/sessions', {
      query: { from: clock.at.toISOString(), student_id, limit: 100 },
    })
  ).body;
  const made = all.items.filter(({ serie_id }) => serie_id === done.id).map(({ inicio }) => inicio);
  expect(made).toEqual(sessoes.filter(({ data }) => !pular.includes(data)).map(({ inicio }) => inicio));
  expect([done.sessoes, done.puladas]).toEqual([made.length, pular.length]);
}

async function weekCopies(world: World): Promise<void> {
  const { api, agenda } = world;
  const query = { semana: inDays(3) };
  const { items } = (await api.get<WeekCopyPreview>('/sessions/week-copy', { query })).body;
  const free = items.filter(({ obstaculos }) => obstaculos.length === 0);
  if (free.length === 0) return;
  const session_ids = free.flatMap((one) => one.session_ids);
  const made = (await api.post<{ session_ids: string[] }>('/sessions/week-copy', { session_ids })).body;
  const hours = await Promise.all(made.session_ids.map(async (id) => (await agenda.get(id)).inicio));
  expect(hours).toEqual(free.flatMap((one) => one.session_ids.map(() => one.inicio)));
}

async function bankLines(world: World): Promise<void> {
  const { api, pick } = world;
  const student_id = someone(world);
  const valor = 10_000 + pick(90_000);
  await api.post('/charges', { student_id, descricao: 'Aulas', valor, vencimento: today() });
  const line = { chave: `ofx/${pick(1_000_000)}`, data: today(), valor: valor - pick(2) * 500 };
  const compare = async () =>
    (await api.post<ComparedLines>('/bank-lines/compare', { linhas: [{ ...line, texto: 'PIX RECEBIDO' }] }))
      .body.items[0]!;
  const announced = await compare();
  if (announced.situacao !== 'nova' || announced.candidatas.length === 0 || announced.repetida) return;
  const { charge_id, falta } = announced.candidatas[0]!;
  const money = await received(world);
  const paid = Math.min(line.valor, falta);
  if (paid < line.valor) return;
  await api.post('/bank-lines/settle', { ...line, charge_id });
  expect((await api.get<ChargeDetail>(`/charges/${charge_id}`)).body.falta).toBe(falta - paid);
  expect(await received(world)).toBe(money + paid);
  expect((await compare()).situacao).toBe('registrada');
}

async function forgetting(world: World): Promise<void> {
  const { api, pick, trainer } = world;
  const student = someone(world);
  await book(world, student, 50 + pick(20));
  const terms = { descricao: 'Aulas', valor: 5_000, vencimento: today() };
  const { id } = (await api.post('/charges', { student_id: student, ...terms })).body;
  await api.post(`/charges/${id}/payments`, { valor: 5_000, data: today(), metodo_pagamento: 'pix' });
  const [payment] = (await api.get<ChargeDetail>(`/charges/${id}`)).body.pagamentos;
  const receipt = { nome: 'Bia', cpf: null, descricao: 'Aulas', de: today(), ate: today() };
  await api.post(`/transactions/${payment!.transaction_id}/receipt`, receipt);
  const announced = (await api.get<ForgetPreview>(`/students/${student}/forget`)).body;
  const { body } = await api.get<SessionPage>('/sessions', {
    query: { from: clock.at.toISOString(), student_id: student, limit: 100 },
  });
  const coming = body.items.filter(
    ({ status, inicio }) => status === 'agendada' && inicio > clock.at.toISOString(),
  );
  const done = (await api.post<Forgotten>(`/students/${student}/forget`)).body;
  expect(done.sessoes_canceladas).toBe(coming.length);
  const kept = await database.query<{ until: string }>(
    `select retained_until::text as until from person_keys
     where tenant_id = '${trainer.tenantId}' and retained_person = '${student}' and wrapped_key is not null`,
  );
  expect(kept).toHaveLength(1);
  expect(kept.map(({ until }) => until).toSorted()).toEqual(
    announced.permanece.map(({ ate }) => ate).toSorted(),
  );
}

async function imports(world: World): Promise<void> {
  const { api, pick } = world;
  const cell = (...cells: string[]) => cells[pick(cells.length)]!;
  const names = Array.from({ length: 1 + pick(6) }, (_, n) => `Aluna ${n} ${randomUUID()}`);
  const rows = names.map((nome) => [
    nome,
    cell(`1198765${1000 + pick(9000)}`, '11987654321', 'sem'),
    cell('', '0', '4', '12', 'muitos'),
    cell('', '31/12/2090', '01/01/2020'),
    cell('', 'inativo', 'Inativa'),
  ]);
  const around = {
    ddd: '11',
    plans: new Map(),
    chosen: {},
    monthly: new Map(),
    known: new Map(),
    agreed: { desde: today(), vence_dia: 5 },
  };
  const table = tableOf([['Nome', 'WhatsApp', 'Créditos', 'Validade', 'Situação'], ...rows], []);
  const announced = previewOf(table, { ...around, today: today() }).filter(({ body }) => body !== null);
  if (announced.length === 0) return;
  const import_id = randomUUID();
  const linhas = announced.map(({ body }) => body!);
  const done = (await api.post<Imported>('/student-imports', { import_id, linhas })).body;
  expect(done).toMatchObject({ importados: announced.length, repetidos: 0 });
  const found = async (situacao: string) =>
    (await api.get<StudentPage>('/students', { query: { limit: 100, situacao } })).body.items;
  const there = [...(await found('ativos')), ...(await found('arquivados'))];
  const made = there.filter(({ nome }) => names.includes(nome));
  expect(made.map(({ nome, creditos }) => [nome, creditos > 0 ? `saldo ${creditos}` : undefined])).toEqual(
    expect.arrayContaining(
      announced.map(({ nome, facts }) => [nome, facts.find((fact) => fact.startsWith('saldo'))]),
    ),
  );
  expect(made).toHaveLength(announced.length);
  const removed = (await api.post<UndoneImport>(`/student-imports/${import_id}/undo`)).body;
  expect(removed).toMatchObject({ removidos: made.length, mantidos: 0 });
}

it('what is announced is what happens, over random states', async () => {
  const state = fc.record({
    commands: histories(8),
    choices: fc.array(fc.nat(10_000), { minLength: 40, maxLength: 40 }),
  });
  const property = fc.asyncProperty(state, async ({ commands, choices }) => {
    clock.at = new Date(START);
    const trainer = await signUp(app);
    const { api } = trainer;
    const agenda = agendaOf(api);
    const ids = await begin(trainer);
    let at = 0;
    const pick = (most: number) => choices[at++ % choices.length]! % most;
    await api.put('/settings/make-up', { ativo: pick(2) === 0, teto_percent: 100, prazo_meses: pick(3) });
    await api.put('/settings/receipts', ISSUER);
    const plan = { nome: 'Pacote', valor: 30_001, creditos: 3 };
    const plano = await agenda.plan({ ...plan, validade_dias: 30 });
    const students = [await agenda.student('Bia', plano), await agenda.student('Caio', plano)];
    ids.students.push(...students);
    for (const command of commands) {
      if (command.type === 'wait') clock.at = new Date(clock.at.getTime() + command.hours * HOUR);
      else if (command.type !== 'archive') {
        const [method, path, body, makes] = requestOf(command, ids);
        const answer = await api.request<{ id: string }>(method, `/api/v1${path}`, { body });
        if (makes && answer.status < 300) (ids[makes] as string[]).push(answer.body.id);
      }
    }
    // A pause that stands, a vacation that does, and one that was removed, whose days stay days away.
    await api.put(`/students/${students[0]}/pause`, { ate: inDays(pick(20)) });
    for (const [from, kept] of [
      [14 + pick(8), true],
      [1 + pick(4), false],
    ] as const) {
      const dates = { start_date: inDays(from), end_date: inDays(from + pick(8)) };
      const { sessoes } = (await api.get<VacationPreview>('/vacations/preview', { query: dates })).body;
      const manter = sessoes.map((session) => session.id);
      const { id } = (await api.post('/vacations', { ...dates, manter })).body;
      if (!kept) await api.delete(`/vacations/${id}`);
    }
    const everyone = ids.students;
    const world = {
      trainer,
      api,
      agenda,
      students,
      everyone,
      plan: { id: plano, ...plan },
      park: ids.park,
      pick,
    };
    const all = [...Object.values(announcements), ...saidByPages].filter((one) => typeof one === 'function');
    const repeated = all.filter((one) => one !== forgetting);
    for (const compare of [...repeated, ...repeated, forgetting]) await compare(world);
  });
  await fc.assert(property, { numRuns: rounds(1, 6), endOnFailure: true });
});
