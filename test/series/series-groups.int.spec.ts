import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import { fillSeries } from '../../backend/modules/series/series.module.js';
import { expectSlotsToFollowFromTheLog } from '../agenda/slots.js';
import { agendaOf, on, type Refusal } from '../agenda/trainer.js';
import { SetClock } from '../support/clock.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';
import { seriesOf } from './trainer.js';
import { toldOf } from '../support/history.js';

const NOW = new Date(on(18)(6));
const clock = new SetClock(NOW);
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let series: ReturnType<typeof seriesOf>;
let [ana, bia, caio]: string[] = [];

const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = NOW;
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  series = seriesOf(trainer.api);
  [ana, bia, caio] = [
    await agenda.student('Ana Souza'),
    await agenda.student('Bia Rocha'),
    await agenda.student('Caio Melo'),
  ];
});

/** Tuesdays at 7:00 from the 24th of November on. */
const tuesdays = (more: object = {}) =>
  series.start({
    student_id: ana,
    data: '2026-11-24',
    hora: '07:00',
    duracao: 60,
    dias: [2],
    intervalo: 1,
    vezes: 4,
    ...more,
  });
/** Each hour with its students: `24/11 07:00 Ana, Bia`. */
const said = async () => {
  const hours = new Map<string, string[]>();
  for (const { id, inicio, grupo_id, status, student_nome } of await series.sessions()) {
    const local = new Date(Date.parse(inicio) - 3 * 3_600_000).toISOString();
    const at = `${local.slice(8, 10)}/${local.slice(5, 7)} ${local.slice(11, 16)}`;
    const key = `${at} ${grupo_id ?? id}`;
    const who = `${student_nome!.split(' ')[0]}${status === 'agendada' ? '' : ` ${status}`}`;
    hours.set(key, [...(hours.get(key) ?? []), who]);
  }
  return [...hours].map(([key, who]) => `${key.slice(0, 11)} ${who.toSorted().join(', ')}`);
};
const of = async (student: string, day: string) =>
  (await series.sessions()).find(
    ({ student_id, ocorrencia }) => student_id === student && ocorrencia === day,
  )!.id;
const at = (date: string, time: string) => new Date(`${date}T${time}:00-03:00`).toISOString();
const times = (date: string, from: string, to: string) => ({ inicio: at(date, from), fim: at(date, to) });
const hours = (time: string, who: string, days = ['24/11', '01/12', '08/12', '15/12']) =>
  days.map((day) => `${day} ${time} ${who}`);

describe('students of a series', () => {
  it('are added from a session on, at its hours, which one command undoes', async () => {
    await tuesdays();
    const done = await series.join(await of(ana!, '2026-12-01'), 'proximas', bia!, caio!);
    expect(done).toMatchObject({ sessoes: 6, puladas: 0 });
    const shared = hours('07:00', 'Ana, Bia, Caio').slice(1);
    expect(await said()).toEqual(['24/11 07:00 Ana', ...shared]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
    expect(await toldOf(trainer.api, `student:${bia}`)).toContain(
      'Agendou toda terça, 7:00, até 15/12/2026: 3 sessões',
    );
    await series.undo(done);
    expect(await said()).toEqual(hours('07:00', 'Ana'));
    await expectRebuildToEqualLive(app, 'series');
  });

  it('leave from a session on, one by one, and can be restored', async () => {
    await tuesdays();
    await series.join(await of(ana!, '2026-11-24'), 'todas', bia!);
    const gone = await series.remove(await of(bia!, '2026-12-08'), 'proximas');
    const [first, second, third, fourth] = hours('07:00', 'Ana, Bia');
    expect(await said()).toEqual([first, second, ...hours('07:00', 'Ana').slice(2)]);
    await series.undo(gone);
    expect(await said()).toEqual([first, second, third, fourth]);
    await series.cancel(await of(ana!, '2026-12-01'), 'proximas');
    expect(await said()).toEqual([first, ...hours('07:00', 'Ana cancelada, Bia').slice(1)]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
  });

  it('are not added twice, nor to hours in which they already are, nor while they are inactive', async () => {
    await tuesdays();
    const first = await of(ana!, '2026-11-24');
    const path = `/sessions/${first}/series/students`;
    const add = (student: string) => ({ escopo: 'todas', student_ids: [student] });
    expect((await agenda.refused(409, 'POST', path, add(ana!))).code).toBe('agenda.already_in_group');
    await trainer.api.post(`/sessions/${first}/students`, { student_ids: [bia] });
    // A guest in one hour is not changed.
    expect(await series.join(first, 'todas', bia!)).toMatchObject({ sessoes: 3 });
    expect(await said()).toEqual(hours('07:00', 'Ana, Bia'));
    expect((await agenda.refused(409, 'POST', path, add(bia!))).code).toBe('agenda.already_in_group');
    await trainer.api.post(`/students/${caio}/archive`);
    await agenda.refused(409, 'POST', path, add(caio!));
    await agenda.refused(404, 'POST', path, add(first));
    expect(await said()).toEqual(hours('07:00', 'Ana, Bia'));
  });

  it('are added also to an hour that is shared with a guest, who stays too', async () => {
    await tuesdays();
    await agenda.book({
      student_id: caio,
      ...times('2026-12-08', '07:30', '08:30'),
      permitir_conflito: true,
    });
    await series.join(await of(ana!, '2026-11-24'), 'todas', bia!);
    const [first, second, third, fourth] = hours('07:00', 'Ana, Bia');
    expect(await said()).toEqual([first, second, third, '08/12 07:30 Caio', fourth]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
    // Only there another student has a part of the hour, which the booking may overlap.
    const inSpite = async (day: string) => {
      const query = { subject: `session:${await of(bia!, day)}` };
      const { body } = await trainer.api.get<HistoryPage>('/history', { query });
      return body.items.some(({ texto }) => texto.includes('“Agendar mesmo assim”'));
    };
    expect([await inSpite('2026-12-01'), await inSpite('2026-12-08')]).toEqual([false, true]);
  });

  it('are at most ten at once, and fifty', async () => {
    await tuesdays({ vezes: 2 });
    const first = await of(ana!, '2026-11-24');
    const more = await Promise.all(Array.from({ length: 49 }, (_, n) => agenda.student(`Aluno ${n}`)));
    const add = (...student_ids: string[]) => ({ escopo: 'todas', student_ids });
    const path = `/sessions/${first}/series/students`;
    expect((await agenda.refused(400, 'POST', path, add(...more.slice(0, 11)))).code).toBe('validation');
    expect(await said()).toEqual(hours('07:00', 'Ana', ['24/11', '01/12']));
    for (let at = 0; at < more.length; at += 10)
      await series.join(first, 'todas', ...more.slice(at, at + 10));
    expect((await agenda.refused(422, 'POST', path, add(bia!))).code).toBe('agenda.group_full');
  });
});

describe('a series that begins with several students', () => {
  it('books each hour for all of them, with location and notes, which one command undoes', async () => {
    const location_id = await agenda.location();
    const done = await tuesdays({ outros_alunos: [bia, caio], location_id, observacoes: 'Levar elástico' });
    expect(done).toMatchObject({ sessoes: 12, puladas: 0 });
    expect(await said()).toEqual(hours('07:00', 'Ana, Bia, Caio'));
    const all = await series.sessions();
    const facts = all.map((one) => `${one.location_id} ${one.observacoes}`);
    expect(new Set(facts)).toEqual(new Set([`${location_id} Levar elástico`]));
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
    await expectRebuildToEqualLive(app, 'series');
    const gone = await series.remove(await of(caio!, '2026-12-08'), 'proximas');
    const [first, second] = hours('07:00', 'Ana, Bia, Caio');
    expect(await said()).toEqual([first, second, ...hours('07:00', 'Ana, Bia').slice(2)]);
    await series.undo(gone);
    await series.change(await of(bia!, '2026-11-24'), 'todas', times('2026-11-24', '09:00', '10:00'));
    expect(await said()).toEqual(hours('09:00', 'Ana, Bia, Caio'));
  });

  it('is undone as a whole', async () => {
    const done = await tuesdays({ outros_alunos: [bia] });
    await series.undo(done);
    expect(await said()).toEqual([]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
  });

  it('skips dates for all, overlaps other sessions if the trainer permits it, and is continued for all', async () => {
    await agenda.book({ student_id: caio, ...times('2026-12-01', '07:30', '08:30') });
    await agenda.book({ student_id: caio, ...times('2026-12-08', '07:30', '08:30') });
    const decided = { pular: ['2026-12-01'], mesmo_assim: ['2026-12-08'] };
    const done = await tuesdays({ outros_alunos: [bia], ...decided });
    expect(done).toMatchObject({ sessoes: 6, puladas: 1 });
    const [first, , third, fourth] = hours('07:00', 'Ana, Bia');
    expect(await said()).toEqual([first, '01/12 07:30 Caio', third, '08/12 07:30 Caio', fourth]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
  });

  it('is refused with a student who is named twice, inactive or unknown, and books nothing', async () => {
    const wanted = {
      student_id: ana,
      data: '2026-11-24',
      hora: '07:00',
      duracao: 60,
      dias: [2],
      intervalo: 1,
      vezes: 4,
    };
    const refused = async (status: number, ...outros_alunos: string[]) =>
      (await agenda.refused(status, 'POST', '/series', { ...wanted, outros_alunos })).code;
    expect(await refused(409, ana!)).toBe('agenda.already_in_group');
    await refused(400, bia!, bia!);
    expect(await refused(404, randomUUID())).toBe('students.not_found');
    await trainer.api.post(`/students/${caio}/archive`);
    expect(await refused(409, bia!, caio!)).toBe('students.archived');
    expect(await said()).toEqual([]);
  });
});

describe('a race for the hours of a series', () => {
  /** The requests that are sent concurrently. */
  const race = (asked: [method: string, path: string, body: object][]) =>
    Promise.all(
      asked.map(async ([method, path, body]) => {
        const { status, body: answer } = await trainer.api.request<Refusal>(method, `/api/v1${path}`, {
          body,
        });
        return [status, answer.code];
      }),
    );

  it('for one hour is won by one of those who add students and those who move', async () => {
    await tuesdays();
    const first = await of(ana!, '2026-11-24');
    const guests = await Promise.all(
      ['Davi', 'Eva', 'Fábio', 'Gil'].map(async (nome, at) =>
        agenda.book({
          student_id: await agenda.student(nome),
          ...times('2026-12-01', `1${at}:00`, `1${at}:30`),
        }),
      ),
    );
    const to = times('2026-12-02', '07:00', '08:00');
    const outcomes = await race([
      ['PATCH', `/sessions/${first}/series`, { escopo: 'todas', ...times('2026-11-25', '07:00', '08:00') }],
      ...guests.map((id): [string, string, object] => ['PATCH', `/sessions/${id}`, to]),
      ['POST', `/sessions/${first}/series/students`, { escopo: 'todas', student_ids: [bia] }],
    ]);
    const moves = outcomes.slice(0, 5).map(([status, code]) => code ?? status);
    const refusals = moves.filter((outcome) => outcome !== 200);
    expect(refusals).toHaveLength(4);
    for (const code of refusals) expect(['agenda.overlap', 'series.times_taken']).toContain(code);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
  });
});

describe('a series of several students', () => {
  beforeEach(async () => {
    await tuesdays({ location_id: await agenda.location() });
    await series.join(await of(ana!, '2026-11-24'), 'todas', bia!);
  });

  it('is moved as a whole from a session of any student on, including guests, and back', async () => {
    await trainer.api.post(`/sessions/${await of(bia!, '2026-12-08')}/students`, { student_ids: [caio] });
    const before = await said();
    const to = times('2026-12-02', '07:30', '09:00');
    const done = await series.change(await of(bia!, '2026-12-01'), 'proximas', to);
    expect(done).toMatchObject({ sessoes: 4, puladas: 0 });
    const moved = ['02/12 07:30 Ana, Bia', '09/12 07:30 Ana, Bia, Caio', '16/12 07:30 Ana, Bia'];
    expect(await said()).toEqual([before[0], ...moved]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
    await series.undo(done);
    expect(await said()).toEqual(before);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
  });

  it('keeps an hour together if the change does not fit', async () => {
    await agenda.book({ student_id: caio, ...times('2026-12-08', '08:00', '09:00') });
    const body = { escopo: 'todas', ...times('2026-11-24', '07:30', '08:30') };
    const first = await of(ana!, '2026-11-24');
    expect((await agenda.refused(409, 'PATCH', `/sessions/${first}/series`, body)).detail).toBe(
      '1 de 4 não cabem no novo horário: 08/12/2026 (Já há sessão das 8:00 às 9:00).',
    );
    const done = await series.change(first, 'todas', {
      ...times('2026-11-24', '07:30', '08:30'),
      impedidas: 'manter',
    });
    expect(done).toMatchObject({ sessoes: 3, puladas: 1 });
    const [one, two, , four] = hours('07:30', 'Ana, Bia');
    expect(await said()).toEqual([one, two, '08/12 07:00 Ana, Bia', '08/12 08:00 Caio', four]);
  });

  it('changes its location together, and keeps the notes of each', async () => {
    const gym = await agenda.location('Academia');
    const first = await of(bia!, '2026-11-24');
    await series.change(first, 'todas', { location_id: gym, observacoes: 'Joelho' });
    const all = await series.sessions();
    expect(new Set(all.map(({ location_id }) => location_id))).toEqual(new Set([gym]));
    expect(new Set(all.map(({ student_id, observacoes }) => `${student_id === bia} ${observacoes}`))).toEqual(
      new Set(['true Joelho', 'false null']),
    );
  });

  it('changes its weekdays together, and back', async () => {
    const done = await series.change(await of(ana!, '2026-12-01'), 'proximas', { dias: [4] });
    expect(await said()).toEqual([
      ...hours('07:00', 'Ana, Bia').slice(0, 1),
      ...hours('07:00', 'Ana, Bia', ['03/12', '10/12', '17/12']),
    ]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
    await series.undo(done);
    expect(await said()).toEqual(hours('07:00', 'Ana, Bia'));
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
  });

  it('is cancelled for all from an hour on, also for those who joined later and for guests, and back', async () => {
    await series.join(await of(ana!, '2026-12-08'), 'proximas', caio!);
    const davi = await agenda.student('Davi Reis');
    await trainer.api.post(`/sessions/${await of(ana!, '2026-12-01')}/students`, { student_ids: [davi] });
    const before = await said();
    const gone = await series.cancel(await of(bia!, '2026-12-01'), 'proximas', {
      motivo: 'personal',
      com_grupo: true,
    });
    expect(gone.sessoes).toBe(9);
    // Of whom they tell: Bia and Ana from this day on, Caio from the next, and Davi of the only one.
    const lost = (await series.sessions()).filter(({ id }) => gone.session_ids.includes(id));
    expect(
      lost
        .map(({ student_nome, inicio }) => `${student_nome?.split(' ')[0]} ${inicio.slice(8, 10)}`)
        .toSorted(),
    ).toEqual(['Ana 01', 'Bia 01', 'Caio 08', 'Davi 01']);
    const who = (names: string[]) => names.map((name) => `${name} cancelada`).join(', ');
    expect(await said()).toEqual([
      '24/11 07:00 Ana, Bia',
      `01/12 07:00 ${who(['Ana', 'Bia', 'Davi'])}`,
      ...hours('07:00', who(['Ana', 'Bia', 'Caio']), ['08/12', '15/12']),
    ]);
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
    await series.undo(gone);
    expect(await said()).toEqual(before);
    const first = await of(ana!, '2026-11-24');
    await agenda.refused(422, 'POST', `/sessions/${first}/series/cancel`, {
      escopo: 'todas',
      motivo: 'aluno_no_prazo',
      com_grupo: true,
    });
    await expectRebuildToEqualLive(app, 'series');
  });

  it('is restored as a whole when a vacation is undone', async () => {
    const days = { start_date: '2026-11-30', end_date: '2026-12-09' };
    const cancelar = (await series.sessions()).slice(2, 6).map(({ id }) => id);
    const { body } = await trainer.api.post<{ id: string }>('/vacations', { ...days, cancelar });
    expect((await said()).slice(1, 3)).toEqual(hours('07:00', 'Ana cancelada, Bia cancelada').slice(1, 3));
    await trainer.api.post(`/vacations/${body.id}/undo`);
    expect(await said()).toEqual(hours('07:00', 'Ana, Bia'));
  });
});

it('without an end is continued with all students', async () => {
  await tuesdays({ vezes: null });
  await series.join(await of(ana!, '2026-12-01'), 'proximas', bia!);
  clock.at = new Date(NOW.getTime() + 14 * 86_400_000);
  await app.run(fillSeries.Handler);
  expect((await said()).slice(-2)).toEqual(['16/02 07:00 Ana, Bia', '23/02 07:00 Ana, Bia']);
  await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
  await expectRebuildToEqualLive(app, 'series');
});
