import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Dashboard, SessionPage, SessionToChargePage } from '../../backend/modules/agenda/agenda.api.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { agendaOf, on } from './trainer.js';

const clock = new SetClock(new Date(on(26)(6)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
});

const at = on(26);
const events = async () =>
  (
    await database.query<{ type: string }>(
      'select type from events where tenant_id = $1 and stream_id ~ $2 order by position',
      [trainer.tenantId, '^(session|credit-account):'],
    )
  ).map(({ type }) => type);
const list = async (query: Record<string, string | number>) =>
  (await trainer.api.get<SessionPage>('/sessions', { query })).body;

it('a working day: book, complete, see what is to be charged', async () => {
  const [plan, location] = await Promise.all([agenda.plan(), agenda.location()]);
  const [ana, bia] = [await agenda.student('Ana Souza', plan), await agenda.student('Bia Lima')];
  await agenda.renew(ana);
  const first = await agenda.book({
    student_id: ana,
    inicio: at(7),
    fim: at(8),
    location_id: location,
    observacoes: ' Joelho esquerdo ',
  });
  const second = await agenda.book({ student_id: bia, inicio: at(8), fim: at(9) });
  const counts = { total_alunos: 2, locais_ativos: 1 };
  const { proximas_sessoes, ...cards } = (await trainer.api.get<Dashboard>('/dashboard')).body;
  const primeiros_passos = {
    plano: true,
    aluno: true,
    agendamento: true,
    recebimento: false,
    local: true,
    pix: false,
    link: false,
  };
  expect(cards).toEqual({ hoje: 2, esta_semana: 2, ...counts, primeiros_passos });
  expect(proximas_sessoes.map(({ id }) => id)).toEqual([first, second]);

  expect(await agenda.complete(first)).toEqual({
    id: first,
    status: 'feita',
    usou_credito: true,
    sem_credito: false,
    taxa: 0,
  });
  expect(await agenda.complete(second)).toMatchObject({ usou_credito: false, sem_credito: true });
  expect(await agenda.balance(ana)).toBe(3);

  const done = {
    id: first,
    student_id: ana,
    student_nome: 'Ana Souza',
    location_id: location,
    location_nome: 'Parque',
    inicio: at(7),
    fim: at(8),
    status: 'feita',
    confirmado: true,
    observacoes: 'Joelho esquerdo',
    serie_id: null,
    ocorrencia: null,
    grupo_id: null,
    servico: null,
    turma: null,
    motivo: null,
    usou_credito: true,
    sem_credito: false,
    valor: 8000,
    taxa: 0,
  };
  expect(await agenda.get(first)).toEqual(done);
  expect((await list({ from: at(0), to: at(24) })).items[0]).toEqual(done);
  const { items } = (await trainer.api.get<SessionToChargePage>('/sessions/to-charge')).body;
  expect(items).toEqual([expect.objectContaining({ id: second, sem_credito: true, a_cobrar: null })]);
  expect(await events()).toEqual([
    'CreditsGranted',
    'SessionBooked',
    'SessionBooked',
    'CreditConsumed',
    'SessionCompleted',
    'SessionCompleted',
  ]);
});

describe('a session that is no longer done returns its credit to the lot from which it came', () => {
  let ana: string;
  let done: string;

  beforeEach(async () => {
    ana = await agenda.student('Ana Souza', await agenda.plan());
    await agenda.renew(ana);
    done = await agenda.book({ student_id: ana, inicio: at(7), fim: at(8) });
    await agenda.complete(done);
    expect(await agenda.balance(ana)).toBe(3);
  });

  it.each(['reopen', 'cancel', 'remove'] as const)('by %s', async (way) => {
    await agenda[way](done);
    expect(await agenda.balance(ana)).toBe(4);
  });

  it('by a change of the status', async () => {
    await agenda.patch(done, { status: 'cancelada' });
    expect(await agenda.get(done)).toMatchObject({ status: 'cancelada', motivo: 'personal', valor: 8000 });
    expect(await agenda.balance(ana)).toBe(4);
    await agenda.patch(done, { status: 'feita' });
    expect(await agenda.balance(ana)).toBe(3);
    await agenda.patch(done, { status: 'agendada' });
    expect(await agenda.get(done)).toMatchObject({ status: 'agendada', motivo: null, valor: null });
    expect(await agenda.balance(ana)).toBe(4);
  });

  it('by getting another student, whose credit it uses', async () => {
    const bia = await agenda.student('Bia Lima', await agenda.plan({ valor: 10_000, creditos: 3 }));
    await agenda.renew(bia);
    await agenda.patch(done, { student_id: bia });
    expect([await agenda.balance(ana), await agenda.balance(bia)]).toEqual([4, 2]);
    expect(await agenda.get(done)).toMatchObject({
      student_nome: 'Bia Lima',
      usou_credito: true,
      valor: 3333,
    });
  });

  it('but returns nothing if none was used', async () => {
    const bia = await agenda.student('Bia Lima', await agenda.plan());
    const without = await agenda.book({ student_id: bia, inicio: at(9), fim: at(10) });
    expect(await agenda.complete(without)).toMatchObject({ sem_credito: true });
    await agenda.renew(bia);
    expect(await agenda.reopen(without)).toMatchObject({ sem_credito: false });
    expect(await agenda.balance(bia)).toBe(4);
  });

  it('restoring a deleted done session uses the credit again', async () => {
    await agenda.remove(done);
    await agenda.refused(404, 'GET', `/sessions/${done}`);
    expect((await list({ from: at(0), to: at(24) })).items).toEqual([]);
    expect(await agenda.restore(done)).toMatchObject({ status: 'feita', usou_credito: true });
    expect(await agenda.balance(ana)).toBe(3);
    expect((await agenda.refused(409, 'POST', `/sessions/${done}/restore`)).code).toBe('agenda.not_deleted');
  });

  it('does not undo a status that was changed since', async () => {
    await agenda.cancel(done);
    for (const [step, de] of [
      ['reopen', 'feita'],
      ['complete', 'agendada'],
    ]) {
      const refusal = await agenda.refused(409, 'POST', `/sessions/${done}/${step}`, { de });
      expect(refusal.code).toBe('changed_since');
    }
    expect((await agenda.get(done)).status).toBe('cancelada');
    expect(await agenda.reopen(done, { de: 'cancelada' })).toMatchObject({ status: 'agendada' });
  });

  it('a repeated change of the status is refused, with the current status', async () => {
    expect(await agenda.refused(409, 'POST', `/sessions/${done}/complete`)).toMatchObject({
      code: 'agenda.already_done',
      title: 'A sessão já foi marcada como feita',
    });
    await agenda.cancel(done);
    const again = await agenda.refused(409, 'POST', `/sessions/${done}/cancel`, { motivo: 'personal' });
    expect(again.code).toBe('agenda.already_cancelled');
    await agenda.reopen(done);
    expect((await agenda.refused(409, 'POST', `/sessions/${done}/reopen`)).code).toBe(
      'agenda.already_scheduled',
    );
    expect(await agenda.balance(ana)).toBe(4);
  });
});

describe('changing', () => {
  it('changes the given fields and keeps the others', async () => {
    const [ana, location] = [await agenda.student('Ana Souza'), await agenda.location()];
    const id = await agenda.book({ student_id: ana, inicio: at(7), fim: at(8), observacoes: 'Leve' });
    await agenda.patch(id, { location_id: location, confirmado: false });
    await agenda.patch(id, { inicio: at(7, 30), fim: at(8, 30), observacoes: null });
    expect(await agenda.get(id)).toMatchObject({
      inicio: at(7, 30),
      fim: at(8, 30),
      location_nome: 'Parque',
      observacoes: null,
      confirmado: false,
    });
    const before = await events();
    await agenda.patch(id, { location_id: location, status: 'agendada', inicio: at(7, 30) });
    expect(await events()).toEqual(before);
  });

  it('is undone if the fields are unchanged since, independent of newer changes to other fields', async () => {
    const ana = await agenda.student('Ana Souza');
    const id = await agenda.book({
      student_id: ana,
      inicio: on(27)(7),
      fim: on(27)(8),
      observacoes: 'Joelho',
    });
    await agenda.patch(id, { observacoes: 'Ombro', inicio: on(27)(9), fim: on(27)(10) });
    const undo = {
      observacoes: 'Joelho',
      inicio: on(27)(7),
      fim: on(27)(8),
      se_ainda: { observacoes: 'Ombro', inicio: on(27)(9), fim: on(27)(10) },
    };
    await agenda.patch(id, { fim: on(27)(11) });
    expect(await agenda.refused(409, 'PATCH', `/sessions/${id}`, undo)).toMatchObject({
      code: 'changed_since',
      detail: 'A sessão mudou depois dessa alteração. Confira como ela está agora.',
    });
    await agenda.patch(id, { fim: on(27)(10), confirmado: false });
    await agenda.patch(id, undo);
    expect(await agenda.get(id)).toMatchObject({
      observacoes: 'Joelho',
      inicio: on(27)(7),
      fim: on(27)(8),
      confirmado: false,
    });
  });
});

describe('a session of a day to come', () => {
  const tomorrow = { inicio: on(27)(7), fim: on(27)(8) };
  const later = { inicio: at(22), fim: at(23) };
  const refused = async (method: string, path: string, body?: object) =>
    (await agenda.refused(422, method, path, body)).code;

  it('cannot become done in any way, while one of today can at any hour', async () => {
    const [ana, bia] = [await agenda.student('Ana Souza'), await agenda.student('Bia Lima')];
    const id = await agenda.book({ student_id: ana, ...tomorrow });
    const { body: group } = await trainer.api.post('/sessions/groups', {
      student_ids: [ana, bia],
      inicio: on(27)(9),
      fim: on(27)(10),
    });
    const before = await events();
    expect(await agenda.refused(422, 'POST', `/sessions/${id}/complete`)).toMatchObject({
      code: 'agenda.day_ahead',
      title: 'Só dá para marcar como feita a partir do dia da sessão',
    });
    const day_ahead = 'agenda.day_ahead';
    expect(await refused('PATCH', `/sessions/${id}`, { status: 'feita' })).toBe(day_ahead);
    expect(await refused('POST', `/sessions/groups/${group.id}/complete`)).toBe(day_ahead);
    expect(await events()).toEqual(before);

    await agenda.patch(id, { ...later, status: 'feita' });
    expect(await refused('PATCH', `/sessions/${id}`, tomorrow)).toBe(day_ahead);
    await agenda.patch(id, { ...tomorrow, status: 'agendada' });
    await agenda.patch(id, { ...later, status: 'feita', se_ainda: { status: 'agendada' } });
    expect(await agenda.get(id)).toMatchObject({ ...later, status: 'feita' });
  });
});

describe('finding', () => {
  it('lists sessions that overlap the period, by start, in pages', async () => {
    const ana = await agenda.student('Ana Souza');
    const bia = await agenda.student('Beatriz Conceição');
    const ids: string[] = [];
    for (const hour of [6, 7, 8, 9, 10]) {
      ids.push(await agenda.book({ student_id: hour % 2 ? ana : bia, inicio: at(hour), fim: at(hour + 1) }));
    }
    const found = async (query: Record<string, string | number>) =>
      (await list(query)).items.map(({ id }) => ids.indexOf(id));
    expect(await found({ from: at(7), to: at(9) })).toEqual([1, 2]);
    expect(await found({ from: at(6, 59), to: at(9, 1) })).toEqual([0, 1, 2, 3]);
    expect(await found({ student_id: bia })).toEqual([0, 2, 4]);
    expect(await found({ student_id: bia, ordem: 'recentes' })).toEqual([4, 2, 0]);
    expect(await found({ ordem: 'recentes', to: at(10) })).toEqual([3, 2, 1, 0]);
    expect(await found({ q: 'beatriz  conceicao' })).toEqual([0, 2, 4]);
    expect(await found({ q: 'SOUZA', from: at(8) })).toEqual([3]);
    expect(await found({ q: '%' })).toEqual([]);

    const pages: number[][] = [];
    let cursor: string | null | undefined;
    do {
      const page = await list({ limit: 2, ...(cursor && { cursor }) });
      pages.push(page.items.map(({ id }) => ids.indexOf(id)));
      cursor = page.next;
    } while (cursor);
    expect(pages).toEqual([[0, 1], [2, 3], [4]]);
  });
});

describe('bad input', () => {
  const valid = { student_id: randomUUID(), inicio: at(7), fim: at(8) };

  it.each<[string, object, number, string]>([
    ['an end before the start', { ...valid, fim: at(6) }, 422, '/fim'],
    ['fourteen minutes', { ...valid, fim: at(7, 14) }, 422, '/fim'],
    ['seven hours', { ...valid, fim: at(14) }, 422, '/fim'],
    ['no student', { inicio: at(7), fim: at(8) }, 400, '/student_id'],
    ['notes without end', { ...valid, observacoes: 'a'.repeat(2001) }, 400, '/observacoes'],
  ])('%s is refused with its field', async (_case, body, status, pointer) => {
    const problem = await agenda.refused(status, 'POST', '/sessions', body);
    expect(problem.errors).toEqual([{ pointer, detail: expect.any(String) }]);
    expect(await events()).toEqual([]);
  });

  it.each([
    [{}, 400],
    [{ status: 'agendado' }, 400],
    [{ motivo: 'falta' }, 422],
    [{ student_id: null }, 400],
  ])('the change %j is refused', async (changes, status) => {
    await agenda.refused(status, 'PATCH', `/sessions/${randomUUID()}`, changes);
  });

  it('unknown sessions, students and locations are not found', async () => {
    const ana = await agenda.student('Ana Souza');
    const nobody = await agenda.refused(404, 'POST', '/sessions', valid);
    expect(nobody.code).toBe('students.not_found');
    const nowhere = { ...valid, student_id: ana, location_id: randomUUID() };
    expect((await agenda.refused(404, 'POST', '/sessions', nowhere)).code).toBe('locations.not_found');
    const id = await agenda.book({ ...valid, student_id: ana });
    await agenda.refused(404, 'PATCH', `/sessions/${id}`, { student_id: randomUUID() });
    await agenda.refused(404, 'PATCH', `/sessions/${id}`, { location_id: randomUUID() });
    for (const way of ['complete', 'reopen', 'restore']) {
      await agenda.refused(404, 'POST', `/sessions/${randomUUID()}/${way}`);
    }
    await agenda.refused(404, 'DELETE', `/sessions/${randomUUID()}`);
  });

  it('an archived student is not booked', async () => {
    const ana = await agenda.student('Ana Souza');
    await trainer.api.post(`/students/${ana}/archive`);
    const refusal = await agenda.refused(409, 'POST', '/sessions', { ...valid, student_id: ana });
    expect(refusal.code).toBe('students.archived');
  });
});

it('a rebuild gives the same sessions', () => expectRebuildToEqualLive(app, 'sessions'));
