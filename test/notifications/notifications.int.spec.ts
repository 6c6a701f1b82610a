import { beforeEach, describe, expect, it } from '@jest/globals';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import type { NotificationSettings } from '../../backend/modules/letters/notification-settings.api.js';
import type { PushKey } from '../../backend/modules/notices/push.api.js';
import type {
  Notification,
  NotificationPage,
  UnreadOfAccount,
  UnreadCount,
} from '../../backend/modules/notices/notifications.api.js';
import { PushKeys } from '../../backend/modules/notices/push-keys.service.js';
import { PushSender, sendDuePushes } from '../../backend/modules/notices/push-sender.service.js';
import { defaultBooking } from '../../backend/modules/student-area/student-booking.api.js';
import { Purges } from '../../backend/platform/jobs/purges.js';
import { MailAddresses } from '../../backend/platform/mail/mail-addresses.js';
import { Client } from '../support/client.js';
import { studentAccount } from '../accounts/own-data.js';
import { agendaOf, on } from '../agenda/trainer.js';
import { startApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { type Device, pushService } from './push-service.js';

const clock = new SetClock(new Date(on(9)(12)));
let trainer: Trainer;
let agenda: ReturnType<typeof agendaOf>;
let ana: string;
let student: Awaited<ReturnType<typeof studentAccount>>;

const database = await testDatabase();
const service = await pushService();
const app = await startApp({ clock, env: { PUSH_TEST_ORIGIN: service.origin }, byHand: [sendDuePushes] });

beforeEach(async () => {
  clock.at = new Date(on(9)(12));
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
  it("is notified of the trainer's actions, once for several of one command", async () => {
    const id = await book(20);
    await agenda.patch(id, { inicio: on(21)(9), fim: on(21)(10) });
    await agenda.cancel(id);
    await trainer.api.post('/charges', {
      student_id: ana,
      descricao: 'Pacote',
      valor: 45_000,
      vencimento: '2026-11-30',
    });
    await eventually(
      async () => (await own()).map(({ titulo, texto, lida }) => [titulo, texto, lida]),
      [
        ['Nova cobrança', 'R$\u00a0450,00, vence em 30/11/2026', false],
        ['Aula desmarcada', 'sáb., 21 de nov., 9:00', false],
        ['Aula remarcada', 'De sex., 20 de nov., 7:00 para sáb., 21 de nov., 9:00', false],
        ['Aula agendada', 'sex., 20 de nov., 7:00', false],
      ],
    );
    await trainer.api.post('/series', {
      student_id: ana,
      data: '2026-11-30',
      dias: [1, 4],
      hora: '07:00',
      duracao: 60,
      intervalo: 1,
      vezes: 4,
    });
    await eventually(() => titles(own()).then(([first]) => first), '4 aulas agendadas');
    expect(await list(trainer.api)).toEqual([]);
  });

  it('is not notified of actions that were undone unread, nor of any once the access has ended', async () => {
    const { id } = (
      await trainer.api.post('/charges', {
        student_id: ana,
        descricao: 'Pacote',
        valor: 45_000,
        vencimento: '2026-11-30',
      })
    ).body;
    await eventually(() => titles(own()), ['Nova cobrança']);
    await trainer.api.post(`/charges/${id}/cancel`);
    await eventually(() => titles(own()), []);
    await book(20);
    await eventually(() => titles(own()), ['Aula agendada']);
    await trainer.api.delete(`/students/${ana}/access`);
    const kept = () =>
      database.query('select id from notifications where tenant_id = $1', [trainer.tenantId]);
    await eventually(kept, []);
    await book(21);
    // Later events are projected, so this one was processed.
    const bia = await agenda.student('Bia Lima');
    const second = await studentAccount(app, trainer, bia, 'Bia');
    await agenda.book({ student_id: bia, inicio: on(22)(7), fim: on(22)(8) });
    await eventually(() => titles(list(second.api, '/student/notifications')), ['Aula agendada']);
    expect(await kept()).toHaveLength(1);
  });
});

describe('a trainer', () => {
  beforeEach(async () => {
    await trainer.api.put('/settings/student-booking', { ...defaultBooking, exige_credito: false });
  });

  it('is notified of actions of students, marks each or all as read, and gets hints on every screen', async () => {
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

  it('reads pages, and cannot read notifications of others', async () => {
    await book(20);
    await book(21);
    await eventually(() => unread(student.api, '/student/notifications'), 2);
    const path = '/student/notifications?limit=1';
    const { items, next } = (await student.api.get<NotificationPage>(path)).body;
    const more = (await student.api.get<NotificationPage>(`${path}&cursor=${next}`)).body;
    expect([items[0]!.texto, more.items[0]!.texto, more.next]).toEqual([
      'sáb., 21 de nov., 7:00',
      'sex., 20 de nov., 7:00',
      null,
    ]);
    await trainer.api.post(`/notifications/${items[0]!.id}/read`, undefined, { status: 404 });
    const bia = await studentAccount(app, trainer, await agenda.student('Bia Lima'), 'Bia');
    expect(await list(bia.api, '/student/notifications')).toEqual([]);
    await bia.api.post(`/student/notifications/${items[0]!.id}/read`, undefined, { status: 404 });
    await bia.api.post('/student/notifications/read', { ate: new Date().toISOString() });
    await trainer.api.post('/notifications/read', { ate: new Date().toISOString() });
    expect(await unread(student.api, '/student/notifications')).toBe(2);
  });

  it('reads nothing about forgotten people, nor anything older than 90 days', async () => {
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

describe('a device', () => {
  const settings: NotificationSettings = {
    push: ['aulas', 'pagamentos'],
    email: [],
    silencio: null,
    zona: 'America/Sao_Paulo',
  };
  const choose = (chosen: Partial<NotificationSettings>) =>
    student.api.put('/student/notification-settings', { ...settings, ...chosen });
  async function subscribed(answer?: Device['answer']): Promise<Device> {
    const device = service.device();
    if (answer) device.answer = answer;
    await student.api.put('/account/push', device.subscription);
    return device;
  }
  const deliveries = () =>
    database.query<{ id: string; outcome: string | null }>(
      'select id, outcome from push_deliveries where tenant_id = $1 order by created_at, id',
      [trainer.tenantId],
    );
  const outcomes = async () => (await deliveries()).map(({ outcome }) => outcome);
  const again = () => app.nest.get(PushSender).deliverDue();
  /** Waits until a push is put off until then, not only claimed. */
  async function putOffUntil(at: string): Promise<string> {
    const found = () =>
      database.query<{ id: string }>(
        'select id from push_deliveries where tenant_id = $1 and done_at is null and next_attempt_at = $2',
        [trainer.tenantId, at],
      );
    await eventually(async () => (await found()).length, 1);
    return (await found())[0]!.id;
  }

  it('gets texts for a locked screen, encrypted, from a sender that its push service recognises', async () => {
    const device = await subscribed();
    await trainer.api.post('/charges', {
      student_id: ana,
      descricao: 'Pacote',
      valor: 45_000,
      vencimento: '2026-11-30',
    });
    await eventually(() => Promise.resolve(device.arrived.length), 1);
    const [first] = device.arrived;
    expect(first).toMatchObject({
      message: {
        titulo: 'Nova cobrança',
        texto: 'Vence em 30/11/2026',
        endereco: `/aluno?personal=${trainer.tenantId}&aluno=${ana}`,
      },
      ttl: '86400',
      encoding: 'aes128gcm',
      claims: { aud: service.origin, sub: expect.stringMatching(/^mailto:\S+@\S+$/) },
    });
    const { chave } = (await student.api.get<PushKey>('/account/push')).body;
    expect(first!.key).toBe(chave);
    expect((await app.nest.get(PushKeys).pair()).publicKey).toBe(chave);
    const [row] = await database.query<{ sealed_key: Buffer }>('select sealed_key from vapid_key');
    const { privateKey } = await app.nest.get(PushKeys).pair();
    expect(row!.sealed_key.includes(Buffer.from(privateKey, 'base64url'))).toBe(false);
    const stored = await database.query<{ text: string }>(
      'select to_jsonb(p)::text as text from auth.push_subscriptions p',
    );
    expect(stored.filter(({ text }) => text.includes(device.subscription.endpoint))).toEqual([]);
    await again();
    expect(device.asked).toBe(1);
  });

  it('names the student and leads to the own page of each, for an account that is several', async () => {
    const beto = await agenda.student('Beto Souza');
    const { inviteUrl } = (await trainer.api.post<NewInvite>(`/students/${beto}/invites`)).body;
    await trainer.api.get(`/students/${beto}/access`);
    await student.api.post('/invites/accept', { token: inviteUrl.split('/').at(-1) });
    const device = await subscribed();
    await agenda.book({ student_id: beto, inicio: on(20)(9), fim: on(20)(10) });
    await eventually(() => Promise.resolve(device.arrived.length), 1);
    expect(device.arrived[0]!.message).toMatchObject({
      titulo: 'Beto · Aula agendada',
      endereco: `/aluno?personal=${trainer.tenantId}&aluno=${beto}`,
    });
    const seen = async (id: string) =>
      (
        await student.api.get<NotificationPage>('/student/notifications', {
          headers: { 'Rende-Student': id },
        })
      ).body.items;
    expect(await titles(seen(beto))).toEqual(['Aula agendada']);
    expect(await seen(ana)).toEqual([]);
    const unread = async () =>
      (await student.api.get<UnreadOfAccount>('/account/unread')).body.items.map(({ student_id, total }) => [
        student_id,
        total,
      ]);
    expect(new Map((await unread()) as [string, number][])).toEqual(
      new Map([
        [ana, 0],
        [beto, 1],
      ]),
    );
  });

  it('gets each push once, whoever sends it concurrently, and none in quiet hours', async () => {
    await choose({ silencio: { de: '22:00', ate: '07:00' } });
    clock.at = new Date(on(9)(23));
    const device = await subscribed();
    await book(20);
    const held = await putOffUntil(on(10)(7));
    clock.at = new Date(on(10)(6, 59));
    await again();
    expect(device.asked).toBe(0);
    clock.at = new Date(on(10)(7));
    const sender = app.nest.get(PushSender);
    await Promise.all([
      again(),
      again(),
      sender.deliver(trainer.tenantId, held),
      sender.deliver(trainer.tenantId, held),
    ]);
    await eventually(async () => [device.asked, await outcomes()], [1, ['sent']]);
  });

  it('gets a push again only if its push service has certainly not accepted it', async () => {
    const busy = await subscribed((response) => void response.writeHead(429, { 'retry-after': '120' }).end());
    await book(20);
    await putOffUntil(on(9)(12, 2));
    expect([busy.asked, await outcomes()]).toEqual([1, [null]]);
    busy.answer = (response) => void response.writeHead(201).end();
    clock.at = new Date(on(9)(12, 1));
    await again();
    expect(busy.asked).toBe(1);
    clock.at = new Date(on(9)(12, 2));
    await again();
    await eventually(async () => [busy.asked, await outcomes()], [2, ['sent']]);

    const silent = await subscribed((response) => void response.socket!.destroy());
    await book(21);
    await eventually(() => Promise.resolve([silent.asked, busy.asked]), [1, 3]);
    await eventually(outcomes, ['sent', 'sent', 'sent']);
    clock.at = new Date(on(9)(13));
    await again();
    expect(silent.asked).toBe(1);
  });

  it('gets a push again that was refused while the database failed to record that', async () => {
    await database.query(`create function refuse_record() returns trigger language plpgsql as
      $$ begin raise 'not now'; end $$`);
    await database.query(`create trigger refuse_record before update on push_deliveries for each row
      when (new.attempts = old.attempts and new.done_at is null) execute function refuse_record()`);
    const busy = await subscribed((response) => void response.writeHead(503, { 'retry-after': '120' }).end());
    await book(20);
    await eventually(() => Promise.resolve(busy.asked), 1);
    await database.query('drop function refuse_record cascade');
    await putOffUntil(on(9)(12, 2));
    busy.answer = (response) => void response.writeHead(201).end();
    clock.at = new Date(on(9)(12, 2));
    await again();
    await eventually(async () => [busy.asked, await outcomes()], [2, ['sent']]);
  });

  it('is skipped for a while if its push service does not answer', async () => {
    const silent = await subscribed((response) => void response.socket!.destroy());
    await book(20);
    await eventually(async () => [silent.asked, await outcomes()], [1, ['sent']]);
    silent.answer = (response) => void response.writeHead(201).end();
    await book(21);
    await putOffUntil(on(9)(12, 1));
    expect(silent.asked).toBe(1);
    clock.at = new Date(on(9)(12, 1));
    await again();
    expect([silent.asked, await outcomes()]).toEqual([2, ['sent', 'sent']]);
  });

  it('counts to the limit of its user, from any address', async () => {
    const left = async (address: string) =>
      (
        await student.api.put('/account/push', service.device().subscription, {
          headers: { 'X-Forwarded-For': address },
        })
      ).headers.get('ratelimit');
    expect(await left('10.1.1.1')).toContain('r=29');
    expect(await left('10.2.2.2')).toContain('r=28');
  });

  it('is removed once its push service does not know it, and gets nothing after the sign-out', async () => {
    const known = () =>
      database.query('select id from auth.push_subscriptions where user_id = $1', [student.userId]);
    const gone = await subscribed((response) => void response.writeHead(410).end());
    await book(20);
    await eventually(known, []);
    expect(gone.asked).toBe(1);
    const device = await subscribed();
    const unwanted = await subscribed();
    await student.api.post('/account/push/remove', { endpoint: unwanted.subscription.endpoint });
    expect(await known()).toHaveLength(1);
    await student.client.signOut();
    await book(21);
    await eventually(outcomes, ['dropped']);
    expect([device.asked, unwanted.asked]).toEqual([0, 0]);
  });

  it('gets nothing after quiet hours that its user has switched off meanwhile, or with an invalid key', async () => {
    await choose({ silencio: { de: '22:00', ate: '07:00' } });
    clock.at = new Date(on(9)(23));
    const device = await subscribed();
    await book(20);
    await putOffUntil(on(10)(7));
    await choose({ push: [] });
    clock.at = new Date(on(10)(7));
    await again();
    await eventually(outcomes, ['dropped']);
    await choose({});
    const noPoint = `B${'A'.repeat(86)}`;
    await student.api.put('/account/push', { ...device.subscription, p256dh: noPoint });
    await book(21);
    await eventually(outcomes, ['dropped', 'refused']);
    expect(device.asked).toBe(0);
  });

  it('can only have an address of a public push service', async () => {
    const { subscription } = service.device();
    const refused = async (endpoint: string, status = 422) =>
      (await student.api.put('/account/push', { ...subscription, endpoint }, { status })).body;
    for (const endpoint of [
      'http://push.example.com/a',
      'https://127.0.0.1/a',
      'https://10.0.0.1/a',
      'https://[::1]/a',
      'https://localhost/a',
      'https://169.254.169.254/a',
      'https://push.example.com:8443/a',
    ])
      await refused(endpoint);
    await refused('nonsense', 400);
    await refused('https://me@push.example.com/a', 400);
    await student.api.put('/account/push', { ...subscription, p256dh: 'short' }, { status: 400 });
  });

  it('gets the kinds that its user has chosen, who may get mails too', async () => {
    const read = async () =>
      (await student.api.get<NotificationSettings>('/student/notification-settings')).body;
    expect((await read()).email).toEqual(['creditos', 'lembretes']);
    const chosen = { push: ['pagamentos'], email: ['aulas'] } satisfies Partial<NotificationSettings>;
    await choose(chosen);
    expect(await read()).toEqual({ ...settings, ...chosen, desligados: [] });
    await choose({ ...chosen, desligados: ['vencimentos'] });
    await choose(chosen);
    expect((await read()).desligados).toEqual(['vencimentos']);
    const unknown = { ...settings, desligados: ['lembretes'] };
    await student.api.put('/student/notification-settings', unknown, { status: 400 });
    const device = await subscribed();
    await book(20);
    const mail = await nextMail(student.person.email);
    expect(mail.subject).toBe('Aula agendada');
    expect(mail.text).toMatch(
      /sex., 20 de nov., 7:00\s+Abrir no Rende:\s+http\S+\/aluno\?personal=[\w-]{36}&aluno=[\w-]{36}\s/,
    );
    expect([device.asked, await deliveries()]).toEqual([0, []]);
    await student.api.put('/student/notification-settings', { ...settings, zona: 'Mars' }, { status: 400 });
    const same = { de: '07:00', ate: '07:00' };
    await student.api.put('/student/notification-settings', { ...settings, silencio: same }, { status: 422 });
  });

  it('is no way around the limits of mails, which a student ends by the link in one, and of which there are few a day', async () => {
    await choose({ push: [], email: ['aulas'] });
    await book(20);
    const { text } = await nextMail(student.person.email);
    const token = /\/avisos\/([\w-]{60,})$/m.exec(text)![1]!;
    const notMailed = async () =>
      (
        await database.query<{ withheld: string }>(
          'select withheld from mail_ledger where tenant_id = $1 and withheld is not null order by recorded_at',
          [trainer.tenantId],
        )
      ).map(({ withheld }) => withheld);
    for (const day of [21, 22, 23, 24, 25, 26, 27, 28]) await book(day);
    await eventually(notMailed, ['enough']);
    const mailed = () =>
      database.query<{ sent: number }>(
        `select count(*)::int as sent from mails where tenant_id = $1 and address_hash = $2 and outcome = 'sent'`,
        [trainer.tenantId, app.nest.get(MailAddresses).hashOf(student.person.email)],
      );
    // A mail that has not left by then is withheld by the link, too.
    await eventually(mailed, [{ sent: 8 }]);
    clock.at = new Date(on(11)(12));
    await new Client(app.url).post('/letter-links', { token, ativo: false, alvo: 'personal' });
    await book(29);
    await eventually(notMailed, ['enough', 'asked']);
    expect(await mailed()).toEqual([{ sent: 8 }]);
  });
});
