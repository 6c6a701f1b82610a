import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Session } from '../../backend/modules/agenda/agenda.api.js';
import type { OwnSessions } from '../../backend/modules/student-area/own-sessions.api.js';
import { defaultSettings } from '../../backend/modules/public-link/public-link.api.js';
import { defaultBooking, type OwnTimes } from '../../backend/modules/student-area/student-booking.api.js';
import type { SessionRequests } from '../../backend/modules/student-area/student-area.api.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { caughtUp } from '../proof/read-tables.js';
import type { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

/** Monday 9 November 2026, 12:00. Without hours of her own the trainer is open from 9:00 to 17:00. */
const clock = new SetClock(new Date(on(9)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let bia: string;
let student: Awaited<ReturnType<typeof studentAccount>>;

const database = await testDatabase();
const app = await sharedApp(clock);

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

/** Reads as the trainer once everything is projected, because the trainer has no position for the student's writes. */
const seen = async (id: string) => {
  await caughtUp(database);
  return agenda.get(id);
};

describe('free times', () => {
  it('are on the days and with the notice that the trainer set, and reveal nothing about other times', async () => {
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

  it('begin with the usual hour and place, and each place says what cancelling late costs there', async () => {
    const [beach, studio] = [await agenda.location('Arena'), await agenda.location('Zen')];
    const terms = { cancel_limite_horas: 12, taxa_percent: 50, queima_credito: true };
    await trainer.api.put(`/locations/${studio}/policy`, terms);
    expect(await times()).toMatchObject({ costume: null, locais: [{ id: beach }, { id: studio }] });
    for (const day of [3, 10])
      await agenda.book({ student_id: ana, location_id: studio, inicio: on(day)(9), fim: on(day)(10) });
    const free = { cancel_limite_horas: 24, taxa_percent: 0, queima_credito: false };
    expect(await times()).toMatchObject({
      costume: { inicio: on(17)(9), location_id: studio },
      locais: [
        { id: studio, politica: terms },
        { id: beach, politica: free },
      ],
    });
  });

  it('do not exist while the trainer has switched off bookings, and nothing can be booked', async () => {
    const inicio = (await starts())[0]!;
    await settings({ ativo: false });
    expect(await times()).toMatchObject({ situacao: 'fechada', horarios: [] });
    expect((await book(inicio, 409)).body.code).toBe('student_area.booking_off');
  });
});

it('a student whose phone the trainer blocked finds no free times, and cannot book or move to one', async () => {
  const [inicio] = await starts();
  const { id } = (await book(on(13)(9))).body;
  await trainer.api.put(`/students/${ana}/visitor-block`, { bloqueado: true });
  expect([await starts(), await starts({ sessao: id })]).toEqual([[], []]);
  expect((await book(inicio!, 409)).body.code).toBe('public.taken');
  expect((await move(id, on(12)(9), 409)).body.code).toBe('public.taken');
  await trainer.api.put(`/students/${ana}/visitor-block`, { bloqueado: false });
  expect(await starts()).toContain(inicio);
});

describe('services', () => {
  const serve = async (fields: object) =>
    (await trainer.api.post('/services', { duracao_min: 60, para_alunos: true, ...fields })).body.id;
  const bookAs = (service_id: string, inicio: string, status = 201, location_id: string | null = null) =>
    student.api.post<{ id: string; code?: string }>(
      '/student/sessions',
      { inicio, location_id, service_id },
      { status },
    );

  it('are chosen from: free times last as long, and one that takes no credit needs none', async () => {
    const park = await agenda.location('Parque');
    const fit = await serve({ nome: 'Avaliação', duracao_min: 30, valor: 15_000, usa_credito: false });
    const duo = await serve({ nome: 'Dupla', duracao_min: 90, locais: [park] });
    for (const day of [16, 17, 18, 19])
      await agenda.book({ student_id: ana, inicio: on(day)(9), fim: on(day)(10) });
    const all = await times();
    expect(all).toMatchObject({ servico: fit, situacao: 'livre', creditos_livres: null });
    expect(all.servicos.map(({ nome }) => nome)).toEqual(['Avaliação', 'Dupla']);
    expect(all.horarios[0]).toMatchObject({ inicio: on(9)(14), fim: on(9)(14, 30) });
    expect(await times({ servico: duo })).toMatchObject({ servico: duo, situacao: 'sem_creditos' });
    const { id } = (await bookAs(fit, on(11)(15, 30), 201, park)).body;
    expect(await seen(id)).toMatchObject({ fim: on(11)(16), servico: { nome: 'Avaliação' } });
    expect((await bookAs(duo, on(11)(9), 422, park)).body.code).toBe('student_area.no_credit');
    // It reserves no credit either.
    await agenda.renew(ana);
    expect(await times({ servico: duo })).toMatchObject({ creditos_livres: 4 });
    for (const day of [20, 23, 24])
      await agenda.book({ student_id: ana, inicio: on(day)(9), fim: on(day)(10) });
    await bookAs(duo, on(13)(9), 201, park);
    expect((await bookAs(duo, on(11)(9), 409)).body.code).toBe('student_area.location_gone');
    await trainer.api.patch(`/services/${duo}`, { para_alunos: false });
    expect((await bookAs(duo, on(11)(9), 409, park)).body.code).toBe('student_area.service_gone');
    await move(id, on(12)(9));
    expect(await seen(id)).toMatchObject({ inicio: on(12)(9), fim: on(12)(9, 30) });
  });
});

describe('booking', () => {
  it('creates a confirmed session that the trainer sees, and can be undone while the toast is shown', async () => {
    const location = await agenda.location();
    const { id } = (await book(on(10)(9), 201, location)).body;
    await caughtUp(database);
    expect((await trainer.api.get<Session>(`/sessions/${id}`)).body).toMatchObject({
      student_id: ana,
      status: 'agendada',
      confirmado: true,
      location_id: location,
      inicio: on(10)(9),
      fim: on(10)(10),
    });
    await student.api.post(`/student/sessions/${id}/undo`);
    await caughtUp(database);
    await trainer.api.get(`/sessions/${id}`, { status: 404 });
    expect(await starts()).toContain(on(10)(9));
  });

  it('is limited by the credits that no future session needs, and by the number that the trainer set', async () => {
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
    // An unconfirmed session, such as one that a visitor booked with the student's phone, holds no credit.
    await agenda.patch(last, { confirmado: false });
    expect(await times()).toMatchObject({ situacao: 'livre', creditos_livres: 1 });
    await book(on(16)(9));
    await settings({ abertas: 9, exige_credito: false });
    expect(await times()).toMatchObject({ situacao: 'livre', creditos_livres: null });
    await book(on(17)(9));
  });

  it('never overlaps anything, also with concurrent requests, and refuses times that are not offered', async () => {
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

describe('a credit for each session', () => {
  /** A student whose four credits expire on the 12th. */
  const brief = async () => {
    const id = await agenda.student('Caio Reis', await agenda.plan({ creditos: 4, validade_dias: 3 }));
    await agenda.renew(id);
    return { id, ...(await studentAccount(app, trainer, id, 'Caio')) };
  };

  it('must still be valid when the session begins', async () => {
    const { id, api } = await brief();
    await caughtUp(database);
    const shown = (await api.get<OwnTimes>('/student/free-times')).body;
    expect(shown).toMatchObject({ creditos_livres: 4, creditos_ate: on(13)(0) });
    expect(shown.horarios.at(-1)!.inicio).toBe(on(12)(16));
    const wanted = (day: number) => ({ inicio: on(day)(9), location_id: null });
    const late = await api.post<{ code: string }>('/student/sessions', wanted(13), { status: 422 });
    expect(late.body.code).toBe('student_area.no_credit');
    const booked = (await api.post('/student/sessions', wanted(12))).body.id;
    const beyond = { inicio: on(13)(9) };
    await api.post(`/student/sessions/${booked}/move`, beyond, { status: 422 });
    await caughtUp(database);
    const { horarios } = (await api.get<OwnTimes>('/student/free-times', { query: { sessao: booked } })).body;
    expect(horarios.at(-1)!.inicio).toBe(on(12)(16));
    // A session that the trainer booked without a credit can be moved to any time.
    const free = await agenda.book({ student_id: id, inicio: on(13)(11), fim: on(13)(12) });
    await api.post(`/student/sessions/${free}/move`, { inicio: on(16)(11) });
  });

  it('is not available if unsettled past sessions will use it', async () => {
    for (const day of [2, 3, 4]) await agenda.book({ student_id: ana, inicio: on(day)(9), fim: on(day)(10) });
    expect(await times()).toMatchObject({ situacao: 'livre', creditos_livres: 1 });
    await book(on(10)(9));
    expect(await times()).toMatchObject({ situacao: 'sem_creditos', creditos_livres: 0, horarios: [] });
    expect((await book(on(10)(10), 422)).body.code).toBe('student_area.no_credit');
  });
});

describe('a paused student', () => {
  const refusal = {
    code: 'student_area.paused',
    title: 'Seu treino está pausado neste dia',
    detail: 'Pausado até 12/11/2026. Para voltar antes, fale com seu personal.',
  };

  it('is offered no day of the pause and cannot book on one; the trainer can, and later days are free', async () => {
    const own = await agenda.book({ student_id: ana, inicio: on(17)(9), fim: on(17)(10) });
    await trainer.api.put(`/students/${ana}/pause`, { ate: '2026-11-12' });
    const shown = await times();
    expect(shown).toMatchObject({ situacao: 'livre', pausado_ate: '2026-11-12' });
    expect(shown.horarios[0]!.inicio).toBe(on(13)(9));
    expect((await starts({ sessao: own }))[0]).toBe(on(13)(9));
    expect((await book(on(12)(16), 409)).body).toMatchObject(refusal);
    expect((await move(own, on(12)(9), 409)).body).toMatchObject(refusal);
    const wish = { motivo: 'Viagem', inicio: on(12)(9) };
    const asked = await student.api.post(`/student/sessions/${own}/request`, wish, { status: 409 });
    expect(asked.body).toMatchObject(refusal);
    await agenda.book({ student_id: ana, inicio: on(12)(9), fim: on(12)(10) });
    await book(on(13)(9));
    await move(own, on(13)(10));
  });

  it('can book again from the day after the pause', async () => {
    await trainer.api.put(`/students/${ana}/pause`, { ate: '2026-11-12' });
    await book(on(10)(9), 409);
    await trainer.api.put(`/students/${ana}/pause`, { ate: null });
    expect(await times()).toMatchObject({ pausado_ate: null });
    await book(on(10)(9));
    await trainer.api.put(`/students/${ana}/pause`, { ate: '2026-11-30' });
    expect(await times()).toMatchObject({ pausado_ate: '2026-11-30', horarios: [] });
  });
});

describe('locations', () => {
  it('are those of the public page, and those where the student trains', async () => {
    const [shown, home, known] = [
      await agenda.location('Praça'),
      await agenda.location('Casa da Bia'),
      await agenda.location('Estúdio'),
    ];
    await trainer.api.put('/public-link', { ...defaultSettings, locais: [shown] });
    await agenda.book({ student_id: bia, inicio: on(12)(9), fim: on(12)(10), location_id: home });
    await agenda.book({ student_id: ana, inicio: on(12)(11), fim: on(12)(12), location_id: known });
    const places = async () => (await times()).locais.map(({ nome }) => nome);
    expect(await places()).toEqual(['Estúdio', 'Praça']);
    expect((await book(on(10)(10), 409, home)).body.code).toBe('student_area.location_gone');
    await book(on(10)(10), 201, known);
    await trainer.api.put('/public-link', { ...defaultSettings, ativo: false });
    expect(await places()).toEqual(['Estúdio']);
    expect((await book(on(10)(11), 409, shown)).body.code).toBe('student_area.location_gone');
  });
});

describe('moving', () => {
  it('to a free time within the notice costs nothing, and is undone', async () => {
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

  it('one session of a series does not move the others', async () => {
    const weekly = { data: '2026-11-12', dias: [4], hora: '09:00', duracao: 60, intervalo: 1, vezes: 3 };
    await trainer.api.post('/series', { student_id: ana, ...weekly });
    const all = async () => {
      await caughtUp(database);
      const query = { student_id: ana, from: on(9)(0), to: on(30)(0) };
      const { items } = (await trainer.api.get<{ items: Session[] }>('/sessions', { query })).body;
      return items.toSorted((one, other) => one.inicio.localeCompare(other.inicio));
    };
    const [first] = await all();
    await move(first!.id, on(13)(10));
    expect((await all()).map(({ inicio }) => inicio)).toEqual([on(13)(10), on(19)(9), on(26)(9)]);
    const moved = { serie_id: first!.serie_id, ocorrencia: '2026-11-12' };
    expect(await seen(first!.id)).toMatchObject(moved);
    expect(first!.serie_id).not.toBeNull();
  });

  it('is not undone if the trainer has changed the session since', async () => {
    const refused = async (id: string) =>
      (await student.api.post<{ code: string }>(`/student/sessions/${id}/undo`, undefined, { status: 409 }))
        .body.code;
    const moved = await agenda.book({ student_id: ana, inicio: on(12)(9), fim: on(12)(10) });
    await move(moved, on(13)(9));
    await agenda.patch(moved, { inicio: on(13)(14), fim: on(13)(15) });
    expect(await refused(moved)).toBe('student_area.cannot_undo');
    expect((await seen(moved)).inicio).toBe(on(13)(14));
    const shared = (await book(on(10)(9))).body.id;
    await trainer.api.post(`/sessions/${shared}/students`, { student_ids: [bia] });
    expect(await refused(shared)).toBe('student_area.cannot_undo');
    const placed = (await book(on(10)(11))).body.id;
    await agenda.patch(placed, { location_id: await agenda.location() });
    expect(await refused(placed)).toBe('student_area.cannot_undo');
  });

  it('is not undone into a time that was offered to somebody on the waitlist', async () => {
    const id = await agenda.book({ student_id: ana, inicio: on(12)(9), fim: on(12)(10) });
    await move(id, on(13)(9));
    await database.query(
      `insert into waitlist_offers (tenant_id, wait_id, inicio, fim, ate) values ($1, $2, $3, $4, $5)`,
      [trainer.tenantId, randomUUID(), on(12)(9, 30), on(12)(10, 30), on(9)(13)],
    );
    const { body } = await student.api.post<{ code: string; detail: string }>(
      `/student/sessions/${id}/undo`,
      undefined,
      { status: 409 },
    );
    expect(body).toMatchObject({
      code: 'student_area.cannot_undo',
      detail: 'Este horário não está mais livre.',
    });
    expect((await seen(id)).inicio).toBe(on(13)(9));
    // The offer has ended.
    await database.query('update waitlist_offers set ate = $2 where tenant_id = $1', [
      trainer.tenantId,
      on(9)(12),
    ]);
    await student.api.post(`/student/sessions/${id}/undo`);
  });

  it('that was requested for a single session is void once others share the hour', async () => {
    const id = await agenda.book({ student_id: ana, inicio: on(10)(9), fim: on(10)(10) });
    await student.api.post(`/student/sessions/${id}/request`, { motivo: 'Viagem', inicio: on(11)(9) });
    await trainer.api.post(`/sessions/${id}/students`, { student_ids: [bia] });
    await caughtUp(database);
    expect((await trainer.api.get<SessionRequests>('/session-requests')).body.items).toEqual([]);
    expect((await student.api.get<OwnSessions>('/student/sessions')).body.items).toMatchObject([
      { id, pedido: null },
    ]);
    await trainer.api.post(`/session-requests/${id}/grant`, {}, { status: 404 });
    expect((await seen(id)).inicio).toBe(on(10)(9));
  });

  it('is a request after the notice, and done if the trainer agrees', async () => {
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

  it('to a day of a later vacation is refused, to the trainer and to an undo', async () => {
    const id = await agenda.book({ student_id: ana, inicio: on(10)(9), fim: on(10)(10) });
    await student.api.post(`/student/sessions/${id}/request`, { motivo: 'Viagem', inicio: on(11)(9) });
    const moved = await agenda.book({ student_id: ana, inicio: on(11)(14), fim: on(11)(15) });
    await move(moved, on(12)(14));
    await trainer.api.post('/vacations', { start_date: '2026-11-11', end_date: '2026-11-11' });
    await caughtUp(database);
    const grant = await agenda.refused(409, 'POST', `/session-requests/${id}/grant`, {});
    const undo = await student.api.post(`/student/sessions/${moved}/undo`, {}, { status: 409 });
    expect([grant.code, undo.body]).toEqual([
      'agenda.blocked',
      expect.objectContaining({ code: 'agenda.blocked' }),
    ]);
    expect([(await seen(id)).inicio, (await seen(moved)).inicio]).toEqual([on(10)(9), on(12)(14)]);
  });

  it('a shared hour is not possible for one student, and names are shown only if both agreed', async () => {
    const hour = { inicio: on(12)(9), fim: on(12)(10) };
    await trainer.api.post('/sessions/groups', { student_ids: [ana, bia], ...hour });
    await caughtUp(database);
    const own = (await student.api.get<OwnSessions>('/student/sessions')).body;
    expect(own.items).toMatchObject([{ compartilhada: true }]);
    expect(JSON.stringify(own)).not.toMatch(/Bia/);
    const { id } = own.items[0]!;
    expect((await move(id, on(13)(9), 422)).body.code).toBe('student_area.shared');
    await student.api.get('/student/free-times', { query: { sessao: id }, status: 404 });

    const other = await studentAccount(app, trainer, bia, 'Bia');
    const names = async (api: Client) => {
      await caughtUp(database);
      const { items, mostra_nome } = (await api.get<OwnSessions>('/student/sessions')).body;
      return [items[0]!.com, mostra_nome];
    };
    const show = ({ api }: { api: Client }, mostra: boolean) => api.put('/student/partner-name', { mostra });
    await show(other, true);
    expect([await names(student.api), await names(other.api)]).toEqual([
      [[], false],
      [[], true],
    ]);
    await show(student, true);
    expect([await names(student.api), await names(other.api)]).toEqual([
      [['Bia'], true],
      [['Ana'], true],
    ]);
    await expectRebuildToEqualLive(app, 'partner-names');
    await show(other, false);
    expect(await names(student.api)).toEqual([[], true]);
  });
});
