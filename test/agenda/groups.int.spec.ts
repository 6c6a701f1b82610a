import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Dashboard, Session } from '../../backend/modules/agenda/agenda.api.js';
import type { HistoryPage } from '../../backend/modules/audit/history.api.js';
import type { WeekCopyPreview } from '../../backend/modules/agenda/week-copy.api.js';
import type { SessionDays } from '../../backend/modules/agenda/session-days.api.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { expectSlotsToFollowFromTheLog } from './slots.js';
import { agendaOf, on, type Refusal } from './trainer.js';
import { toldOf } from '../support/history.js';

interface Changed {
  id: string;
  session_ids: string[];
}

let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let [ana, bia, caio]: string[] = [];

const clock = new SetClock(new Date(on(26)(6)));

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  const plan = await agenda.plan();
  [ana, bia, caio] = [
    await agenda.student('Ana Souza', plan),
    await agenda.student('Bia Rocha', plan),
    await agenda.student('Caio Melo', plan),
  ];
});

const at = on(26);
const hour = (from: number) => ({ inicio: at(from), fim: at(from + 1) });
const post = async (path: string, body?: object) => (await trainer.api.post<Changed>(path, body)).body;
const duo = (from = 7, more: object = {}) =>
  post('/sessions/groups', { student_ids: [ana, bia], ...hour(from), ...more });
const sessions = async (): Promise<Session[]> =>
  (await trainer.api.get<{ items: Session[] }>('/sessions')).body.items;
/** The status of each session, by the student's first name. */
const shown = async () =>
  (await sessions())
    .map(({ student_nome, inicio, status }) => [student_nome!.split(' ')[0]!, inicio, status].join(' '))
    .toSorted();
const stretches = async () =>
  (
    await database.query<{ span: string }>(
      `select to_char(inicio at time zone 'America/Sao_Paulo', 'HH24:MI') || '-' ||
              to_char(fim at time zone 'America/Sao_Paulo', 'HH24:MI') as span
       from session_slots where tenant_id = $1 order by inicio`,
      [trainer.tenantId],
    )
  ).map(({ span }) => span);
const refused = (path: string, body: object) => agenda.refused(409, 'POST', path, body);

const expectGuardsToFollowFromTheLog = () => expectSlotsToFollowFromTheLog(app, trainer.tenantId);

describe('an hour of several students', () => {
  it('has a session for each student, all with the same time, location and group', async () => {
    const gym = await agenda.location();
    const { id, session_ids } = await duo(7, { location_id: gym });
    const both = await sessions();
    expect(both.map(({ student_id }) => student_id).toSorted()).toEqual([ana!, bia!].toSorted());
    for (const session of both) {
      expect(session).toMatchObject({ ...hour(7), grupo_id: id, location_id: gym, status: 'agendada' });
      expect(session_ids).toContain(session.id);
    }
    expect(await stretches()).toEqual(['07:00-08:00']);
    await expectGuardsToFollowFromTheLog();
  });

  it('conflicts with all other sessions, unless the trainer permits it', async () => {
    await duo();
    const alone = { student_id: caio, inicio: at(7, 30), fim: at(8, 30) };
    expect((await refused('/sessions', alone)).code).toBe('agenda.overlap');
    await agenda.get(await agenda.book({ student_id: caio, ...hour(9) }));
    const group = { student_ids: [ana, bia], inicio: at(9, 30), fim: at(10, 30) };
    expect(await refused('/sessions/groups', group)).toMatchObject({
      code: 'agenda.overlap',
      detail: 'Caio já tem sessão das 9:00 às 10:00. Escolha outro horário ou agende mesmo assim.',
    });
    await post('/sessions/groups', { ...group, permitir_conflito: true });
    expect(await stretches()).toEqual(['07:00-08:00', '09:00-10:30']);
    await expectGuardsToFollowFromTheLog();
  });

  it('is refused as a whole for a student who cannot be booked, is named twice, or is the only one', async () => {
    await trainer.api.post(`/students/${bia}/archive`);
    await agenda.refused(409, 'POST', '/sessions/groups', { student_ids: [ana, bia], ...hour(7) });
    for (const student_ids of [[ana], [ana, ana]])
      await agenda.refused(400, 'POST', '/sessions/groups', { student_ids, ...hour(7) });
    expect(await sessions()).toEqual([]);
  });

  it('settles each session with the credits of its student, all in one command, which one command undoes', async () => {
    await agenda.renew(ana!);
    const { id } = await duo();
    const { session_ids } = await post(`/sessions/groups/${id}/complete`);
    expect(session_ids).toHaveLength(2);
    const outcomes = (await sessions()).map(({ student_id, usou_credito, sem_credito }) => [
      student_id === ana ? 'Ana' : 'Bia',
      usou_credito,
      sem_credito,
    ]);
    expect(outcomes.toSorted()).toEqual([
      ['Ana', true, false],
      ['Bia', false, true],
    ]);
    expect(await agenda.balance(ana!)).toBe(3);
    await post(`/sessions/groups/${id}/reopen`, { session_ids });
    expect(await agenda.balance(ana!)).toBe(4);
    expect((await sessions()).map(({ status }) => status)).toEqual(['agendada', 'agendada']);
  });

  it('does not change done, missed and cancelled sessions when the others are completed', async () => {
    const { id, session_ids } = await duo();
    await agenda.cancel(session_ids[0]!);
    expect((await post(`/sessions/groups/${id}/complete`)).session_ids).toEqual([session_ids[1]]);
    await agenda.refused(409, 'POST', `/sessions/groups/${id}/complete`);
    await agenda.refused(404, 'POST', `/sessions/groups/${ana}/complete`);
  });

  it('is completed without the sessions of the group at another time', async () => {
    const { id, session_ids } = await duo();
    const [back, moved] = session_ids as [string, string];
    await agenda.cancel(back);
    await agenda.patch(moved, hour(9));
    await agenda.reopen(back);
    const path = `/sessions/groups/${id}/complete`;
    expect((await post(path, { inicio: at(9) })).session_ids).toEqual([moved]);
    expect(await shown()).toEqual([`Ana ${at(7)} agendada`, `Bia ${at(9)} feita`]);
    expect((await refused(path, { inicio: at(9) })).code).toBe('agenda.already_done');
    expect((await post(path)).session_ids).toEqual([back]);
  });

  it('restores its cancelled session at the time of the others', async () => {
    const { session_ids } = await duo();
    await agenda.cancel(session_ids[0]!);
    await agenda.reopen(session_ids[0]!);
    await agenda.remove(session_ids[1]!);
    await agenda.restore(session_ids[1]!);
    await agenda.cancel(session_ids[1]!);
    await agenda.complete(session_ids[1]!);
    expect(await stretches()).toEqual(['07:00-08:00']);
    await expectGuardsToFollowFromTheLog();
  });
});

describe('a cancellation of the hour by the trainer', () => {
  const path = (id: string, what: string) => `/sessions/groups/${id}/${what}`;

  it('cancels all scheduled sessions in one command, as announced and without cost, and one command undoes it', async () => {
    const gym = await agenda.location();
    const policy = { cancel_limite_horas: 48, taxa_percent: 50, queima_credito: true };
    await trainer.api.put(`/locations/${gym}/policy`, policy);
    for (const student of [ana!, bia!, caio!]) await agenda.renew(student);
    const { id, session_ids } = await duo(7, { student_ids: [ana, bia, caio], location_id: gym });
    const done = (await sessions()).find(({ student_id }) => student_id === caio)!.id;
    await agenda.complete(done);
    const announced = (await trainer.api.get<Changed>(path(id, 'cancellation'), { query: { inicio: at(7) } }))
      .body;
    expect(await shown()).toEqual([`Ana ${at(7)} agendada`, `Bia ${at(7)} agendada`, `Caio ${at(7)} feita`]);
    const cancelled = await post(path(id, 'cancel'), { inicio: at(7) });
    expect(cancelled).toEqual(announced);
    expect(cancelled).toMatchObject({ id, usou_credito: false, sem_credito: false, taxa: 0 });
    expect(cancelled.session_ids.toSorted()).toEqual(session_ids.filter((one) => one !== done).toSorted());
    expect(await shown()).toEqual([
      `Ana ${at(7)} cancelada`,
      `Bia ${at(7)} cancelada`,
      `Caio ${at(7)} feita`,
    ]);
    expect(await Promise.all([ana!, bia!, caio!].map(agenda.balance))).toEqual([4, 4, 3]);
    for (const student of [ana, bia]) {
      const query = { subject: `student:${student}` };
      const { items } = (await trainer.api.get<HistoryPage>('/history', { query })).body;
      const words = 'Cancelou a sessão de qui., 26 de nov. de 2026, 7:00–8:00 (pelo personal)';
      expect(items.filter(({ texto }) => texto === words)).toHaveLength(1);
    }
    await post(path(id, 'reopen'), { session_ids: cancelled.session_ids, de: 'cancelada' });
    expect(await shown()).toEqual([`Ana ${at(7)} agendada`, `Bia ${at(7)} agendada`, `Caio ${at(7)} feita`]);
    await expectGuardsToFollowFromTheLog();
  });

  it('is refused where nothing is left to cancel, and is only of that hour', async () => {
    const { id, session_ids } = await duo();
    const [back, moved] = session_ids as [string, string];
    await agenda.cancel(back);
    await agenda.patch(moved, hour(9));
    await agenda.reopen(back);
    expect((await post(path(id, 'cancel'), { inicio: at(9) })).session_ids).toEqual([moved]);
    const again = async (inicio: string) => (await refused(path(id, 'cancel'), { inicio })).code;
    expect(await again(at(9))).toBe('agenda.already_cancelled');
    await agenda.complete(back);
    expect(await again(at(7))).toBe('agenda.already_done');
    await agenda.refused(404, 'POST', path(id, 'cancel'), { inicio: at(8) });
    await agenda.refused(404, 'GET', `${path(id, 'cancellation')}?inicio=${at(8)}`);
  });

  it('is undone as a whole, without sessions that were changed since, and on a time that was taken only if permitted', async () => {
    const { id } = await duo();
    const { session_ids } = await post(path(id, 'cancel'), { inicio: at(7) });
    const undo = { session_ids, de: 'cancelada' };
    const other = await agenda.book({ student_id: caio, ...hour(7) });
    expect((await refused(path(id, 'reopen'), undo)).code).toBe('agenda.overlap');
    expect(await shown()).toEqual([
      `Ana ${at(7)} cancelada`,
      `Bia ${at(7)} cancelada`,
      `Caio ${at(7)} agendada`,
    ]);
    await agenda.complete(session_ids[0]!, { permitir_conflito: true });
    const back = await post(path(id, 'reopen'), { ...undo, permitir_conflito: true });
    expect(back.session_ids).toEqual([session_ids[1]]);
    await agenda.remove(other);
    await agenda.complete(session_ids[1]!);
    expect((await refused(path(id, 'reopen'), undo)).code).toBe('changed_since');
    await expectGuardsToFollowFromTheLog();
  });
});

describe('a move of the hour', () => {
  it('moves and resizes all scheduled sessions, also onto a part of their old time', async () => {
    const { session_ids } = await duo();
    await agenda.patch(session_ids[0]!, { inicio: at(7, 30), fim: at(9) });
    expect(await stretches()).toEqual(['07:30-09:00']);
    expect((await sessions()).map(({ inicio, fim }) => [inicio, fim])).toEqual([
      [at(7, 30), at(9)],
      [at(7, 30), at(9)],
    ]);
    await agenda.patch(session_ids[1]!, hour(7));
    expect(await stretches()).toEqual(['07:00-08:00']);
    await expectGuardsToFollowFromTheLog();
  });

  it('does not move done sessions, and changes the location of all', async () => {
    const gym = await agenda.location();
    const { session_ids } = await post('/sessions/groups', { student_ids: [ana, bia, caio], ...hour(7) });
    const names = await sessions();
    const of = (student: string) => names.find(({ student_id }) => student_id === student)!.id;
    expect(session_ids).toHaveLength(3);
    await agenda.complete(of(caio!));
    await agenda.patch(of(ana!), { ...hour(10), location_id: gym });
    expect(await shown()).toEqual([
      `Ana ${at(10)} agendada`,
      `Bia ${at(10)} agendada`,
      `Caio ${at(7)} feita`,
    ]);
    const places = (await sessions()).map(({ student_id, location_id }) => [
      student_id === caio,
      location_id,
    ]);
    expect(places).toContainEqual([true, null]);
    expect(places.filter(([, place]) => place === gym)).toHaveLength(2);
    expect(await stretches()).toEqual(['07:00-08:00', '10:00-11:00']);
  });

  it('is refused as a whole if the time is taken, with the three nearest free times', async () => {
    const { session_ids } = await duo();
    await agenda.book({ student_id: caio, ...hour(9) });
    const refusal = await agenda.refused(409, 'PATCH', `/sessions/${session_ids[0]}`, hour(9));
    expect((refusal as Refusal & { livres: object[] }).livres).toHaveLength(3);
    expect(await stretches()).toEqual(['07:00-08:00', '09:00-10:00']);
    expect((await shown()).filter((one) => one.includes(at(7)))).toHaveLength(2);
  });
});

it('asks before a session that is restored overlaps a part of its group', async () => {
  const { session_ids } = await duo();
  const [gone, moved] = session_ids as [string, string];
  await agenda.cancel(gone);
  await agenda.patch(moved, { inicio: at(7, 30), fim: at(8, 30) });
  expect((await refused(`/sessions/${gone}/reopen`, {})).code).toBe('agenda.overlap');
  await agenda.reopen(gone, { permitir_conflito: true });
  expect(await stretches()).toEqual(['07:00-08:30']);
  const adds = { student_ids: [caio] };
  expect((await refused(`/sessions/${gone}/students`, adds)).code).toBe('agenda.overlap');
  await agenda.patch(moved, hour(7));
  expect(await stretches()).toEqual(['07:00-08:00']);
  await expectGuardsToFollowFromTheLog();
});

describe('a student who is added to an hour later', () => {
  it('turns a session of one student into a group at its time and location', async () => {
    const first = await agenda.book({ student_id: ana, ...hour(7), location_id: await agenda.location() });
    const { id, session_ids } = await post(`/sessions/${first}/students`, { student_ids: [bia] });
    const both = await sessions();
    expect(both.map(({ grupo_id }) => grupo_id)).toEqual([id, id]);
    expect(both[0]!.location_id).toBe(both[1]!.location_id);
    const again = await refused(`/sessions/${first}/students`, { student_ids: [bia] });
    expect(again.code).toBe('agenda.already_in_group');
    await post(`/sessions/${session_ids[0]}/students`, { student_ids: [caio] });
    expect(await sessions()).toHaveLength(3);
    expect(await stretches()).toEqual(['07:00-08:00']);
    await expectGuardsToFollowFromTheLog();
  });

  it('can be removed again, and the others keep the hour', async () => {
    const { session_ids } = await duo();
    await agenda.remove(session_ids[1]!);
    expect(await stretches()).toEqual(['07:00-08:00']);
    await agenda.remove(session_ids[0]!);
    expect(await stretches()).toEqual([]);
  });

  it('is removed by undoing the booking, together with the others of it, except sessions that were settled meanwhile', async () => {
    const { session_ids } = await duo();
    await agenda.complete(session_ids[1]!);
    const undone = await post('/sessions/undo-bookings', { session_ids });
    expect(undone.session_ids).toEqual([session_ids[0]]);
    expect(await sessions()).toHaveLength(1);
  });

  it('is not reported as removed if all sessions were settled meanwhile', async () => {
    const session_ids = [await agenda.book({ student_id: ana, ...hour(7) })];
    await agenda.complete(session_ids[0]!);
    expect((await refused('/sessions/undo-bookings', { session_ids })).code).toBe('changed_since');
    await agenda.reopen(session_ids[0]!);
    expect((await post('/sessions/undo-bookings', { session_ids })).session_ids).toEqual(session_ids);
    // A second time, by another tab: they are already removed.
    expect((await post('/sessions/undo-bookings', { session_ids })).session_ids).toEqual([]);
  });
});

describe('a race', () => {
  it('of groups and single sessions for one hour is won by one of them, and the others are refused cleanly', async () => {
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        trainer.api.request<Refusal>('POST', `/api/v1/sessions${n % 2 ? '/groups' : ''}`, {
          body: {
            ...(n % 2 ? { student_ids: [ana, bia] } : { student_id: caio }),
            inicio: at(7, n % 50),
            fim: at(8, n % 50),
          },
        }),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(201), count(409)]).toEqual([1, 59]);
    expect(await stretches()).toHaveLength(1);
    await expectGuardsToFollowFromTheLog();
  });

  it('of moves of one group and a booking at its destination never leaves both there', async () => {
    const { session_ids } = await duo();
    const answers = await Promise.all([
      ...session_ids.map((id) => trainer.api.request('PATCH', `/api/v1/sessions/${id}`, { body: hour(9) })),
      trainer.api.request('POST', '/api/v1/sessions', { body: { student_id: caio, ...hour(9) } }),
    ]);
    const [one, other, booked] = answers.map(({ status }) => status);
    const isThere = booked === 201;
    expect([one === 200 || other === 200, isThere]).toContain(true);
    const starts = (await sessions()).filter(({ inicio }) => inicio === at(9));
    expect(starts).toHaveLength(isThere ? 1 : 2);
    await expectGuardsToFollowFromTheLog();
  });
});

describe('copying a week', () => {
  const semana = '2026-11-26';
  const preview = async () =>
    (await trainer.api.get<WeekCopyPreview>('/sessions/week-copy', { query: { semana } })).body.items;
  const nextWeek = on(33);

  it('shows its sessions and their obstacles, and books the selected ones in one command, which one command undoes', async () => {
    const { session_ids } = await duo(7, { location_id: await agenda.location() });
    const gone = await agenda.book({ student_id: caio, ...hour(9) });
    await agenda.cancel(gone);
    const archived = await agenda.student('Davi Reis');
    await agenda.book({ student_id: archived, ...hour(10) });
    await trainer.api.post(`/students/${archived}/archive`);
    const taken = await agenda.book({ student_id: caio, ...hour(12) });
    await agenda.book({ student_id: ana, inicio: nextWeek(12, 30), fim: nextWeek(13, 30) });
    await trainer.api.post('/holidays', { nome: 'Dia da cidade', data: '2026-12-03', anual: false });

    const holiday = { tipo: 'feriado', texto: 'Feriado: Dia da cidade' };
    const shown = (await preview()).map(({ nomes, inicio, obstaculos }) => [
      nomes.join(),
      inicio,
      obstaculos,
    ]);
    expect(shown).toEqual([
      ['Ana Souza,Bia Rocha', nextWeek(7), [holiday]],
      ['Davi Reis', nextWeek(10), [{ tipo: 'arquivado', texto: 'Aluno inativo' }]],
      [
        'Caio Melo',
        nextWeek(12),
        [holiday, { tipo: 'ocupado', texto: 'Ana já tem sessão das 12:30 às 13:30' }],
      ],
    ]);
    // Each session beside its student, who is told of it.
    const [shared] = await preview();
    const students = await Promise.all(
      shared!.session_ids.map(async (id) => (await agenda.get(id)).student_id),
    );
    expect([shared!.student_ids, shared!.location_nome]).toEqual([students, 'Parque']);
    const refusal = await refused('/sessions/week-copy', { session_ids: [...session_ids, taken] });
    expect(refusal.code).toBe('agenda.overlap');
    const before = await sessions();
    const { body } = await trainer.api.post<{ session_ids: string[] }>('/sessions/week-copy', {
      session_ids: [...session_ids, taken],
      mesmo_assim: [taken],
    });
    const copies = (await sessions()).filter(({ id }) => body.session_ids.includes(id));
    expect(copies.map(({ inicio }) => inicio)).toEqual([nextWeek(7), nextWeek(7), nextWeek(12)]);
    expect(copies[0]!.grupo_id).toBe(copies[1]!.grupo_id);
    expect(copies[0]!.grupo_id).not.toBe(before[0]!.grupo_id);
    await expectGuardsToFollowFromTheLog();
    await post('/sessions/undo-bookings', { session_ids: body.session_ids });
    expect(await sessions()).toEqual(before);
  });

  it('keeps overlaps between its sessions', async () => {
    const anyway = { permitir_conflito: true };
    const session_ids = [
      await agenda.book({ student_id: ana, ...hour(7) }),
      await agenda.book({ student_id: bia, ...hour(7), ...anyway }),
      await agenda.book({ student_id: caio, inicio: at(7, 30), fim: at(8, 30), ...anyway }),
    ];
    expect((await preview()).flatMap(({ obstaculos }) => obstaculos)).toEqual([]);
    await post('/sessions/week-copy', { session_ids });
    expect(await stretches()).toEqual(['07:00-08:30', '07:00-08:30']);
    await expectGuardsToFollowFromTheLog();
    expect((await refused('/sessions/week-copy', { session_ids })).code).toBe('agenda.overlap');
  });

  it('does not book in a vacation or a blocked time unless that is selected', async () => {
    const { session_ids } = await duo();
    await trainer.api.post('/vacations', { start_date: '2026-12-01', end_date: '2026-12-05' });
    expect((await preview())[0]!.obstaculos[0]!.tipo).toBe('ferias');
    expect((await refused('/sessions/week-copy', { session_ids })).code).toBe('agenda.on_vacation');
    await trainer.api.post('/sessions/week-copy', { session_ids, mesmo_assim: session_ids });
    expect(await sessions()).toHaveLength(4);
  });
});

it('is described in the history', async () => {
  const { session_ids } = await duo();
  const first = await agenda.book({ student_id: caio, ...hour(9) });
  await post(`/sessions/${first}/students`, { student_ids: [ana] });
  const told = (id: string) => toldOf(trainer.api, `session:${id}`);
  expect((await told(session_ids[0]!))[0]).toBe('Agendou a sessão: em grupo');
  expect((await told(first))[0]).toBe('Adicionou outros alunos ao horário da sessão');
});

describe('the calendar and the dashboard', () => {
  const days = async (primeiras: number) =>
    (
      await trainer.api.get<SessionDays>('/sessions/days', {
        query: { from: '2026-11-26', to: '2026-11-27', primeiras },
      })
    ).body.items;

  it('count hours instead of students, and name everybody who shares one', async () => {
    const { session_ids } = await duo();
    await post(`/sessions/${session_ids[0]}/students`, { student_ids: [caio] });
    await agenda.book({ student_id: ana, ...hour(9) });
    const [day] = await days(2);
    expect(day).toMatchObject({ dia: '2026-11-26', agendada: 2, feita: 0, cancelada: 0 });
    expect(day!.primeiras.map(({ student_nome, outros }) => [student_nome, outros])).toEqual([
      ['Ana Souza', ['Bia Rocha', 'Caio Melo']],
      ['Ana Souza', []],
    ]);
  });

  it('show an hour as scheduled while one of its sessions is, then as done, and as cancelled only if all are', async () => {
    const { session_ids } = await duo();
    const counted = async () => {
      const [{ agendada, feita, cancelada }] = (await days(0)) as [SessionDays['items'][number]];
      return [agendada, feita, cancelada];
    };
    await agenda.complete(session_ids[0]!);
    expect(await counted()).toEqual([1, 0, 0]);
    await agenda.cancel(session_ids[1]!);
    expect(await counted()).toEqual([0, 1, 0]);
    expect((await days(1))[0]!.primeiras[0]!.outros).toEqual([]);
    await agenda.cancel(session_ids[0]!);
    expect(await counted()).toEqual([0, 0, 1]);
  });

  it('return the next three hours with all their sessions', async () => {
    const soon = (from: number) => {
      const start = clock.at.getTime() + from * 3_600_000;
      return { inicio: new Date(start).toISOString(), fim: new Date(start + 3_600_000).toISOString() };
    };
    const anyTime = { permitir_conflito: true };
    await post('/sessions/groups', { student_ids: [ana, bia, caio], ...soon(1), ...anyTime });
    for (const from of [3, 5, 7]) await agenda.book({ student_id: ana, ...soon(from), ...anyTime });
    const { proximas_sessoes } = (await trainer.api.get<Dashboard>('/dashboard')).body;
    expect(proximas_sessoes).toHaveLength(5);
  });

  it('list the sessions of an hour', async () => {
    const { id } = await duo();
    const { body } = await trainer.api.get<{ items: Session[] }>(`/sessions/groups/${id}`);
    expect(body.items.map(({ student_nome }) => student_nome)).toEqual(['Ana Souza', 'Bia Rocha']);
    await agenda.refused(404, 'GET', `/sessions/groups/${ana}`);
  });
});
