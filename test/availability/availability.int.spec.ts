import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { BookSession } from '../../backend/modules/agenda/agenda.commands.js';
import type { FreeTimesAnswer } from '../../backend/modules/agenda/free-times.api.js';
import type { Availability } from '../../backend/modules/availability/availability.api.js';
import { CommandBus } from '@nestjs/cqrs';
import type { CommandContext } from '../../backend/platform/event-store/context.js';
import { agendaOf, on, type Refusal } from '../agenda/trainer.js';
import { SetClock } from '../support/clock.js';
import type { HolidayList } from '../../backend/modules/holidays/holidays.api.js';
import { signUp, type Trainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { sharedApp } from '../support/shared.js';

type TimeRefusal = Refusal & { livres?: { inicio: string; fim: string }[] };

/** Wednesday 25 November 2026, 6:00. */
const NOW = new Date(on(25)(6));
const clock = new SetClock(NOW);

let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;

const app = await sharedApp(clock);

beforeEach(async () => {
  clock.at = NOW;
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza');
});

/** Thursday. */
const at = on(26);
const row = (day_of_week: number, start_time: string, end_time: string, is_blocked = false) => ({
  day_of_week,
  start_time,
  end_time,
  is_blocked,
});
const thursday = [row(4, '08:00', '18:00'), row(4, '12:00', '13:00', true)];
const save = (horarios: object[], versao?: number) => trainer.api.put('/availability', { horarios, versao });
const except = (data: string, ...horarios: object[]) =>
  trainer.api.put(`/availability/exceptions/${data}`, { horarios });
const shown = async () => (await trainer.api.get<Availability>('/availability')).body;
const slot = (inicio: string, fim: string, more: object = {}) => ({ student_id: ana, inicio, fim, ...more });
const refusal = (inicio: string, fim: string) =>
  agenda.refused(409, 'POST', '/sessions', slot(inicio, fim)) as Promise<TimeRefusal>;
const free = async (from: string, to: string, minutos = 60) =>
  (await trainer.api.get<FreeTimesAnswer>('/free-times', { query: { from, to, minutos } })).body;

describe('the week', () => {
  it('is replaced as a whole, sorted by day and time', async () => {
    await save([row(5, '08:00', '12:00'), row(1, '14:00', '18:00'), row(1, '08:00', '12:00')]);
    expect(
      (await shown()).horarios.map(({ day_of_week, start_time }) => `${day_of_week} ${start_time}`),
    ).toEqual(['1 08:00', '1 14:00', '5 08:00']);
    await save(thursday);
    expect(await shown()).toMatchObject({ horarios: thursday, versao: 2, excecoes: [] });
    await expectRebuildToEqualLive(app, 'availability');
  });

  it.each([
    ['a row that ends before it starts', [row(1, '10:00', '09:00')], '/horarios/0/end_time'],
    ['a row of no length', [row(1, '10:00', '10:00')], '/horarios/0/end_time'],
    [
      'open rows that overlap',
      [row(1, '08:00', '12:00'), row(1, '11:00', '13:00')],
      '/horarios/1/start_time',
    ],
    [
      'blocked rows that overlap',
      [row(1, '08:00', '12:00', true), row(1, '08:00', '09:00', true)],
      '/horarios/1/start_time',
    ],
  ])('refuses %s, naming the field', async (_case, horarios, pointer) => {
    const { errors } = await agenda.refused(422, 'PUT', '/availability', { horarios });
    expect(errors).toEqual([expect.objectContaining({ pointer })]);
    expect((await shown()).horarios).toEqual([]);
  });

  it('may have adjacent rows, rows until midnight, and blocked ones within open ones', async () => {
    await save([row(1, '08:00', '12:00'), row(1, '12:00', '24:00'), row(1, '12:00', '13:00', true)]);
    expect((await shown()).horarios).toHaveLength(3);
  });

  it('saved concurrently in two windows is that of one of them, and the other is told', async () => {
    await save([row(1, '08:00', '12:00')]);
    const answers = await Promise.all(
      [thursday, [row(2, '06:00', '09:00'), row(2, '15:00', '20:00')]].map((horarios) =>
        trainer.api.request<{ code?: string }>('PUT', '/api/v1/availability', {
          body: { horarios, versao: 1 },
        }),
      ),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)!.body.code).toBe('availability.changed');
    const { horarios } = await shown();
    expect(new Set(horarios.map(({ day_of_week }) => day_of_week)).size).toBe(1);
    expect(horarios).toHaveLength(2);
  });
});

describe('booking', () => {
  it('is refused in a blocked time, with the nearest free times', async () => {
    await save(thursday);
    const refused = await refusal(at(12), at(13));
    expect(refused).toMatchObject({
      code: 'agenda.blocked',
      detail: 'O horário das 12:00 às 13:00 está bloqueado. Escolha outro horário ou agende mesmo assim.',
    });
    expect(refused.livres).toEqual([
      { inicio: at(13), fim: at(14) },
      { inicio: at(11), fim: at(12) },
      { inicio: at(13, 30), fim: at(14, 30) },
    ]);
  });

  it('is refused outside of the hours of the day, which are named', async () => {
    await save(thursday);
    expect(await refusal(at(7), at(8))).toMatchObject({
      code: 'agenda.outside_hours',
      detail: expect.stringContaining('na quinta é das 8:00 às 12:00 e das 13:00 às 18:00'),
      livres: [
        { inicio: at(8), fim: at(9) },
        { inicio: at(8, 30), fim: at(9, 30) },
        { inicio: at(9), fim: at(10) },
      ],
    });
    expect((await refusal(on(27)(9), on(27)(10))).detail).toContain('Não há atendimento na sexta.');
  });

  it('is possible at any hour for a trainer who has set none', async () => {
    await agenda.book(slot(at(6), at(7)));
  });

  it('is possible if the trainer confirms it', async () => {
    await save(thursday);
    await agenda.book(slot(at(12), at(13), { permitir_conflito: true }));
    await agenda.book(slot(at(19), at(20), { permitir_conflito: true }));
  });

  it('is never permitted to a student, who is restricted to the default hours if there are no others', async () => {
    const context: CommandContext = {
      tenantId: trainer.tenantId,
      userId: randomUUID(),
      role: 'aluno',
      studentId: ana,
      timezone: 'America/Sao_Paulo',
      requestId: 'r',
      device: null,
      idempotency: null,
    };
    const book = (inicio: string, fim: string) =>
      app.nest
        .get(CommandBus)
        .execute(new BookSession(context, slot(inicio, fim, { permitir_conflito: true })));
    await expect(book(at(7), at(8))).rejects.toMatchObject({
      code: 'agenda.outside_hours',
      detail: expect.not.stringContaining('mesmo assim'),
    });
    await agenda.book(slot(at(10), at(11)));
    await expect(book(at(10), at(11))).rejects.toMatchObject({ code: 'agenda.overlap' });
    await book(at(11), at(12));
  });

  it('refused because of another session offers free times', async () => {
    await agenda.book(slot(at(10), at(11)));
    const { code, livres } = await refusal(at(10), at(11));
    expect(code).toBe('agenda.overlap');
    expect(livres!.map(({ inicio }) => inicio)).toEqual([at(11), at(9), at(11, 30)]);
  });

  it('follows the exceptions of the date', async () => {
    await save(thursday);
    await except('2026-11-28', { start_time: '08:00', end_time: '12:00', is_blocked: false });
    await except('2026-11-26', { start_time: '14:00', end_time: '18:00', is_blocked: true });
    await agenda.book(slot(on(28)(8), on(28)(9)));
    expect((await refusal(at(14), at(15))).code).toBe('agenda.blocked');
    expect((await shown()).excecoes.map(({ data }) => data)).toEqual(['2026-11-26', '2026-11-28']);
    await except('2026-11-26');
    await agenda.book(slot(at(14), at(15)));
    expect((await shown()).excecoes.map(({ data }) => data)).toEqual(['2026-11-28']);
    await expectRebuildToEqualLive(app, 'availability');
  });
});

describe('an existing session', () => {
  it('cannot be moved to a time that is not open, but can be changed otherwise', async () => {
    await save(thursday);
    const id = await agenda.book(slot(at(12), at(13), { permitir_conflito: true }));
    await agenda.patch(id, { observacoes: 'Joelho' });
    const move = { inicio: at(12, 30), fim: at(13, 30) };
    expect((await agenda.refused(409, 'PATCH', `/sessions/${id}`, move)).code).toBe('agenda.blocked');
    await agenda.patch(id, { ...move, permitir_conflito: true });
  });

  it('is not offered its current time', async () => {
    const id = await agenda.book(slot(at(11), at(12)));
    await agenda.book(slot(at(10), at(11)));
    const move = { inicio: at(10, 30), fim: at(11, 30) };
    const { livres } = (await agenda.refused(409, 'PATCH', `/sessions/${id}`, move)) as TimeRefusal;
    expect(livres!.map(({ inicio }) => inicio)).toEqual([at(11, 30), at(12), at(9)]);
  });

  it.each(['reopen', 'restore'] as const)('is refused by %s if its time is no longer open', async (way) => {
    const id = await agenda.book(slot(at(12), at(13)));
    await (way === 'reopen' ? agenda.cancel(id) : agenda.remove(id));
    await save(thursday);
    expect((await agenda.refused(409, 'POST', `/sessions/${id}/${way}`)).code).toBe('agenda.blocked');
    await agenda[way](id, { permitir_conflito: true });
  });

  it('can be completed even if its time is not open', async () => {
    const id = await agenda.book(slot(at(12), at(13)));
    await agenda.cancel(id);
    await save(thursday);
    clock.at = new Date(at(6));
    await agenda.complete(id);
  });
});

describe('free times', () => {
  it('are the future hours without sessions and blocked times', async () => {
    await save(thursday);
    await agenda.book(slot(at(9), at(10)));
    const { livres, inicios, bloqueios } = await free(on(25)(0), on(27)(0), 90);
    expect(livres).toEqual([
      { inicio: at(10), fim: at(12) },
      { inicio: at(13), fim: at(18) },
    ]);
    expect(inicios.slice(0, 3)).toEqual([at(10), at(10, 30), at(13)]);
    const closed = { tipo: 'fechado', descricao: null };
    expect(bloqueios).toEqual([
      { inicio: at(12), fim: at(13), tipo: 'bloqueado', descricao: null },
      { inicio: on(25)(0), fim: at(8), ...closed },
      { inicio: at(18), fim: on(27)(0), ...closed },
    ]);
  });

  it('are refused for more than 28 days, or with the end before the start', async () => {
    for (const [from, to] of [
      [on(1)(0), on(30)(0)],
      [on(2)(0), on(1)(0)],
    ])
      await agenda.refused(400, 'GET', `/free-times?from=${from}&to=${to}`);
  });
});

const holidays = async (from: string, to: string) =>
  (await trainer.api.get<HolidayList>('/holidays', { query: { from, to } })).body.items;

it('holidays are switched, and own ones added, removed and restored', async () => {
  const christmas = { id: 'natal', nome: 'Natal', data: '2030-12-25', tipo: 'nacional', anual: true };
  expect(await holidays('2030-12-01', '2030-12-31')).toEqual([{ ...christmas, ativo: true }]);
  await trainer.api.put('/holidays/natal', { ativo: false });
  expect(await holidays('2030-12-01', '2030-12-31')).toEqual([{ ...christmas, ativo: false }]);

  const own = { nome: 'Aniversário da cidade', data: '2031-01-25', anual: true };
  const { id } = (await trainer.api.post('/holidays', own)).body;
  const shown = { ...own, id, tipo: 'proprio', ativo: true };
  expect(await holidays('2031-01-10', '2031-01-31')).toEqual([shown]);
  expect(await holidays('2032-01-10', '2032-01-31')).toEqual([{ ...shown, data: '2032-01-25' }]);
  await trainer.api.put(`/holidays/${id}`, { ativo: false });
  expect(await holidays('2031-01-10', '2031-01-31')).toEqual([{ ...shown, ativo: false }]);
  await trainer.api.delete(`/holidays/${id}`);
  expect(await holidays('2031-01-10', '2031-01-31')).toEqual([]);
  await trainer.api.post(`/holidays/${id}/restore`);
  expect(await holidays('2031-01-10', '2031-01-31')).toHaveLength(1);
  await expectRebuildToEqualLive(app, 'holidays');
});

it.each([
  ['PUT', '/holidays/dia-do-personal', { ativo: true }, 404],
  ['DELETE', '/holidays/5f0c2b1e-7d44-4c0b-9d0e-2f6a1c3b4d5e', undefined, 404],
  ['POST', '/holidays', { nome: '', data: '2030-12-24', anual: false }, 400],
  ['GET', '/holidays?from=2030-01-01&to=2032-01-01', undefined, 400],
])('%s %s is refused as invalid', async (method, path, body, status) => {
  const answer = await trainer.api.request(method, `/api/v1${path}`, body ? { body } : {});
  expect(answer.status).toBe(status);
});
