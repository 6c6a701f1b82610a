import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { addDays } from 'date-fns';
import { io, type Socket } from 'socket.io-client';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import { defaultBooking } from '../../backend/modules/student-area/student-booking.api.js';
import type { Hint } from '../../backend/platform/realtime/hint-bus.js';
import { startApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { atEnd } from '../support/cleanup.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { connectSocket } from '../support/socket.js';
import { browser } from './people.js';

const TEN_MINUTES = 10 * 60_000;

const database = await testDatabase();
const app = await startApp();
afterEach(() => void jest.restoreAllMocks());

const soon = <Value>(read: () => Value, expected: Value) =>
  eventually(() => Promise.resolve(read()), expected);
const disconnection = (socket: Socket) =>
  new Promise<string>((resolve) => socket.once('disconnect', resolve));

/** A socket, and a way to run its check of ten minutes later, or of another time, without waiting. */
async function openSocket(
  caller: { accessToken: string },
  isItsTime = (delay: number | undefined) => delay === TEN_MINUTES,
) {
  const timers = jest.spyOn(globalThis, 'setTimeout');
  const waiting = () => timers.mock.calls.filter(([, delay]) => isItsTime(delay));
  const before = waiting().length;
  const socket = await connectSocket(app, caller);
  await soon(() => waiting().length, before + 1);
  return {
    socket,
    later: () => waiting().at(-1)![0](),
    looks: () => waiting().length - before,
  };
}

/** The first message to a socket whose page began to read `reading` milliseconds ago. */
async function toldFirst({ accessToken }: { accessToken: string }, reading: number): Promise<Hint[] | null> {
  const socket = io(app.url, {
    auth: { token: accessToken, reading },
    transports: ['websocket'],
    forceNew: true,
  });
  atEnd(() => socket.close());
  return new Promise((resolve) => socket.once('missed', resolve));
}

it('a socket gets the hints since its page began to read, or is told that they are unknown', async () => {
  const [trainer, other] = [await signUp(app), await signUp(app)];
  const began = performance.now();
  const hints = await Promise.all(
    [trainer, other].map(async (caller) => {
      const socket = await connectSocket(app, caller);
      const hinted = new Promise<Hint>((resolve) => {
        socket.on('hint', (hint: Hint) => hint.topic === 'locations' && resolve(hint));
      });
      await caller.api.post('/locations', { nome: 'Parque' });
      return hinted;
    }),
  );
  const told = await toldFirst(trainer, performance.now() - began);
  expect(told).toContainEqual(hints[0]);
  expect(new Set(told!.map(({ tenantId }) => tenantId))).toEqual(new Set([trainer.tenantId]));
  expect(await toldFirst(trainer, 120_000)).toBeNull();
});

describe('a socket', () => {
  it('is closed when its session ends after 30 days, and cannot be opened again', async () => {
    const trainer = await signUp(app);
    const began = (ago: string) =>
      database.query('update auth.sessions set created_at = now() - $2::interval where user_id = $1', [
        trainer.userId,
        ago,
      ]);
    await began('30 days - 5 minutes');
    const { socket, later } = await openSocket(
      trainer,
      (delay = 0) => delay > 4 * 60_000 && delay < 5 * 60_000,
    );
    await began('30 days');
    const ended = disconnection(socket);

    later();

    expect(await ended).toBe('io server disconnect');
    await expect(connectSocket(app, trainer)).rejects.toThrow('unauthenticated');
  });

  it.each([
    ['gave no sign of life for 14 days', "last_seen_at = now() - interval '14 days'"],
    ['was ended by a process whose word was lost', 'ended_at = now()'],
  ])('ends within ten minutes where its session %s', async (_what, change) => {
    const trainer = await signUp(app);
    const { socket, later } = await openSocket(trainer);
    await database.query(`update auth.sessions set ${change} where user_id = $1`, [trainer.userId]);
    const ended = disconnection(socket);

    later();

    expect(await ended).toBe('io server disconnect');
  });

  it('cannot be opened by a page of another site', async () => {
    const trainer = await signUp(app);

    await expect(connectSocket(app, trainer, 'https://outro.example')).rejects.toThrow();
    expect((await connectSocket(app, trainer, app.url)).connected).toBe(true);
  });

  it('is closed within ten minutes if a membership of its user ended and the message was lost', async () => {
    const trainer = await signUp(app);
    const { socket, later } = await openSocket(trainer);
    await database.query('delete from memberships where user_id = $1', [trainer.userId]);
    const ended = disconnection(socket);

    later();

    expect(await ended).toBe('io server disconnect');
  });

  it('is closed within ten minutes if the key of its token was revoked', async () => {
    const { socket, later } = await openSocket(await signUp(app));
    const [{ kid }] = (await database.query<{ kid: string }>('select kid from auth.signing_keys')) as [
      { kid: string },
    ];
    expect((await runCli(database, ['keys:rotate', '--revoke', kid])).code).toBe(0);
    const ended = disconnection(socket);

    later();

    expect(await ended).toBe('io server disconnect');
  });

  it('stays open while its session is active, and is checked again ten minutes later', async () => {
    const { socket, later, looks } = await openSocket(await signUp(app));

    later();

    await soon(looks, 2);
    expect(socket.connected).toBe(true);
  });
});

describe('a student', () => {
  /** A student of this trainer, with a socket that records its hints. */
  async function studentOf({ api }: Awaited<ReturnType<typeof signUp>>, nome: string) {
    const { body: student } = await api.post('/students', { nome, whatsapp: '(11) 94321-4321' });
    const { body: invite } = await api.post<NewInvite>(`/students/${student.id}/invites`);
    const convite = invite.inviteUrl.split('/').at(-1)!;
    const client = browser(app.url);
    const { data } = await client.signUp({
      email: `${student.id}@exemplo.com.br`,
      password: 'Lagoa-Azul-42',
      options: { data: { convite, nome } },
    });
    const socket = await connectSocket(app, { accessToken: data.session!.access_token });
    const heard: Hint[] = [];
    // A notification is written after its event, by a separate job.
    socket.on('hint', (hint: Hint) => void (hint.topic !== 'notifications' && heard.push(hint)));
    return { id: student.id, heard };
  }

  it('gets hints of the own sessions, and of those of others only that the free times have changed', async () => {
    const trainer = await signUp(app);
    const { api, tenantId } = trainer;
    const [ana, bia] = [await studentOf(trainer, 'Ana Lima'), await studentOf(trainer, 'Bia Lima')];
    const own = ({ heard }: typeof ana) => heard.filter(({ topic }) => topic !== 'free-times');
    const topics = (student: typeof ana) => own(student).map(({ topic }) => topic);
    const book = async (student: { id: string }, inDays: number) => {
      const day = addDays(new Date(), inDays).toISOString().slice(0, 10);
      const body = { student_id: student.id, inicio: `${day}T13:00:00.000Z`, fim: `${day}T14:00:00.000Z` };
      return (await api.post('/sessions', body)).body.id;
    };
    await api.post('/plans', { nome: 'Pacote', valor: 50_000, creditos: 10 });

    // Not tomorrow: from 18:00 on, reminders of tomorrow's sessions cause hints too.
    const first = await book(ana, 11);
    await soon(() => topics(ana), ['sessions']);
    // An account that is several students tells by the id which page to read again.
    expect(own(ana)[0]).toMatchObject({ tenantId, studentId: ana.id, position: expect.any(Number) });
    await soon(() => bia.heard.map(({ topic }) => topic), ['free-times']);

    await api.patch(`/sessions/${first}`, { student_id: bia.id });
    await soon(() => topics(ana).length, 2);
    await soon(() => topics(bia), ['sessions']);

    // Ana has received all of her hints before Bia's next session is booked, so hints to Bia would have arrived.
    const second = await book(ana, 12);
    await soon(() => topics(ana).length, 3);
    await api.delete(`/sessions/${second}`);
    await soon(() => topics(ana).length, 4);
    expect(topics(bia)).toEqual(['sessions']);
    await book(bia, 13);
    await soon(() => topics(bia), ['sessions', 'sessions']);
    expect(own(bia)[1]!.position).toBeGreaterThan(own(ana)[3]!.position);
    expect(new Set(topics(ana))).toEqual(new Set(['sessions']));
  });

  it('gets hints of what concerns every student of the tenant: its hours, vacations, locations, contracts and rules of booking', async () => {
    const trainer = await signUp(app);
    const ana = await studentOf(trainer, 'Ana Lima');
    const stranger = await studentOf(await signUp(app), 'Caio Reis');
    const topics = () => [...new Set(ana.heard.map(({ topic }) => topic))].toSorted();
    const day = addDays(new Date(), 30).toISOString().slice(0, 10);

    await trainer.api.post('/locations', { nome: 'Parque' });
    await soon(topics, ['locations']);
    await trainer.api.post('/vacations', { start_date: day, end_date: day });
    await soon(topics, ['availability', 'locations']);
    await trainer.api.put('/settings/student-booking', { ...defaultBooking, exige_credito: false });
    await soon(topics, ['availability', 'locations', 'student-booking']);
    await trainer.api.put(`/students/${ana.id}/pause`, { ate: day });
    await soon(topics, ['availability', 'locations', 'student-booking', 'students']);
    await trainer.api.put('/settings/timezone', { fuso_horario: 'America/Manaus' });
    const everything = ['availability', 'locations', 'settings', 'student-booking', 'students'];
    await soon(topics, everything);
    ana.heard.length = 0;
    await trainer.api.put('/settings/pix', {
      tipo: 'email',
      chave: 'carla@exemplo.com.br',
      nome: 'Carla Dias',
      cidade: 'Manaus',
    });
    await soon(topics, ['settings']);
    const conteudo = '<p>Eu, {{aluno}}.</p>';
    const { id } = (await trainer.api.post('/contracts', { titulo: 'Termo', conteudo })).body;
    await soon(topics, ['contracts', 'settings']);
    ana.heard.length = 0;
    await trainer.api.patch(`/contracts/${id}`, { is_active: false });
    await soon(topics, ['contracts']);
    expect(stranger.heard).toEqual([]);
  });

  it('is told that credits have changed where another student shares theirs', async () => {
    const trainer = await signUp(app);
    const [ana, bia] = [await studentOf(trainer, 'Ana Lima'), await studentOf(trainer, 'Bia Lima')];
    await trainer.api.put(`/students/${bia.id}/credits/sharing`, { dono_id: ana.id });
    await soon(() => bia.heard.map(({ topic }) => topic), ['credits']);
    await trainer.api.post(`/students/${ana.id}/credits/adjust`, { quantidade: 2, motivo: 'Pacote' });
    await soon(
      () => bia.heard.map(({ topic, studentId }) => [topic, studentId]),
      [
        ['credits', bia.id],
        ['credits', undefined],
      ],
    );
  });

  it('gets hints of the own payments and receipts, not of those of others', async () => {
    const trainer = await signUp(app);
    const [ana, bia] = [await studentOf(trainer, 'Ana Lima'), await studentOf(trainer, 'Bia Lima')];
    const topics = ({ heard }: typeof ana) => heard.map(({ topic }) => topic);
    const pay = async (student_id: string | null) => {
      const paid = { tipo: 'receita', valor: 10_000, metodo_pagamento: 'pix', data: '2026-11-05' };
      return (await trainer.api.post('/transactions', { ...paid, descricao: 'Treinos', student_id })).body.id;
    };
    await trainer.api.put('/settings/receipts', {
      nome: 'Carla Dias',
      documento: '111.444.777-35',
      cref: null,
      cidade: 'São Paulo',
    });

    await pay(null);
    const payment = await pay(ana.id);
    await soon(() => topics(ana), ['transactions']);
    await trainer.api.post(`/transactions/${payment}/receipt`, {
      nome: 'Ana Lima',
      cpf: null,
      descricao: 'Treinos',
      de: '2026-11-01',
      ate: '2026-11-30',
    });
    await soon(() => topics(ana), ['transactions', 'receipts']);
    await trainer.api.post(`/transactions/${payment}/reverse`, { motivo: 'Engano' });
    await soon(() => topics(ana), ['transactions', 'receipts', 'transactions']);
    await pay(bia.id);
    await soon(() => topics(bia), ['transactions']);
    expect(topics(ana)).toEqual(['transactions', 'receipts', 'transactions']);
  });
});
