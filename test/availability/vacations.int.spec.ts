import { beforeEach, describe, expect, it } from '@jest/globals';
import type { PausePreview } from '../../backend/modules/student-pauses/student-pauses.api.js';
import type { CreditStatement } from '../../backend/modules/credits/credits.api.js';
import type {
  VacationMessages,
  VacationPage,
  VacationPreview,
} from '../../backend/modules/vacations/vacations.api.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

/** Sunday 1 November 2026. */
const clock = new SetClock(new Date(on(1)(6)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let bia: string;

const database = await testDatabase();
const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = new Date(on(1)(6));
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  const plan = await agenda.plan({ validade_dias: 30 });
  ana = await agenda.student('Ana Souza', plan);
  bia = await agenda.student('Bia Lima');
  await agenda.renew(ana);
});

const days = { start_date: '2026-11-09', end_date: '2026-11-15' };
const book = (student_id: string, day: number, hour = 10, more: object = {}) =>
  agenda.book({ student_id, inicio: on(day)(hour), fim: on(day)(hour + 1), ...more });
const preview = async (query: object = {}) =>
  (await trainer.api.get<VacationPreview>('/vacations/preview', { query: { ...days, ...query } })).body;
const activate = async (body: object = {}) =>
  (
    await trainer.api.post<{ id: string; canceladas: number; movidas: number; creditos: number }>(
      '/vacations',
      {
        ...days,
        ...body,
      },
    )
  ).body;
const list = async () => (await trainer.api.get<VacationPage>('/vacations')).body.items;
const expiry = async () =>
  (await trainer.api.get<CreditStatement>(`/students/${ana}/credits`)).body.lotes.map(
    ({ expira_em }) => expira_em,
  );
const refused = (body: object, status = 409) =>
  agenda.refused(status, 'POST', '/vacations', { ...days, ...body });
const typesOf = async (command: string) =>
  database.query<{ type: string; position: number }>(
    `select type, position from events where tenant_id = $1 and meta->>'command' = $2 order by position`,
    [trainer.tenantId, command],
  );

describe('a vacation', () => {
  it('shows the affected sessions, and their times so many weeks later', async () => {
    const first = await book(ana, 10);
    const second = await book(bia, 11);
    await book(bia, 18);
    await agenda.cancel(await book(bia, 12));
    await book(ana, 16);
    expect(await preview()).toMatchObject({
      sessoes: [
        { id: first, student_nome: 'Ana Souza', inicio: on(10)(10), destino: null },
        { id: second, student_nome: 'Bia Lima', destino: null },
      ],
      dias: 7,
      alunos_com_creditos: 1,
    });
    const { sessoes } = await preview({ semanas: 1 });
    expect(sessoes.map(({ destino }) => destino)).toEqual([
      { inicio: on(17)(10), fim: on(17)(11), impedimento: null },
      { inicio: on(18)(10), fim: on(18)(11), impedimento: 'Bia já tem sessão das 10:00 às 11:00' },
    ]);
  });

  it('cancels, moves and keeps sessions as decided, and extends current credits, in one command', async () => {
    const [cancelled, moved, kept] = [await book(ana, 10), await book(bia, 11), await book(ana, 12)];
    expect(await expiry()).toEqual(['2026-12-01']);
    const done = await activate({
      cancelar: [cancelled],
      mover: [moved],
      manter: [kept],
      semanas: 2,
      description: 'Praia',
    });
    expect(done).toEqual({ id: done.id, canceladas: 1, movidas: 1, creditos: 1 });
    expect(await agenda.get(cancelled)).toMatchObject({ status: 'cancelada', motivo: 'personal', taxa: 0 });
    expect(await agenda.get(moved)).toMatchObject({ status: 'agendada', inicio: on(25)(10) });
    expect(await agenda.get(kept)).toMatchObject({ status: 'agendada', inicio: on(12)(10) });
    expect(await expiry()).toEqual(['2026-12-08']);
    expect(await list()).toEqual([
      {
        id: done.id,
        ...days,
        description: 'Praia',
        is_active: true,
        pode_desfazer: true,
        canceladas: 1,
        movidas: 1,
        creditos: 1,
      },
    ]);
    const written = await typesOf('ActivateVacation');
    expect(written.map(({ type }) => type)).toEqual([
      'VacationActivated',
      'SessionRescheduled',
      'SessionCancelled',
      'CreditsExtended',
      'VacationApplied',
    ]);
    for (const projection of ['vacations', 'vacation-effects', 'credits'])
      await expectRebuildToEqualLive(app, projection);
  });

  it('extends credits that sessions hold too, without announcing it, and its undo takes that back', async () => {
    const used = await Promise.all([2, 3, 4, 5].map((day) => book(ana, day)));
    clock.at = new Date(on(5)(12));
    for (const id of used) await agenda.complete(id);
    await trainer.api.post(`/students/${ana}/credits/adjust`, { quantidade: 1, motivo: 'Cortesia' });
    const { alunos_com_creditos } = await preview();
    const { id, creditos } = await activate();
    expect([alunos_com_creditos, creditos]).toEqual([0, 0]);
    await agenda.remove(used[0]!);
    expect(await expiry()).toEqual(['2026-12-08', null]);
    await trainer.api.post(`/vacations/${id}/undo`);
    expect(await expiry()).toEqual(['2026-12-01', null]);
  });

  it('extends the credits the same whichever of two is saved first', async () => {
    const [near, far] = [days, { start_date: '2026-12-05', end_date: '2026-12-09' }];
    await activate(far);
    const { creditos } = await activate(near);
    expect([creditos, await expiry()]).toEqual([1, ['2026-12-13']]);
    await activate({ start_date: '2026-12-20', end_date: '2026-12-22' });
    expect(await expiry()).toEqual(['2026-12-13']);
  });

  it('extends credits bought after its announcement by what is still to come, and its undo takes that back', async () => {
    const { id } = await activate({ start_date: '2026-11-20', end_date: '2026-11-29' });
    await agenda.renew(ana);
    clock.at = new Date(on(9)(6));
    await agenda.renew(ana);
    expect(await expiry()).toEqual(['2026-12-11', '2026-12-11', '2026-12-19']);
    await trainer.api.post(`/vacations/${id}/undo`);
    expect(await expiry()).toEqual(['2026-12-01', '2026-12-01', '2026-12-09']);
  });

  it('counts a day once on which its student is paused, and credits bought in the pause keep what it lasted', async () => {
    const pause = (ate: string | null) => trainer.api.put(`/students/${ana}/pause`, { ate });
    await activate();
    await pause('2026-11-12');
    // Paused from the 1st to the 12th, and the vacation until the 15th.
    expect(await expiry()).toEqual(['2026-12-16']);
    clock.at = new Date(on(5)(6));
    await agenda.renew(ana);
    expect(await expiry()).toEqual(['2026-12-15', '2026-12-16']);
    clock.at = new Date(on(7)(6));
    await pause(null);
    // Six days of the pause, one of which the second lot had; and the seven days of the vacation.
    expect(await expiry()).toEqual(['2026-12-13', '2026-12-14']);
    for (const projection of ['credits', 'student-pauses']) await expectRebuildToEqualLive(app, projection);
  });

  it('announces only the days on which its students are not away anyway', async () => {
    const announced = async (dates: object) => {
      const { dias, dias_iguais, alunos_com_creditos } = await preview(dates);
      return [dias, dias_iguais, alunos_com_creditos];
    };
    const { id } = await activate({ start_date: '2026-11-05', end_date: '2026-11-14' });
    const pause = { query: { ate: '2026-11-09' } };
    const before = await expiry();
    const { body } = await trainer.api.get<PausePreview>(`/students/${ana}/pause/preview`, pause);
    expect([before, body]).toMatchObject([['2026-12-11'], { dias: 4, dias_iguais: true, meses: [] }]);
    await trainer.api.put(`/students/${ana}/pause`, pause.query);
    expect(await expiry()).toEqual(['2026-12-15']);
    // The effect of a removed vacation stays.
    await trainer.api.delete(`/vacations/${id}`);
    expect(await announced({ start_date: '2026-11-09', end_date: '2026-11-18' })).toEqual([4, true, 1]);
    expect(await announced({ start_date: '2026-11-01', end_date: '2026-11-14' })).toEqual([0, true, 0]);
    const carla = await agenda.student('Carla', await agenda.plan({ validade_dias: 30 }));
    await agenda.renew(carla);
    expect(await announced({ start_date: '2026-11-01', end_date: '2026-11-18' })).toEqual([8, false, 2]);
  });

  it('of a whole year moves its sessions to free times after it', async () => {
    const [moved, other] = [await book(ana, 10), await book(bia, 11)];
    const year = { start_date: '2026-11-09', end_date: '2027-11-09' };
    await agenda.book({
      student_id: ana,
      inicio: '2027-11-17T13:00:00.000Z',
      fim: '2027-11-17T14:00:00.000Z',
    });
    const { sessoes } = await preview({ ...year, semanas: 53 });
    expect(sessoes.map(({ destino }) => destino!.impedimento)).toEqual([
      null,
      'Ana já tem sessão das 10:00 às 11:00',
    ]);
    await activate({ ...year, mover: [moved, other], semanas: 54 });
    expect((await agenda.get(moved)).inicio).toBe('2027-11-23T13:00:00.000Z');
    expect((await agenda.get(other)).inicio).toBe('2027-11-24T13:00:00.000Z');
  });

  it('refuses bookings in its days, which the trainer may overrule', async () => {
    await activate();
    const inside = { student_id: ana, inicio: on(15)(23), fim: on(16)(0) };
    expect(await agenda.refused(409, 'POST', '/sessions', inside)).toMatchObject({
      code: 'agenda.on_vacation',
      detail: 'Há férias de 09/11/2026 a 15/11/2026. Escolha outro horário ou agende mesmo assim.',
      livres: [{ inicio: on(16)(9) }, { inicio: on(16)(9, 30) }, { inicio: on(16)(10) }],
    });
    await book(ana, 16);
    await agenda.book({ ...inside, permitir_conflito: true });
  });

  it('is refused if its sessions are not those that were decided on', async () => {
    const known = await book(ana, 10);
    const code = 'vacations.sessions_changed';
    expect((await refused({})).code).toBe(code);
    expect((await refused({ cancelar: [known, known] })).code).toBe(code);
    const arrived = await book(bia, 11);
    expect((await refused({ cancelar: [known] })).code).toBe(code);
    expect((await refused({ cancelar: [known], mover: [arrived], semanas: 1, manter: [bia] })).code).toBe(
      code,
    );
    expect(await list()).toEqual([]);
    expect(await agenda.get(known)).toMatchObject({ status: 'agendada' });
  });

  it('moves nothing onto another session or into itself', async () => {
    const id = await book(ana, 10);
    await book(bia, 17, 10);
    expect((await refused({ mover: [id], semanas: 1 })).code).toBe('vacations.sessions_changed');
    const long = { start_date: '2026-11-09', end_date: '2026-11-17' };
    expect(
      (await refused({ ...long, mover: [id], manter: [await book(ana, 17, 14)], semanas: 1 })).code,
    ).toBe('vacations.sessions_changed');
    expect(await agenda.get(id)).toMatchObject({ inicio: on(10)(10) });
  });

  it('moves two sessions that share a time together, and back', async () => {
    const duo = [await book(ana, 10), await book(bia, 10, 10, { permitir_conflito: true })];
    const { id } = await activate({ mover: duo, semanas: 1 });
    for (const one of duo) expect(await agenda.get(one)).toMatchObject({ inicio: on(17)(10) });
    await trainer.api.post(`/vacations/${id}/undo`);
    for (const one of duo) expect(await agenda.get(one)).toMatchObject({ inicio: on(10)(10) });
  });

  it.each([
    [{ start_date: '2026-11-10', end_date: '2026-11-09' }, '/end_date'],
    [{ start_date: '2026-11-10', end_date: '2027-11-11' }, '/end_date'],
    [{ mover: ['5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e'] }, '/semanas'],
  ])('is refused as %j', async (body, pointer) => {
    expect((await refused(body, 422)).errors).toEqual([expect.objectContaining({ pointer })]);
  });

  it('does not overlap another one, but may be adjacent to it', async () => {
    await activate();
    expect(await refused({ start_date: '2026-11-15', end_date: '2026-11-20' })).toMatchObject({
      code: 'vacations.overlap',
      detail: 'Já há férias de 09/11/2026 a 15/11/2026.',
    });
    await activate({ start_date: '2026-11-16', end_date: '2026-11-20' });
  });

  it('prepares one message for each student, with a link to send it', async () => {
    const [one, other, moved] = [await book(ana, 10), await book(ana, 12), await book(bia, 11)];
    const { id } = await activate({ cancelar: [one, other], mover: [moved], semanas: 1 });
    const { items } = (await trainer.api.get<VacationMessages>(`/vacations/${id}/messages`)).body;
    expect(items.map(({ texto }) => texto)).toEqual([
      [
        'Oi, Ana! Vou estar de férias de 09/11/2026 a 15/11/2026.',
        'Desmarquei as nossas aulas:',
        '• ter., 10 de nov. de 2026, 10:00',
        '• qui., 12 de nov. de 2026, 10:00',
        'Seus créditos ganharam mais 7 dias de validade.',
      ].join('\n'),
      [
        'Oi, Bia! Vou estar de férias de 09/11/2026 a 15/11/2026.',
        'Remarquei a nossa aula de qua., 11 de nov. de 2026, 10:00 para qua., 18 de nov. de 2026, 10:00.',
      ].join('\n'),
    ]);
    const { link, texto } = items[0]!;
    expect(link).toBe(`https://wa.me/5511943214321?text=${encodeURIComponent(texto)}`);
    await agenda.refused(404, 'GET', `/vacations/${ana}/messages`);
  });
});

describe('a vacation of a full agenda', () => {
  /** Ten students with a session each day, until 14 February 2027. */
  const fill = async () => {
    const horarios = [0, 1, 2, 3, 4, 5, 6].map((day_of_week) => ({
      day_of_week,
      start_time: '06:00',
      end_time: '21:00',
      is_blocked: false,
    }));
    await trainer.api.put('/availability', { horarios, versao: 0 });
    for (let hour = 6; hour < 16; hour += 1) {
      const student_id = await agenda.student(`Aluno ${hour}`);
      const pattern = { data: '2026-11-03', dias: [0, 1, 2, 3, 4, 5, 6], intervalo: 1, vezes: 104 };
      const mesmo_assim = ['2026-11-15', '2026-11-20', '2026-12-25', '2027-01-01'];
      const hora = `${String(hour).padStart(2, '0')}:00`;
      await trainer.api.post('/series', { ...pattern, student_id, hora, duracao: 60, mesmo_assim });
    }
  };
  /** The time of each session, and whether it is cancelled. */
  const agendaNow = () =>
    database.query<{ id: string; inicio: Date; status: string }>(
      'select id, inicio, status from read.sessions where tenant_id = $1 and not deleted order by id',
      [trainer.tenantId],
    );

  it('cancels or moves 600 sessions completely and undoes that, and changes none of more than 1,000', async () => {
    await fill();
    const whole = { start_date: '2026-11-03', end_date: '2027-02-14' };
    const detail = 'São mais de 1.000 sessões. Divida as férias em períodos menores.';
    const query = new URLSearchParams(whole).toString();
    expect(await agenda.refused(422, 'GET', `/vacations/preview?${query}`)).toMatchObject({ detail });
    expect(await refused(whole, 422)).toMatchObject({ code: 'vacations.too_many_sessions', detail });
    expect(await list()).toEqual([]);

    const dates = { start_date: '2026-11-03', end_date: '2027-01-01' };
    const { sessoes } = await preview({ ...dates, semanas: 15 });
    expect(sessoes).toHaveLength(600);
    const ids = sessoes.map(({ id }) => id);
    const before = await agendaNow();
    for (const [choice, done] of [
      [{ cancelar: ids }, { canceladas: 600, movidas: 0 }],
      [
        { mover: ids, semanas: 15 },
        { canceladas: 0, movidas: 600 },
      ],
    ] as const) {
      const answer = await activate({ ...dates, ...choice });
      expect(answer).toMatchObject(done);
      await list();
      expect((await preview(dates)).sessoes).toEqual([]);
      await trainer.api.post(`/vacations/${answer.id}/undo`);
      expect((await preview(dates)).sessoes).toHaveLength(600);
      expect(await agendaNow()).toEqual(before);
    }
  });
});

describe('undoing a vacation', () => {
  const undo = (id: string) => trainer.api.post(`/vacations/${id}/undo`);
  const cannot = async (id: string) => (await agenda.refused(409, 'POST', `/vacations/${id}/undo`)).code;

  it('restores sessions and credits, and frees the days', async () => {
    const [cancelled, moved] = [await book(ana, 10), await book(bia, 11)];
    const { id } = await activate({ cancelar: [cancelled], mover: [moved], semanas: 2 });
    await undo(id);
    expect(await agenda.get(cancelled)).toMatchObject({
      status: 'agendada',
      inicio: on(10)(10),
      motivo: null,
    });
    expect(await agenda.get(moved)).toMatchObject({ inicio: on(11)(10) });
    expect(await expiry()).toEqual(['2026-12-01']);
    expect(await list()).toEqual([]);
    await book(ana, 12);
    await agenda.refused(404, 'POST', `/vacations/${id}/undo`);
    for (const projection of ['vacations', 'credits', 'sessions'])
      await expectRebuildToEqualLive(app, projection);
  });

  it('is refused as a whole if a session was changed since', async () => {
    const [one, other] = [await book(ana, 10), await book(bia, 11)];
    const { id } = await activate({ cancelar: [one], mover: [other], semanas: 2 });
    await agenda.remove(one);
    expect(await cannot(id)).toBe('vacations.cannot_undo');
    await agenda.restore(one);
    await agenda.patch(other, { inicio: on(25)(12), fim: on(25)(13) });
    expect(await cannot(id)).toBe('vacations.cannot_undo');
    expect(await agenda.get(one)).toMatchObject({ status: 'cancelada' });
    await agenda.patch(other, { inicio: on(25)(10), fim: on(25)(11) });
    await undo(id);
  });

  it('brings a session back to a time that it shared before', async () => {
    const one = await book(ana, 10);
    const shared = await book(bia, 10, 10, { permitir_conflito: true });
    const { id } = await activate({ cancelar: [one], manter: [shared] });
    await trainer.api.patch(`/sessions/${shared}`, { observacoes: 'Trazer a toalha' });
    await undo(id);
    expect(await agenda.get(one)).toMatchObject({ status: 'agendada', inicio: on(10)(10) });
  });

  it('is refused if a time is taken or past, or credits would have expired', async () => {
    const one = await book(ana, 10);
    const { id } = await activate({ cancelar: [one] });
    const inside = await book(bia, 10, 10, { permitir_conflito: true });
    // A refusal knows the student from the read tables.
    await agenda.get(inside);
    expect(await agenda.refused(409, 'POST', `/vacations/${id}/undo`)).toMatchObject({
      code: 'vacations.cannot_undo',
      detail: expect.stringMatching(/^Bia já tem sessão em ter\., 10 de nov\., 10:00, no horário/),
    });
    expect(await agenda.get(one)).toMatchObject({ status: 'cancelada' });
    await agenda.cancel(inside);
    clock.at = new Date(on(10)(10));
    expect(await cannot(id)).toBe('vacations.cannot_undo');
    expect((await list())[0]).toMatchObject({ pode_desfazer: false });

    clock.at = new Date(on(1)(6));
    await undo(id);
    await agenda.remove(one);
    const later = await activate({ start_date: '2026-11-20', end_date: '2026-11-26' });
    clock.at = new Date('2026-12-03T12:00:00Z');
    expect(await cannot(later.id)).toBe('vacations.cannot_undo');
    expect(await expiry()).toEqual(['2026-12-08']);
  });

  it('returns sessions also to times that were blocked since, and says how many', async () => {
    const [cancelled, moved, free] = [await book(ana, 10), await book(bia, 11), await book(ana, 12)];
    const { id } = await activate({ cancelar: [cancelled, free], mover: [moved], semanas: 2 });
    const closed = { start_time: '10:30', end_time: '12:00', is_blocked: true };
    for (const date of ['2026-11-10', '2026-11-11'])
      await trainer.api.put(`/availability/exceptions/${date}`, { horarios: [closed] });
    expect((await undo(id)).body).toEqual({ id, bloqueadas: 2 });
    for (const session of [cancelled, free])
      expect(await agenda.get(session)).toMatchObject({ status: 'agendada' });
    expect(await agenda.get(moved)).toMatchObject({ inicio: on(11)(10) });
  });

  it('differs from removing, which only frees the days, and can be taken back itself', async () => {
    const one = await book(ana, 10);
    const { id } = await activate({ cancelar: [one] });
    await trainer.api.delete(`/vacations/${id}`);
    expect(await list()).toEqual([]);
    expect(await agenda.get(one)).toMatchObject({ status: 'cancelada' });
    await book(ana, 11);
    await trainer.api.post(`/vacations/${id}/restore`);
    expect(await list()).toHaveLength(1);
    await agenda.refused(409, 'POST', `/vacations/${id}/restore`);
    await trainer.api.delete(`/vacations/${id}`);
    await activate({ manter: (await preview()).sessoes.map((session) => session.id) });
    expect((await agenda.refused(409, 'POST', `/vacations/${id}/restore`)).code).toBe('vacations.overlap');
  });
});

describe('a booking that arrives while a vacation is activated', () => {
  it('is either decided on or refused, in any order of the two', async () => {
    const outcomes = new Set<string>();
    for (let turn = 0; turn < 12; turn += 1) {
      const booking = { student_id: ana, inicio: on(10)(10), fim: on(10)(11) };
      const send = [
        () => trainer.api.request<{ id: string }>('POST', '/api/v1/sessions', { body: booking }),
        () => trainer.api.request<{ id: string }>('POST', '/api/v1/vacations', { body: days }),
      ];
      if (turn % 2) send.reverse();
      const answers = await Promise.all(send.map((request) => request()));
      const [booked, activated] = turn % 2 ? answers.toReversed() : answers;
      outcomes.add(`${booked!.status} ${activated!.status}`);
      if (booked!.status === 201) await agenda.remove(booked!.body.id);
      if (activated!.status === 201) await trainer.api.post(`/vacations/${activated!.body.id}/undo`);
    }
    for (const outcome of outcomes) expect(['201 409', '409 201']).toContain(outcome);
  });

  it('is included in the vacation if it comes first, and refused if it comes second', async () => {
    const id = await book(ana, 10);
    expect((await refused({})).code).toBe('vacations.sessions_changed');
    await agenda.remove(id);
    await activate();
    const inside = { student_id: ana, inicio: on(10)(10), fim: on(10)(11) };
    expect((await agenda.refused(409, 'POST', '/sessions', inside)).code).toBe('agenda.on_vacation');
  });
});
