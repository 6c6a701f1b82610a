import { addDays } from 'date-fns';
import PostalMime from 'postal-mime';
import { beforeAll, beforeEach, expect, it } from '@jest/globals';
import { IntegrityChecks, integrityChecksDue } from '../../backend/modules/seals/integrity-checks.service.js';
import type { Integrity } from '../../backend/modules/seals/seals.api.js';
import { SealsJob, sealsDue } from '../../backend/modules/seals/seals.job.js';
import { startApp, type TestApp } from '../support/app.js';
import { SetClock } from '../support/clock.js';
import { type TestDatabase, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp, type Trainer } from '../support/people.js';
import { smtp, type TestSmtp } from '../support/smtp.js';

/** Noon in Brasília of a day in the month after the next one, so that what is set now was set before it. */
const at = (day: number, month: number) => {
  const now = new Date();
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 2 + month, day, 15));
};
const clock = new SetClock(new Date());
let month = 0;
let database: TestDatabase;
let server: TestSmtp;
let app: TestApp;
let trainer: Trainer;

beforeAll(async () => {
  database = await testDatabase();
  server = await smtp();
  const env = { SMTP_URL: server.url, MAILER_AUTOCONFIRM: 'true' };
  app = await startApp({ database, clock, byHand: [sealsDue, integrityChecksDue], env });
  app.nest.get(SealsJob).mostAheadMs = Infinity;
});

beforeEach(async () => {
  month += 1;
  trainer = await signUp(app);
  await database.query('update auth.users set email_confirmed_at = now() where email = $1', [trainer.email]);
  await trainer.api.put('/integrity/mail', { ativo: true });
});

/** The seals are made until this day, and mails sent. */
async function sealUntil(when: Date): Promise<void> {
  clock.at = when;
  await app.run(SealsJob);
  await app.run(IntegrityChecks);
  await eventually(async () => (await database.query('select from mails where done_at is null')).length, 0);
}

const mailsTo = ({ email }: Trainer) =>
  server.received.filter(
    ({ to, headers }) => to.includes(email) && /lacre/i.test(headers.get('subject') ?? ''),
  );
const shown = async () => (await trainer.api.get<Integrity>('/integrity')).body;

it('on the first of the month the result is mailed once, with the proof that the page offers', async () => {
  await sealUntil(at(1, month));
  const [check] = (await shown()).verificacoes;
  const { comprovante, registros } = check!.resultado!;
  const [, position, head] = comprovante!.folha.split(' ');
  const [mail, ...others] = mailsTo(trainer);
  expect(others).toEqual([]);
  const parsed = await PostalMime.parse(mail!.raw);
  expect(parsed.subject).toBe('Lacre do seu histórico: íntegro');
  const { day } = JSON.parse(comprovante!.registro) as { day: string };
  const text = parsed.text!.replace(/\s+/g, ' ');
  expect(text).toContain(`Conferimos ${registros} registros do seu histórico`);
  expect(text).toContain(`vai até o registro ${position}, com o código H-`);
  expect(text).toContain(`o resumo SHA-256 ${head}`);
  const [file] = parsed.attachments;
  expect(file).toMatchObject({ filename: `lacre-${day}.json`, mimeType: 'application/json' });
  expect(JSON.parse(Buffer.from(file!.content as ArrayBuffer).toString())).toEqual(comprovante);
  await sealUntil(at(2, month));
  expect(mailsTo(trainer)).toHaveLength(1);
  await sealUntil(at(1, month + 1));
  expect(mailsTo(trainer)).toHaveLength(2);
  month += 1;
});

it('the code in the mail is verified by anybody', async () => {
  await sealUntil(at(1, month));
  const { text } = await PostalMime.parse(mailsTo(trainer)[0]!.raw);
  const [code] = /H-[\dA-Z-]{19}/.exec(text!)!;
  const page = await fetch(`${app.url}/verificar/${code}`);
  expect([page.status, await page.text()]).toEqual([
    200,
    expect.stringContaining('Registro do lacre confere'),
  ]);
});

it('a first day that was missed is made up for, and one who began in the month waits for the next', async () => {
  await sealUntil(at(20, month));
  expect(mailsTo(trainer)).toHaveLength(1);
  await trainer.api.put('/integrity/mail', { ativo: false });
  await trainer.api.put('/integrity/mail', { ativo: true });
  expect((await shown()).por_email).toBe(true);
  await database.query('update read.seal_mails set desde = $2 where tenant_id = $1', [
    trainer.tenantId,
    addDays(at(1, month + 1), 3),
  ]);
  await sealUntil(at(20, month + 1));
  expect(mailsTo(trainer)).toHaveLength(1);
  month += 1;
});

it('who does not want it, or whose address is not confirmed, gets none; a setting that stays records nothing', async () => {
  const unconfirmed = await signUp(app);
  await unconfirmed.api.put('/integrity/mail', { ativo: true });
  await database.query('update auth.users set email_confirmed_at = null where email = $1', [
    unconfirmed.email,
  ]);
  expect((await shown()).por_email).toBe(true);
  for (const ativo of [true, false, false]) await trainer.api.put('/integrity/mail', { ativo });
  expect((await shown()).por_email).toBe(false);
  const events = await database.query(`select from events where tenant_id = $1 and type = 'SealMailSet'`, [
    trainer.tenantId,
  ]);
  expect(events).toHaveLength(2);
  await sealUntil(at(1, month));
  expect([mailsTo(trainer), mailsTo(unconfirmed)]).toEqual([[], []]);
});

it('who switches it off, or whose account ends, while it is waiting gets none', async () => {
  const other = await signUp(app);
  await other.api.put('/integrity/mail', { ativo: true });
  await database.query('update auth.users set email_confirmed_at = now() where email = $1', [other.email]);
  const { tenantId } = trainer;
  const ids = [trainer, other].map((each) => each.tenantId);
  clock.at = at(1, month);
  server.refusals.push(...Array.from({ length: 100 }, () => 450));
  await app.run(SealsJob);
  const waiting = () =>
    database.query(
      `select from mails where tenant_id = any($1) and attempts > 0 and claimed_until is null and done_at is null`,
      [ids],
    );
  await eventually(async () => (await waiting()).length, 2);
  server.refusals.length = 0;
  await trainer.api.put('/integrity/mail', { ativo: false });
  await database.query('delete from memberships where tenant_id = $1', [other.tenantId]);
  await eventually(
    async () => (await database.query('select from read.seal_mails where tenant_id = $1', [tenantId])).length,
    0,
  );
  await database.query('update mails set next_attempt_at = now()');
  await sealUntil(at(1, month));
  expect([mailsTo(trainer), mailsTo(other)]).toEqual([[], []]);
});

it('a log that was changed is said so in the subject, and what was found', async () => {
  await sealUntil(at(1, month));
  await database.query('alter table events disable trigger user');
  await database.query(`update events set data = data || '{"x": 1}' where tenant_id = $1 and position = 2`, [
    trainer.tenantId,
  ]);
  await database.query('alter table events enable trigger user');
  await sealUntil(at(1, month + 1));
  const { subject, text } = await PostalMime.parse(mailsTo(trainer)[1]!.raw);
  expect(subject).toBe('Lacre do seu histórico: alteração encontrada');
  expect(text).toContain('Registro 2: o evento não confere com o seu hash.');
});
