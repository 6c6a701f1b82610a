import { randomUUID } from 'node:crypto';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ReminderJob } from '../../backend/modules/charges/reminders.job.js';
import type { LetterLink } from '../../backend/modules/notifications/letters.api.js';
import type { NotificationSettings } from '../../backend/modules/notifications/notification-settings.api.js';
import { type Mail, Outbox } from '../../backend/platform/mail/outbox.js';
import { studentAccount } from '../accounts/own-data.js';
import { caughtUp } from '../proof/read-tables.js';
import type { TestApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { nextMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';

const clock = new SetClock(new Date());
let database: TestDatabase;
let app: TestApp;
let trainer: Trainer;
let ana: string;
let address: string;

beforeAll(async () => {
  database = await testDatabase();
  app = await sharedApp(clock);
});
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
  await caughtUp(database);
  await app.nest.get(ReminderJob).run();
};
/** The token of the link at the foot of the next mail. */
const tokenOfNext = async () => {
  const { text } = await nextMail(address);
  return /\/avisos\/([\w-]{32})$/m.exec(text)![1]!;
};

it('students without an account switch off mails of a kind by the link in one, and on again', async () => {
  await remind();
  const token = await tokenOfNext();
  const off = { tipo: 'vencimentos', personal: 'Ana Personal', ativo: false };
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

it('a mail that was queued before there were such links gets one that works', async () => {
  const { id: subjectId } = (await trainer.api.post('/charges', { student_id: ana, ...due })).body;
  await caughtUp(database);
  const { tenantId } = trainer;
  const mail: Mail = { id: randomUUID(), kind: 'charges.reminder', tenantId, personId: ana, subjectId };
  const outbox = app.nest.get(Outbox);
  const links = () => database.query('select from letter_links where student_id = $1', [ana]);
  // Nothing remains of a student who is forgotten while the mail is written.
  expect(await outbox.storeLink(mail, (text, values) => database.query(text, values))).toBe(false);
  expect(await links()).toEqual([]);
  await database.query(
    'insert into mails (id, tenant_id, kind, person_id, subject_id) values ($1, $2, $3, $4, $5)',
    [mail.id, tenantId, mail.kind, ana, subjectId],
  );
  outbox.wake(mail.id);
  expect((await link(await tokenOfNext())).ativo).toBe(true);
});

it('a link is for one student and kind, is stored as a hash, and ends with the student', async () => {
  await remind();
  const token = await tokenOfNext();
  expect([await tap('x'.repeat(32)), await tap(`${token}x`)]).toEqual([404, 404]);
  await stranger().post('/letter-links', { token: 'x'.repeat(32), ativo: false }, { status: 404 });
  const stored = await database.query<{ text: string }>(
    `select to_jsonb(l)::text as text from letter_links l where tenant_id = $1
     union all select to_jsonb(k)::text from idempotency_keys k where tenant_id = $1`,
    [trainer.tenantId],
  );
  expect(stored.length).toBeGreaterThan(0);
  expect(stored.filter(({ text }) => text.includes(token))).toEqual([]);
  const other = await signUp(app);
  const bia = (await other.api.post('/students', { nome: 'Bia', whatsapp: '(11) 98877-6656' })).body.id;
  await tap(token);
  const off = await database.query(
    `select tenant_id, student_id, kind from letters_off where student_id in ($1, $2)`,
    [...[ana, bia]],
  );
  expect(off).toEqual([{ tenant_id: trainer.tenantId, student_id: ana, kind: 'vencimentos' }]);
  await trainer.api.post(`/students/${ana}/forget`);
  await link(token, 404);
  expect(await tap(token)).toBe(404);
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
