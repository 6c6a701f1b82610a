import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NotificationPage } from '../../backend/modules/notices/notifications.api.js';
import type { ClassOfSession, ClassSettings } from '../../backend/modules/classes/classes.api.js';
import type { NudgeList } from '../../backend/modules/nudges/nudges.api.js';
import { playClasses } from '../../backend/modules/classes/classes.module.js';
import type { OwnSessions } from '../../backend/modules/student-area/own-sessions.api.js';
import type { OwnTimes } from '../../backend/modules/student-area/student-booking.api.js';
import { fillSeries } from '../../backend/modules/series/series.module.js';
import { defaultBooking } from '../../backend/modules/student-area/student-booking.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { expectSlotsToFollowFromTheLog } from '../agenda/slots.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { seriesOf } from '../series/trainer.js';
import type { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { eventually } from '../support/eventually.js';
import { testDatabase } from '../support/database.js';
import { toldOf } from '../support/history.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

/** Monday 9 November 2026, 12:00. */
const NOW = new Date(on(9)(12));
const clock = new SetClock(NOW);
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let series: ReturnType<typeof seriesOf>;
let plan: string;
let [ana, bia]: string[] = [];

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = NOW;
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  series = seriesOf(trainer.api);
  plan = await agenda.plan({ creditos: 4 });
  [ana, bia] = [await agenda.student('Ana Souza'), await agenda.student('Bia Rocha')];
});

const open: ClassSettings = {
  aberta: true,
  nome: 'Funcional',
  vagas: 3,
  ate_horas: 2,
  minimo_alunos: null,
  minimo_horas: 2,
};
const set = (id: string, more: object = {}, status = 200) =>
  trainer.api.put<{ id: string; code?: string }>(
    `/sessions/${id}/class`,
    { ...open, escopo: 'so_esta', ...more },
    { status },
  );
/** Ana and Bia on Tuesday the 10th, from 19:00 to 20:00. */
const duo = async () => {
  const hour = { inicio: on(10)(19), fim: on(10)(20), permitir_conflito: true };
  const { body } = await trainer.api.post<{ id: string; session_ids: string[] }>('/sessions/groups', {
    ...hour,
    student_ids: [ana, bia],
  });
  return { grupo: body.id, session: body.session_ids[0]! };
};
/** A student with an account and four credits. */
const person = async (nome: string) => {
  const id = await agenda.student(nome, plan);
  await agenda.renew(id);
  return { id, ...(await studentAccount(app, trainer, id, nome)) };
};
const book = (api: Client, grupo: string, status = 201, inicio = on(10)(19)) =>
  api.post<{ id: string; code?: string }>(`/student/classes/${grupo}/book`, { inicio }, { status });
const shown = async (api: Client) => {
  await caughtUp(database);
  return (await api.get<OwnTimes>('/student/free-times')).body.turmas;
};
const seats = async (session: string) => {
  await caughtUp(database);
  const { grupo_id } = await agenda.get(session);
  const { body } = await trainer.api.get<{
    items: { student_nome: string; status: string; turma: object }[];
  }>(`/sessions/groups/${grupo_id}`);
  return body.items.map(({ student_nome, status, turma }) => ({ who: student_nome, status, turma }));
};

describe('an hour that is open for students', () => {
  it('is shown with its seats, without the names of those who have one, and a student takes one and leaves by the policy', async () => {
    const { grupo, session } = await duo();
    const caio = await person('Caio Melo');
    expect((await shown(caio.api)).items).toEqual([]);
    expect((await book(caio.api, grupo, 404)).body.code).toBe('classes.not_open');
    await set(session);
    const turmas = await shown(caio.api);
    expect(turmas).toMatchObject({
      situacao: 'livre',
      items: [{ id: grupo, nome: 'Funcional', inicio: on(10)(19), vagas: 3, livres: 1, minha: false }],
    });
    expect(JSON.stringify(turmas)).not.toMatch(/Ana|Bia/);

    const { id } = (await book(caio.api, grupo)).body;
    expect((await shown(caio.api)).items).toMatchObject([{ livres: 0, minha: true }]);
    const { items } = (await caio.api.get<OwnSessions>('/student/sessions')).body;
    expect(items).toMatchObject([{ id, turma: 'Funcional' }]);
    expect((await book(caio.api, grupo, 409)).body.code).toBe('classes.already_in');
    const turma = { nome: 'Funcional', vagas: 3 };
    expect(await seats(session)).toEqual(
      ['Ana Souza', 'Bia Rocha', 'Caio Melo'].map((who) => ({ who, status: 'agendada', turma })),
    );
    await expectSlotsToFollowFromTheLog(app, trainer.tenantId);
    await caio.api.post(`/student/sessions/${id}/undo`);
    expect((await shown(caio.api)).items).toMatchObject([{ livres: 1, minha: false }]);
    await expectRebuildToEqualLive(app, 'classes');
  });

  it('gives its last seat to one of two who ask at once, and the other is told so', async () => {
    const { grupo, session } = await duo();
    await set(session);
    const people = await Promise.all(['Caio Melo', 'Davi Reis', 'Eva Luz'].map(person));
    const answers = await Promise.all(
      people.map(({ api }) =>
        api.request<{ code?: string }>('POST', `/api/v1/student/classes/${grupo}/book`, {
          body: { inicio: on(10)(19) },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409]);
    const refused = answers.filter(({ status }) => status === 409);
    expect(refused.map(({ body }) => body.code)).toEqual(['classes.full', 'classes.full']);
    expect(await seats(session)).toHaveLength(3);
  });

  it('is entered in time, with a credit that nothing else needs, by whom the trainer has not blocked or paused, and at its hour', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 10 });
    const code = async (api: Client, status: number, inicio?: string) =>
      (await book(api, grupo, status, inicio)).body.code;
    const poor = await studentAccount(app, trainer, await agenda.student('Fia Dias'), 'Fia');
    expect(await code(poor.api, 422)).toBe('student_area.no_credit');
    expect(await shown(poor.api)).toMatchObject({ situacao: 'sem_creditos', items: [{ livres: 8 }] });
    const caio = await person('Caio Melo');
    expect(await code(caio.api, 404, on(10)(18))).toBe('classes.not_open');
    // Later than the days that are shown, sessions are not counted against credits.
    const hour = { inicio: on(27)(19), fim: on(27)(20), permitir_conflito: true };
    const { body } = await trainer.api.post<{ id: string; session_ids: string[] }>('/sessions/groups', {
      ...hour,
      student_ids: [ana, bia],
    });
    await set(body.session_ids[0]!);
    expect((await book(caio.api, body.id, 404, hour.inicio)).body.code).toBe('classes.not_open');
    // Whether students book other times is another question.
    await trainer.api.put('/settings/student-booking', { ...defaultBooking, ativo: false });
    expect(await shown(caio.api)).toMatchObject({ situacao: 'livre', items: [{ id: grupo }] });
    clock.at = new Date(on(10)(17, 1));
    expect(await code(caio.api, 422)).toBe('classes.too_late');
    expect((await shown(caio.api)).items).toEqual([]);
    clock.at = new Date(on(10)(17));
    expect(await code(caio.api, 201)).toBeUndefined();
  });

  it('is not entered by a student who has another lesson then', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 10 });
    const caio = await person('Caio Melo');
    const own = { student_id: caio.id, inicio: on(10)(19, 30), fim: on(10)(20, 30), permitir_conflito: true };
    const other = await agenda.book(own);
    expect((await book(caio.api, grupo, 409)).body.code).toBe('classes.busy');
    await agenda.cancel(other);
    await book(caio.api, grupo);
  });

  it('does not take a student back once the hour is cancelled', async () => {
    const { grupo, session } = await duo();
    await set(session);
    const caio = await person('Caio Melo');
    const { id } = (await book(caio.api, grupo)).body;
    await caio.api.post(`/student/sessions/${id}/cancel`);
    const all = (
      await trainer.api.get<{ items: { id: string; student_id: string }[] }>(`/sessions/groups/${grupo}`)
    ).body.items;
    for (const one of all)
      if (one.student_id !== caio.id) await agenda.cancel(one.id, { motivo: 'personal' });
    const undo = await caio.api.post<{ code: string }>(`/student/sessions/${id}/undo`, undefined, {
      status: 404,
    });
    expect(undo.body.code).toBe('classes.not_open');
  });

  it('does not take a student back whose seat another one has', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 3 });
    const [caio, davi] = [await person('Caio Melo'), await person('Davi Reis')];
    const { id } = (await book(caio.api, grupo)).body;
    await caio.api.post(`/student/sessions/${id}/cancel`);
    await book(davi.api, grupo);
    const undo = await caio.api.post<{ code: string }>(`/student/sessions/${id}/undo`, undefined, {
      status: 409,
    });
    expect(undo.body.code).toBe('classes.full');
  });

  it('may be one of a series or all of them, also of those that are booked later; what is set for one counts first', async () => {
    const { id } = await series.start({
      student_id: ana,
      data: '2026-11-10',
      hora: '07:00',
      duracao: 60,
      dias: [2],
      intervalo: 1,
    });
    const [first, second, ...rest] = await series.sessions();
    await set(first!.id, { escopo: 'todas', vagas: 6 });
    const state = async (session: string) =>
      (await trainer.api.get<ClassOfSession>(`/sessions/${session}/class`)).body;
    const { aberta: _, ...six } = { ...open, vagas: 6 };
    expect(await state(second!.id)).toMatchObject({ so_esta: null, todas: six, aulas: 2 + rest.length });
    await set(second!.id, { vagas: 2 });
    const sessions = await series.sessions();
    expect(sessions.map(({ turma }) => turma?.vagas)).toEqual([6, 2, ...rest.map(() => 6)]);
    await set(second!.id, { aberta: false });
    const caio = await person('Caio Melo');
    const items = (await shown(caio.api)).items;
    expect(items.map(({ inicio, livres }) => [inicio, livres])).toEqual([
      [on(10)(7), 5],
      [on(24)(7), 5],
    ]);
    await book(caio.api, items[0]!.id, 201, on(10)(7));
    expect(await series.get(id)).toMatchObject({ pode_desfazer: { tipo: 'criada' } });
    clock.at = new Date(on(17)(6));
    await app.run(fillSeries.Handler);
    await caughtUp(database);
    const filled = await series.sessions();
    expect(filled.length).toBe(sessions.length + 2);
    expect(filled.at(-1)).toMatchObject({ turma: { vagas: 6 } });
    await expectRebuildToEqualLive(app, 'series');
  });

  it('is opened with all weekly ones also where others share only the later ones', async () => {
    await series.start({
      student_id: ana,
      data: '2026-11-10',
      hora: '07:00',
      duracao: 60,
      dias: [2],
      intervalo: 1,
      vezes: 3,
    });
    const [, second] = await series.sessions();
    await series.join(second!.id, 'proximas', bia!);
    await set(second!.id, { escopo: 'todas', vagas: 6 });
    expect((await series.sessions()).map(({ turma }) => turma?.vagas)).toEqual([6, 6, 6, 6, 6]);
  });

  it('is opened and closed only ahead, weekly only where it recurs, and an undo that came too late is refused', async () => {
    const single = await agenda.book({ student_id: ana, inicio: on(10)(10), fim: on(10)(11) });
    expect((await set(single, { escopo: 'todas' }, 422)).body.code).toBe('classes.not_weekly');
    await set(single);
    await set(single, { vagas: 5 });
    expect((await set(single, { aberta: false, se_ainda: { vagas: 3 } }, 409)).body.code).toBe(
      'changed_since',
    );
    expect((await set(single, { minimo_alunos: 6, vagas: 5 }, 422)).body.code).toBe('broken_rule');
    await set(single, { aberta: false, vagas: 5 });
    expect(await toldOf(trainer.api, `session:${single}`)).toEqual(
      expect.arrayContaining([
        'Abriu a turma Funcional para alunos: 3 vagas',
        'Fechou a turma Funcional para alunos',
      ]),
    );
    clock.at = new Date(on(10)(10));
    expect((await set(single, {}, 422)).body.code).toBe('classes.over');
  });
});

describe('the minimum of a class', () => {
  const decide = async () => {
    await caughtUp(database);
    await app.run(playClasses.Handler);
    await caughtUp(database);
  };
  const states = async (session: string) => (await seats(session)).map(({ status }) => status);

  it('is decided once, at its time: with fewer the hour is cancelled without cost, and everybody is told', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 6, minimo_alunos: 4 });
    const caio = await person('Caio Melo');
    await book(caio.api, grupo);
    clock.at = new Date(on(10)(16, 59));
    await decide();
    expect(await states(session)).toEqual(['agendada', 'agendada', 'agendada']);
    clock.at = new Date(on(10)(17));
    await decide();
    expect(await states(session)).toEqual(['cancelada', 'cancelada', 'cancelada']);
    expect(await agenda.balance(caio.id)).toBe(4);
    const noticesOf = async (api: Client, path = '/notifications') =>
      (await api.get<NotificationPage>(path)).body.items.map(({ titulo }) => titulo);
    await eventually(
      () => noticesOf(caio.api, '/student/notifications'),
      ['Turma cancelada por falta de alunos'],
    );
    await eventually(
      () => noticesOf(trainer.api),
      ['Turma cancelada por falta de alunos', 'Caio Melo agendou uma sessão'],
    );
    expect(await toldOf(trainer.api, `session:${session}`)).toContain(
      'A aula foi cancelada: 3 alunos, mínimo de 4',
    );
    // Students without an account hear of it by a message that the trainer sends.
    const nudges = async () =>
      (await trainer.api.get<NudgeList>('/nudges')).body.items.map(({ student_nome, texto, enviado_em }) => [
        student_nome,
        texto.includes('A turma Funcional de ter., 10 de nov., 19:00'),
        enviado_em !== null,
      ]);
    expect(await nudges()).toEqual([
      ['Ana Souza', true, false],
      ['Bia Rocha', true, false],
    ]);
    const told = { motivo: 'turma', session_id: session };
    await trainer.api.post(`/students/${bia}/nudges`, told, { status: 404 });
    await trainer.api.post(`/students/${ana}/nudges`, { motivo: 'turma' }, { status: 422 });
    await trainer.api.post(`/students/${ana}/nudges`, told);
    await caughtUp(database);
    expect(await nudges()).toContainEqual(['Ana Souza', true, true]);
    await expectRebuildToEqualLive(app, 'classes');
    await expectRebuildToEqualLive(app, 'nudges');
    // The trainer gives it all the same.
    const all = (await trainer.api.get<{ items: { id: string }[] }>(`/sessions/groups/${grupo}`)).body.items;
    await trainer.api.post(`/sessions/groups/${grupo}/reopen`, {
      session_ids: all.map(({ id }) => id),
      de: 'cancelada',
      permitir_conflito: true,
    });
    await decide();
    expect([await states(session), await nudges()]).toEqual([['agendada', 'agendada', 'agendada'], []]);
  });

  it('is met with enough, whoever leaves later, and does not count where it was set after its time', async () => {
    const { session } = await duo();
    await set(session, { vagas: 6, minimo_alunos: 2, minimo_horas: 3 });
    clock.at = new Date(on(10)(16));
    await decide();
    await agenda.cancel(session);
    await decide();
    expect((await states(session)).toSorted()).toEqual(['agendada', 'cancelada']);

    const late = await agenda.book({
      student_id: ana,
      inicio: on(10)(21),
      fim: on(10)(22),
      permitir_conflito: true,
    });
    clock.at = new Date(on(10)(20));
    await set(late, { vagas: 6, minimo_alunos: 2, minimo_horas: 3 });
    await decide();
    expect(await agenda.get(late)).toMatchObject({ status: 'agendada' });
  });

  it('does not cancel an hour that was moved later than its time', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 6, minimo_alunos: 3 });
    clock.at = new Date(on(10)(16));
    const hour = { inicio: on(10)(17), fim: on(10)(18), permitir_conflito: true };
    const { items } = (await trainer.api.get<{ items: { id: string }[] }>(`/sessions/groups/${grupo}`)).body;
    for (const { id } of items) await trainer.api.patch(`/sessions/${id}`, hour);
    await decide();
    expect(await states(session)).toEqual(['agendada', 'agendada']);
  });
});

describe('the queue of a class', () => {
  const play = async () => {
    await caughtUp(database);
    await app.run(playClasses.Handler);
    await caughtUp(database);
  };
  const due = async () =>
    (
      await database.query('select grupo_id from classes_due($1) where tenant_id = $2', [
        clock.now(),
        trainer.tenantId,
      ])
    ).length;
  const wait = (api: Client, grupo: string, status = 201) =>
    api.post<{ code?: string }>(`/student/classes/${grupo}/wait`, { inicio: on(10)(19) }, { status });
  const place = async (api: Client) => (await shown(api)).items[0];

  it('gives a seat that becomes free to who came first, who hears of it, and to the next where nobody answers in time', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 2 });
    const [caio, davi, eva] = [await person('Caio Melo'), await person('Davi Reis'), await person('Eva Luz')];
    expect((await book(caio.api, grupo, 409)).body.code).toBe('classes.full');
    const poor = await studentAccount(app, trainer, await agenda.student('Fia Dias'), 'Fia');
    expect((await wait(poor.api, grupo, 422)).body.code).toBe('student_area.no_credit');
    await wait(caio.api, grupo);
    await wait(davi.api, grupo);
    await wait(davi.api, grupo);
    expect(await place(caio.api)).toMatchObject({ livres: 0, fila: { lugar: 1, ate: null } });
    expect(await place(davi.api)).toMatchObject({ livres: 0, fila: { lugar: 2, ate: null } });
    const inLine = async () =>
      (await trainer.api.get<ClassOfSession>(`/sessions/${session}/class`)).body.fila.map(({ nome }) => nome);
    expect(await inLine()).toEqual(['Caio Melo', 'Davi Reis']);
    await caughtUp(database);
    expect(await due()).toBe(0);

    // Before anybody is told of it, the seat is nobody else's either.
    await agenda.cancel(session);
    expect((await book(eva.api, grupo, 409)).body.code).toBe('classes.full');
    expect((await book(davi.api, grupo, 409)).body.code).toBe('classes.full');
    await play();
    const ate = on(9)(13);
    expect(await place(caio.api)).toMatchObject({ livres: 1, fila: { lugar: 1, ate } });
    const told = async () =>
      (await caio.api.get<NotificationPage>('/student/notifications')).body.items.map(({ texto }) => texto);
    await eventually(told, ['ter., 10 de nov., 19:00. É sua se agendar até seg., 9 de nov., 13:00.']);
    await play();
    expect(await due()).toBe(0);
    expect(await place(davi.api)).toMatchObject({ fila: { lugar: 2, ate: null } });

    clock.at = new Date(ate);
    await play();
    expect(await place(caio.api)).toMatchObject({ livres: 0, fila: null });
    expect(await place(davi.api)).toMatchObject({ livres: 1, fila: { lugar: 1, ate: on(9)(14) } });
    await book(davi.api, grupo);
    expect(await place(davi.api)).toMatchObject({ livres: 0, fila: null, minha: true });
    expect(await toldOf(trainer.api, `student:${davi.id}`)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^Entrou na fila da turma de ter/)]),
    );
    await expectRebuildToEqualLive(app, 'seat-queues');
  });

  it('passes over who may not enter any more', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 2 });
    const [caio, davi, eva] = [await person('Caio Melo'), await person('Davi Reis'), await person('Eva Luz')];
    for (const { api } of [caio, davi, eva]) await wait(api, grupo);
    await trainer.api.put(`/students/${caio.id}/visitor-block`, { bloqueado: true });
    await trainer.api.put(`/students/${davi.id}/pause`, { ate: '2026-11-20' });
    await agenda.cancel(session);
    await play();
    expect(await place(eva.api)).toMatchObject({ livres: 1, fila: { lugar: 1, ate: on(9)(13) } });
  });

  it('is left, and ends with the class; nobody waits where a seat is left', async () => {
    const { grupo, session } = await duo();
    await set(session, { vagas: 3 });
    const [caio, davi] = [await person('Caio Melo'), await person('Davi Reis')];
    expect((await wait(caio.api, grupo, 409)).body.code).toBe('classes.seats_left');
    await set(session, { vagas: 2 });
    await wait(caio.api, grupo);
    await wait(davi.api, grupo);
    await caio.api.post(`/student/classes/${grupo}/leave`);
    await caio.api.post(`/student/classes/${grupo}/leave`, undefined, { status: 404 });
    expect(await place(davi.api)).toMatchObject({ fila: { lugar: 1 } });
    await set(session, { aberta: false, vagas: 2 });
    await play();
    await set(session, { vagas: 2 });
    expect(await place(davi.api)).toMatchObject({ livres: 0, fila: null });
  });
});
