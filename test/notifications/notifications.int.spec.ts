import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type {
  Notification,
  NotificationPage,
  UnreadCount,
} from '../../backend/modules/notifications/notifications.api.js';
import { defaultBooking } from '../../backend/modules/student-area/student-booking.api.js';
import { Purges } from '../../backend/platform/jobs/purges.js';
import type { Client } from '../support/client.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';

const clock = new SetClock(new Date(on(9)(12)));
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let student: Awaited<ReturnType<typeof studentAccount>>;

beforeAll(async () => {
  database = await testDatabase();
  app = await startApp({ clock });
});

beforeEach(async () => {
  trainer = await signUp(app);
  agenda = agendaOf(trainer.api);
  ana = await agenda.student('Ana Souza');
  student = await studentAccount(app, trainer, ana, 'Ana');
});

const list = async (api: Client, path = '/notifications') =>
  (await api.get<NotificationPage>(path)).body.items;
const own = () => list(student.api, '/student/notifications');
const titles = async (read: Promise<Notification[]>) => (await read).map(({ titulo }) => titulo);
const unread = async (api: Client, path = '/notifications') =>
  (await api.get<UnreadCount>(`${path}/unread`)).body.total;
const book = (day: number, more: object = {}) =>
  agenda.book({ student_id: ana, inicio: on(day)(7), fim: on(day)(8), ...more });

describe('a student', () => {
  it('is told what the trainer did, and what one command did several times once', async () => {
    const id = await book(20);
    await agenda.patch(id, { inicio: on(21)(9), fim: on(21)(10) });
    await agenda.cancel(id);
    await trainer.api.post('/charges', {
      ...{ student_id: ana, descricao: 'Pacote', valor: 45_000, vencimento: '2026-11-30' },
    });
    await eventually(
      async () => (await own()).map(({ titulo, texto, lida }) => [titulo, texto, lida]),
      [
        ['Nova cobrança', 'R$ 450,00, vence em 30/11/2026', false],
        ['Aula desmarcada', 'sáb., 21 de nov., 9:00', false],
        ['Aula remarcada', 'De sex., 20 de nov., 7:00 para sáb., 21 de nov., 9:00', false],
        ['Aula marcada', 'sex., 20 de nov., 7:00', false],
      ],
    );
    await trainer.api.post('/series', {
      ...{ student_id: ana, data: '2026-11-30', dias: [1, 4], hora: '07:00', duracao: 60 },
      ...{ intervalo: 1, vezes: 4 },
    });
    await eventually(() => titles(own()).then(([first]) => first), '4 aulas marcadas');
    expect(await list(trainer.api)).toEqual([]);
  });

  it('is not told of what was taken back unread, and of nothing once the access has ended', async () => {
    const { id } = (
      await trainer.api.post('/charges', {
        ...{ student_id: ana, descricao: 'Pacote', valor: 45_000, vencimento: '2026-11-30' },
      })
    ).body;
    await eventually(() => titles(own()), ['Nova cobrança']);
    await trainer.api.post(`/charges/${id}/cancel`);
    await eventually(() => titles(own()), []);
    await book(20);
    await eventually(() => titles(own()), ['Aula marcada']);
    await trainer.api.delete(`/students/${ana}/access`);
    const kept = () =>
      database.query('select id from notifications where tenant_id = $1', [trainer.tenantId]);
    await eventually(kept, []);
    await book(21);
    // What follows it in the log is there, so it was seen.
    const bia = await agenda.student('Bia Lima');
    const second = await studentAccount(app, trainer, bia, 'Bia');
    await agenda.book({ student_id: bia, inicio: on(22)(7), fim: on(22)(8) });
    await eventually(() => titles(list(second.api, '/student/notifications')), ['Aula marcada']);
    expect(await kept()).toHaveLength(1);
  });
});

describe('a trainer', () => {
  beforeEach(async () => {
    await trainer.api.put('/settings/student-booking', { ...defaultBooking, exige_credito: false });
  });

  it('is told who did what, reads each alone or all, and hears of it on every screen', async () => {
    const id = await book(20);
    await student.api.post(`/student/sessions/${id}/cancel`);
    await student.api.post(`/student/sessions/${id}/undo`);
    await student.api.post(`/student/sessions/${id}/request`, { motivo: 'Dentista' });
    await eventually(
      async () => (await list(trainer.api)).map(({ titulo, endereco }) => [titulo, endereco]),
      [
        ['Ana Souza pediu para desmarcar', `/agenda?sessao=${id}`],
        ['Ana Souza desfez o que mudou', `/agenda?sessao=${id}`],
        ['Ana Souza desmarcou', `/agenda?sessao=${id}`],
      ],
    );
    expect(await unread(trainer.api)).toBe(3);
    const [, second, third] = await list(trainer.api);
    await trainer.api.post(`/notifications/${third!.id}/read`);
    expect((await list(trainer.api)).map(({ lida }) => lida)).toEqual([false, false, true]);
    await trainer.api.post('/notifications/read', { ate: second!.em });
    expect((await list(trainer.api)).map(({ lida }) => lida)).toEqual([false, true, true]);
    expect(await unread(trainer.api)).toBe(1);
  });

  it('reads pages, and nobody reads what is for another', async () => {
    await book(20);
    await book(21);
    await eventually(() => unread(student.api, '/student/notifications'), 2);
    const path = '/student/notifications?limit=1';
    const { items, next } = (await student.api.get<NotificationPage>(path)).body;
    const more = (await student.api.get<NotificationPage>(`${path}&cursor=${next}`)).body;
    expect([items[0]!.texto, more.items[0]!.texto, more.next]).toEqual([
      ...['sáb., 21 de nov., 7:00', 'sex., 20 de nov., 7:00', null],
    ]);
    await trainer.api.post(`/notifications/${items[0]!.id}/read`, undefined, { status: 404 });
    const bia = await studentAccount(app, trainer, await agenda.student('Bia Lima'), 'Bia');
    expect(await list(bia.api, '/student/notifications')).toEqual([]);
    await bia.api.post(`/student/notifications/${items[0]!.id}/read`, undefined, { status: 404 });
    await bia.api.post('/student/notifications/read', { ate: new Date().toISOString() });
    await trainer.api.post('/notifications/read', { ate: new Date().toISOString() });
    expect(await unread(student.api, '/student/notifications')).toBe(2);
  });

  it('reads nothing of who was forgotten, or of 90 days ago', async () => {
    await student.api.post(`/student/sessions/${await book(20)}/cancel`);
    await eventually(() => titles(list(trainer.api)), ['Ana Souza desmarcou']);
    await trainer.api.post(`/students/${ana}/forget`);
    await eventually(() => titles(list(trainer.api)), []);
    const bia = await agenda.student('Bia Lima');
    const account = await studentAccount(app, trainer, bia, 'Bia');
    const id = await agenda.book({ student_id: bia, inicio: on(22)(7), fim: on(22)(8) });
    await account.api.post(`/student/sessions/${id}/cancel`);
    await eventually(() => titles(list(trainer.api)), ['Bia Lima desmarcou']);
    await database.query(`update notifications set em = em - interval '91 days' where tenant_id = $1`, [
      trainer.tenantId,
    ]);
    await app.nest.get(Purges).run();
    expect(await list(trainer.api)).toEqual([]);
  });
});
