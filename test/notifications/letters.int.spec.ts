import { beforeEach, expect, it } from '@jest/globals';
import { chargeReminders } from '../../backend/modules/charges/reminders.job.js';
import type { LetterLink } from '../../backend/modules/letters/letters.api.js';
import type { NotificationSettings } from '../../backend/modules/letters/notification-settings.api.js';
import type { Reminders } from '../../backend/modules/charges/receivables.api.js';
import type { ReminderList } from '../../backend/modules/reminders/reminders.api.js';
import type { KnownStudent } from '../../backend/modules/students/students.api.js';
import { MailAddresses } from '../../backend/platform/mail/mail-addresses.js';
import { VISITS } from '../../backend/platform/mail/outbox.js';
import { studentAccount } from '../accounts/own-data.js';
import { caughtUp } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { nextMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';

const HOOK = 'a-secret-of-the-mail-server';
const clock = new SetClock(new Date());
let trainer: Trainer;
let ana: string;
let address: string;

const database = await testDatabase();
const app = await startApp({ clock, env: { MAIL_HOOK_SECRET: HOOK } });
beforeEach(async () => {
  // 10:00 in São Paulo.
  clock.at = new Date('2026-11-21T13:00:00Z');
  trainer = await signUp(app);
  const email = `ana-${trainer.tenantId}@exemplo.com.br`;
  ana = (await trainer.api.post('/students', { nome: 'Ana Souza', whatsapp: '(11) 98877-6655', email })).body
    .id;
  address = email;
});

const stranger = () => new Client(app.url);
const link = async (token: string, status = 200) =>
  (await stranger().get<LetterLink>(`/letter-links/${token}`, { status })).body;
const post = async (token: string, body: URLSearchParams | FormData | string) =>
  (await fetch(`${app.url}/avisos/${token}`, { method: 'POST', body })).status;
const fields = (values: Record<string, string> = { 'List-Unsubscribe': 'One-Click' }) =>
  new URLSearchParams(values);
const tap = (token: string) => post(token, fields());
/** The number of mails about a due charge that were sent to her so far. */
const letters = async () =>
  (await database.query(`select from mails where person_id = $1 and kind = 'charges.reminder'`, [ana]))
    .length;
const due = { descricao: 'Aula', valor: 5_000, vencimento: '2026-11-21' };
const remind = async () => {
  await trainer.api.post('/charges', { student_id: ana, ...due });
  await app.run(chargeReminders.Handler);
};
/** The token of the link at the foot of the next mail. */
const tokenOfNext = async () => {
  const { text } = await nextMail(address);
  return /\/avisos\/([\w-]{60,})$/m.exec(text)![1]!;
};

it('students without an account switch off mails of a kind by the link in one, and on again', async () => {
  await remind();
  const token = await tokenOfNext();
  const off = {
    tipo: 'vencimentos',
    personal: 'Ana Personal',
    ativo: false,
    personal_ativo: true,
  };
  // Reading the page, as mail programs and scanners do, changes nothing.
  for (const method of ['GET', 'HEAD', 'OPTIONS']) await fetch(`${app.url}/avisos/${token}`, { method });
  const twice = new FormData();
  for (const value of ['One-Click', 'One-Click']) twice.append('List-Unsubscribe', value);
  const refused = [fields({ a: 'b' }), fields({ 'List-Unsubscribe': 'x' }), new FormData(), twice];
  for (const body of refused) expect(await post(token, body)).toBe(400);
  expect(await post(token, '{"List-Unsubscribe":"One-Click"}')).toBe(415);
  expect(await link(token)).toEqual({ ...off, ativo: true });
  const form = new FormData();
  form.append('List-Unsubscribe', 'One-Click');
  expect([await post(token, form), await tap(token)]).toEqual([204, 204]);
  expect(await link(token)).toEqual(off);
  clock.at = new Date('2026-11-24T13:00:00Z');
  const before = await letters();
  await remind();
  expect(await letters()).toBe(before);

  await stranger().post('/letter-links', { token, ativo: true });
  expect((await link(token)).ativo).toBe(true);
  await remind();
  expect(await letters()).toBe(before + 1);
  expect(await tokenOfNext()).toBe(token);
});

it('by a mail from before they were merged into another record, they switch off the mails to both', async () => {
  await remind();
  const token = await tokenOfNext();
  const stays = (await trainer.api.post('/students', { nome: 'Ana', whatsapp: '(11) 98877-6655' })).body.id;
  await trainer.api.post(`/students/${stays}/merge`, { com: ana });
  clock.at = new Date('2026-11-24T13:00:00Z');
  const sent = async () => {
    await trainer.api.post('/charges', { student_id: stays, ...due });
    await app.run(chargeReminders.Handler);
    return (await database.query('select from mails where person_id = $1', [stays])).length;
  };
  expect(await tap(token)).toBe(204);
  expect([(await link(token)).ativo, await sent()]).toEqual([false, 0]);
  await stranger().post('/letter-links', { token, ativo: true });
  expect([(await link(token)).ativo, await sent()]).toEqual([true, 1]);
});

const unsent = async () => (await trainer.api.get<ReminderList>('/reminders')).body.retidos;
const stopOf = async () => (await trainer.api.get<KnownStudent>(`/students/${ana}`)).body.email_parado;

it('all mails of a trainer end by the link in any of them, until the person wants them again', async () => {
  await remind();
  const token = await tokenOfNext();
  const say = (ativo: boolean) => stranger().post('/letter-links', { token, ativo, alvo: 'personal' });
  await say(false);
  expect(await link(token)).toMatchObject({ ativo: true, personal_ativo: false });
  expect(await stopOf()).toBe('asked');
  const other = (await signUp(app)).api;
  const { id } = (await other.post('/students', { nome: 'Ana', whatsapp: '(11) 98877-6655', email: address }))
    .body;
  await caughtUp(database);
  expect((await other.get<KnownStudent>(`/students/${id}`)).body.email_parado).toBeNull();
  clock.at = new Date('2026-11-24T13:00:00Z');
  const before = await letters();
  await remind();
  expect(await letters()).toBe(before);
  await say(true);
  await remind();
  expect(await letters()).toBe(before + 1);
});

it.each([
  ['enough', 8, () => address],
  ['allowance', 300, () => 'outro@exemplo.com.br'],
])(
  'a mail over a limit (%s) is neither announced nor sent, and stands under Lembretes',
  async (motivo, sent, to) => {
    const { tenantId, api } = trainer;
    await database.query(
      `insert into mail_ledger (tenant_id, person_id, address_hash, cause, at)
     select $1, gen_random_uuid(), $2, 'trainer', $3 from generate_series(1, $4::int)`,
      [tenantId, app.nest.get(MailAddresses).hashOf(to()), clock.at, sent],
    );
    const before = await letters();
    await remind();
    expect(await letters()).toBe(before);
    expect((await api.get<Reminders>('/receivables/reminders')).body.items).toHaveLength(1);
    expect((await api.get<ReminderList>('/reminders')).body.retidos).toEqual([
      { student_id: ana, nome: 'Ana Souza', coisa: 'cobranca', motivo },
    ]);
    clock.at = new Date('2026-11-22T13:00:00Z');
    await remind();
    expect(await letters()).toBe(before + 1);
  },
);

/** What the mail server hands over about the mail with this link. */
const cameBack = async (kind: string, said: string, token: string, secret = HOOK, rest = '') => {
  const lines = [
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${kind}; boundary="b"`,
    '',
    '--b',
    `Content-Type: message/${kind}`,
    '',
    said,
    '--b',
    'Content-Type: text/rfc822-headers',
    '',
    `List-Unsubscribe: <${app.url}/avisos/${token}>`,
    '',
    rest,
    '--b--',
    '',
  ];
  const headers = { 'Content-Type': 'message/rfc822', Authorization: `Bearer ${secret}` };
  const sent = await fetch(`${app.url}/hooks/mail`, { method: 'POST', headers, body: lines.join('\r\n') });
  return sent.status;
};
it('a mail that came back ends the mails to that address until the trainer corrects it', async () => {
  await remind();
  const token = await tokenOfNext();
  const bounce = ['delivery-status', 'Action: failed\r\nStatus: 5.1.1'] as const;
  expect(await cameBack(...bounce, token, `${HOOK}s`)).toBe(401);
  expect(await cameBack(...bounce, `${token}x`)).toBe(204);
  expect(await cameBack('delivery-status', 'Action: delayed\r\nStatus: 4.4.1', token)).toBe(204);
  expect([await stopOf(), await unsent()]).toEqual([null, []]);
  expect(await cameBack(...bounce, token, HOOK, 'A mail with a photo.\r\n'.repeat(100_000))).toBe(204);
  expect(await stopOf()).toBe('bounced');
  expect(await unsent()).toEqual([
    { student_id: ana, nome: 'Ana Souza', coisa: 'cobranca', motivo: 'bounced' },
  ]);
  clock.at = new Date('2026-11-24T13:00:00Z');
  const before = await letters();
  await remind();
  expect(await letters()).toBe(before);
  await trainer.api.patch(`/students/${ana}`, { email: `nova-${address}` });
  await remind();
  expect([await letters(), await stopOf(), await unsent()]).toEqual([before + 1, null, []]);
});

/** How many mails the trainer may send in a day, so many days from now. */
const allowance = async (days = 0, cause = 'trainer') => {
  const [row] = await database.query<{ allowance: number }>(
    `select allowance from mail_standing($1, '', null, $3, now() + $2 * interval '1 day')`,
    [trainer.tenantId, days, cause],
  );
  return row!.allowance;
};

it('mails of a day count by what caused them, and to one address those of trainer and visitors together', async () => {
  const hash = app.nest.get(MailAddresses).hashOf(address);
  await database.query(
    `insert into mail_ledger (tenant_id, address_hash, cause, at)
     select $1, $2, unnest(array['trainer', 'trainer', 'trainer', 'visitor', 'visitor', 'code']), $3`,
    [trainer.tenantId, hash, clock.at],
  );
  const counted = async (cause: string) =>
    database.query(`select to_address, today from mail_standing($1, $2, null, $3, $4)`, [
      trainer.tenantId,
      hash,
      cause,
      clock.at,
    ]);
  expect(await counted('trainer')).toEqual([{ to_address: 5, today: 3 }]);
  expect(await counted('visitor')).toEqual([{ to_address: 5, today: 2 }]);
  expect(await counted('code')).toEqual([{ to_address: 1, today: 1 }]);
});

it('accounts of students raise the number of mails once their address is proven or they are a day old', async () => {
  const before = await allowance(2);
  const { userId } = await studentAccount(app, trainer, ana, 'Ana Souza');
  expect([await allowance(), await allowance(2)]).toEqual([20, before + 5]);
  await database.query('update auth.users set email_proven = true where id = $1', [userId]);
  expect(await allowance()).toBe(25);
});

it('a complaint ends the mails of the trainer, and lowers the number that may be sent, until it is taken back', async () => {
  await remind();
  const token = await tokenOfNext();
  const before = await allowance();
  expect([before, await allowance(3), await allowance(40)]).toEqual([20, 50, 300]);
  await cameBack('feedback-report', 'Feedback-Type: abuse', token);
  expect([await stopOf(), await allowance()]).toEqual(['complained', before - 5]);
  expect(await link(token)).toMatchObject({ ativo: true, personal_ativo: false });
  await stranger().post('/letter-links', { token, ativo: true, alvo: 'personal' });
  expect([await stopOf(), await allowance()]).toEqual([null, before]);

  // Anybody may type addresses into the page for visitors: that lowers only the number of mails that visitors cause.
  const typed = { tenantId: trainer.tenantId, personId: ana, kind: VISITS };
  const addresses = app.nest.get(MailAddresses);
  const typedToken = (to: string) => addresses.tokenOf({ ...typed, addressHash: addresses.hashOf(to) });
  await cameBack('feedback-report', 'Feedback-Type: abuse', typedToken(address));
  await tap(typedToken(`outro-${address}`));
  expect(await stopOf()).toBe('complained');
  expect([await allowance(), await allowance(0, 'visitor')]).toEqual([before, before - 10]);
});

it('a link is for one student and kind, is not stored, and tells nothing of a student who was forgotten', async () => {
  await remind();
  const token = await tokenOfNext();
  expect([await tap('x'.repeat(32)), await tap(`${token}x`)]).toEqual([404, 404]);
  await stranger().post('/letter-links', { token: 'x'.repeat(32), ativo: false }, { status: 404 });
  const stored = await database.query<{ text: string }>(
    'select to_jsonb(k)::text as text from idempotency_keys k where tenant_id = $1',
    [trainer.tenantId],
  );
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.filter(({ text }) => text.includes(token))).toEqual([]);
  const other = await signUp(app);
  const bia = (await other.api.post('/students', { nome: 'Bia', whatsapp: '(11) 98877-6656' })).body.id;
  await tap(token);
  const off = await database.query(
    `select tenant_id, student_id, kind from letters_off where student_id in ($1, $2)`,
    [ana, bia],
  );
  expect(off).toEqual([{ tenant_id: trainer.tenantId, student_id: ana, kind: 'vencimentos' }]);
  await trainer.api.post(`/students/${ana}/forget`);
  expect(await tap(token)).toBe(204);
  await caughtUp(database);
  expect((await link(token)).tipo).toBeNull();
  expect(await database.query('select from letters_off where student_id = $1', [ana])).toEqual([]);
});

it('a link and the settings of a later account change the same choices', async () => {
  await remind();
  const token = await tokenOfNext();
  await tap(token);
  const { api } = await studentAccount(app, trainer, ana, 'Ana Souza');
  const choices = async () => (await api.get<NotificationSettings>('/student/notification-settings')).body;
  expect((await choices()).desligados).toEqual(['vencimentos']);
  await api.put('/student/notification-settings', { ...(await choices()), desligados: ['assinaturas'] });
  expect((await choices()).desligados).toEqual(['assinaturas']);
  expect((await link(token)).ativo).toBe(true);
  await api.put('/student/notification-settings', { ...(await choices()), desligados: ['vencimentos'] });
  expect((await link(token)).ativo).toBe(false);
  await stranger().post('/letter-links', { token, ativo: true });
  expect((await choices()).desligados).toEqual([]);
  expect((await link(token)).ativo).toBe(true);
});
