import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Session } from '../../backend/modules/agenda/agenda.api.js';
import type { OwnSessions } from '../../backend/modules/agenda/own-sessions.api.js';
import { defaultBooking, type OwnTimes } from '../../backend/modules/student-area/student-booking.api.js';
import type { SessionRequests } from '../../backend/modules/student-area/student-area.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';

/** Monday 9 November 2026, 12:00. Without hours of her own the trainer is open from 9:00 to 17:00. */
const clock = new SetClock(new Date(on(9)(12)));
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let bia: string;
let student: Awaited<ReturnType<typeof studentAccount>>;

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ clock });
});

beforeEach(async () => {
  clock.at = new Date(on(9)(12));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza', await agenda.plan({ creditos: 4 }));
  bia = await agenda.student('Bia Lima');
  await agenda.renew(ana);
  student = await studentAccount(app, trainer, ana, 'Ana');
});

const settings = (more: object) =>
  trainer.api.put('/settings/student-booking', { ...defaultBooking, ...more });
const times = async (query: Record<string, string> = {}) => {
  await caughtUp(database);
  return (await student.api.get<OwnTimes>('/student/free-times', { query })).body;
};
const starts = async (query: Record<string, string> = {}) =>
  (await times(query)).horarios.map(({ inicio }) => inicio);
const book = (inicio: string, status = 201, location_id: string | null = null) =>
  student.api.post<{ id: string; code?: string }>('/student/sessions', { inicio, location_id }, { status });
const move = (id: string, inicio: string, status = 200) =>
  student.api.post<{ code?: string }>(`/student/sessions/${id}/move`, { inicio }, { status });

/** As the trainer reads it once everything is projected: what the student wrote has no position there. */
const seen = async (id: string) => {
  await caughtUp(database);
  return agenda.get(id);
};

describe('free times', () => {
  it('are those of the days and the notice that the trainer set, and tell nothing of who has the others', async () => {
    await settings({ dias: 2, antecedencia_min: 120 });
    await agenda.book({ student_id: bia, inicio: on(10)(9), fim: on(10)(10) });
    const shown = await times();
    expect(shown).toMatchObject({ situacao: 'livre', creditos_livres: 4, abertas: 0, limite: 4 });
    expect(shown.horarios.map(({ inicio }) => inicio)).toEqual([
      on(9)(14),
      on(9)(15),
      on(9)(16),
      ...[10, 11, 12, 13, 14, 15, 16].map((hour) => on(10)(hour)),
    ]);
    expect(JSON.stringify(shown)).not.toMatch(/Bia/);
  });

  it('are none where the trainer closed the agenda, and nothing is booked', async () => {
    const inicio = (await starts())[0]!;
    await settings({ ativo: false });
    expect(await times()).toMatchObject({ situacao: 'fechada', horarios: [] });
    expect((await book(inicio, 409)).body.code).toBe('student_area.booking_off');
  });
});

describe('booking', () => {
  it('makes a confirmed session that the trainer sees, and is undone while the toast shows', async () => {
    const location = await agenda.location();
    const { id } = (await book(on(10)(9), 201, location)).body;
    await caughtUp(database);
    expect((await trainer.api.get<Session>(`/sessions/${id}`)).body).toMatchObject({
      ...{ student_id: ana, status: 'agendada', confirmado: true, location_id: location },
      ...{ inicio: on(10)(9), fim: on(10)(10) },
    });
    await student.api.post(`/student/sessions/${id}/undo`);
    await caughtUp(database);
    await trainer.api.get(`/sessions/${id}`, { status: 404 });
    expect(await starts()).toContain(on(10)(9));
  });

  it('ends with the credits that no session ahead needs, and with the number that the trainer set', async () => {
    await settings({ abertas: 2 });
    await book(on(10)(9));
    await book(on(11)(9));
    expect(await times()).toMatchObject({ situacao: 'limite', abertas: 2, creditos_livres: 2 });
    expect((await book(on(12)(9), 409)).body.code).toBe('student_area.too_many_open');
    await settings({ abertas: 9 });
    await agenda.book({ student_id: ana, inicio: on(12)(9), fim: on(12)(10) });
    const last = await agenda.book({ student_id: ana, inicio: on(13)(9), fim: on(13)(10) });
    expect(await times()).toMatchObject({ situacao: 'sem_creditos', creditos_livres: 0 });
    expect((await book(on(16)(9), 422)).body.code).toBe('student_area.no_credit');
    // What is to be confirmed, as what a visitor books with the student's phone, holds no credit.
    await agenda.patch(last, { confirmado: false });
    expect(await times()).toMatchObject({ situacao: 'livre', creditos_livres: 1 });
    await book(on(16)(9));
    await settings({ abertas: 9, exige_credito: false });
    expect(await times()).toMatchObject({ situacao: 'livre', creditos_livres: null });
    await book(on(17)(9));
  });

  it('never overlaps anything, however many ask at once, and refuses what is not offered', async () => {
    const other = await studentAccount(app, trainer, bia, 'Bia');
    await settings({ exige_credito: false });
    const wanted = { inicio: on(10)(9), location_id: null };
    const answers = await Promise.all(
      [student, other, student, other].map(({ api }) =>
        api.request('POST', '/api/v1/student/sessions', { body: wanted }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
    for (const inicio of [on(10)(9, 30), on(10)(3), on(9)(13), on(30)(9)]) await book(inicio, 409);
    const [closed] = [await agenda.location('Fechado')];
    await trainer.api.patch(`/locations/${closed}`, { is_active: false });
    expect((await book(on(10)(10), 409, closed)).body.code).toBe('student_area.location_gone');
  });
});

describe('moving', () => {
  it('goes to a free time within the notice, costs nothing, and is undone', async () => {
    const id = await agenda.book({ student_id: ana, inicio: on(12)(9), fim: on(12)(10) });
    const free = await starts({ sessao: id });
    expect(free).toEqual(expect.arrayContaining([on(12)(9), on(12)(10)]));
    await move(id, on(13)(9));
    expect(await seen(id)).toMatchObject({ inicio: on(13)(9), fim: on(13)(10), usou_credito: false });
    await student.api.post(`/student/sessions/${id}/undo`);
    expect((await seen(id)).inicio).toBe(on(12)(9));
    await agenda.book({ student_id: bia, inicio: on(13)(9), fim: on(13)(10) });
    await move(id, on(13)(9), 409);
  });

  it('is asked for after the notice, and done where the trainer agrees', async () => {
    const id = await agenda.book({ student_id: ana, inicio: on(10)(9), fim: on(10)(10) });
    expect((await move(id, on(11)(9), 422)).body.code).toBe('student_area.late');
    const body = { motivo: 'Viagem', inicio: on(11)(9) };
    await student.api.post(`/student/sessions/${id}/request`, body);
    await caughtUp(database);
    const { items } = (await trainer.api.get<SessionRequests>('/session-requests')).body;
    expect(items).toMatchObject([{ id, pedido: 'remarcar', novo_inicio: on(11)(9), novo_fim: on(11)(10) }]);
    await trainer.api.post(`/session-requests/${id}/grant`, {});
    expect(await seen(id)).toMatchObject({ status: 'agendada', inicio: on(11)(9) });
  });

  it('is not for an hour that others share, whose names are not told', async () => {
    const hour = { inicio: on(12)(9), fim: on(12)(10) };
    await trainer.api.post('/sessions/groups', { student_ids: [ana, bia], ...hour });
    await caughtUp(database);
    const own = (await student.api.get<OwnSessions>('/student/sessions')).body;
    expect(own.items).toMatchObject([{ compartilhada: true }]);
    expect(JSON.stringify(own)).not.toMatch(/Bia/);
    const { id } = own.items[0]!;
    expect((await move(id, on(13)(9), 422)).body.code).toBe('student_area.shared');
    await student.api.get('/student/free-times', { query: { sessao: id }, status: 404 });
  });
});
