import { randomUUID } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Injectable, Module, type OnModuleInit } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import { Database } from '../../backend/platform/database/database.js';
import { createApp } from '../../backend/platform/http/create-app.js';
import { DevMailController } from '../../backend/platform/mail/dev-mail.controller.js';
import { FolderPost } from '../../backend/platform/mail/folder-post.js';
import type { Letter } from '../../backend/platform/mail/letter.js';
import { MailAddresses } from '../../backend/platform/mail/mail-addresses.js';
import { type Mail, Outbox, VISITS } from '../../backend/platform/mail/outbox.js';
import { connect, createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { mailFolder } from '../support/mail.js';
import { describeWithRedis } from '../support/needs.js';
import { privatePort } from '../support/ports.js';
import { redis } from '../support/redis.js';
import { smtp, type TestSmtp } from '../support/smtp.js';
import { configFor } from './platform.js';
import { ProbeModule } from './probe.js';

const KIND = 'test.letter';
const TO_STUDENT = 'test.to-student';
const letters = new Map<string, Letter>();

@Injectable()
class Letters implements OnModuleInit {
  constructor(private readonly outbox: Outbox) {}

  onModuleInit(): void {
    this.outbox.define(KIND, ({ subjectId }) => Promise.resolve(letters.get(subjectId) ?? null));
    const toStudent = ({ subjectId }: Mail) => Promise.resolve(letters.get(subjectId) ?? null);
    this.outbox.define(TO_STUDENT, toStudent, VISITS);
  }
}

@Module({ providers: [Letters] })
class LettersModule {}

let database: TestDatabase;
const open: { close(): Promise<void> }[] = [];
beforeEach(async () => {
  database = await createDatabase();
});
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
});

async function startMail(env: Record<string, string>) {
  const config = configFor(database, { MAIL_FOLDER: mailFolder(), ...env });
  const app = await createApp({ modules: [ProbeModule, LettersModule], config, frontend: 'no-such-folder' });
  open.push(app);
  await (config.roles.has('api') ? app.listen(0, '127.0.0.1') : app.init());
  const outbox = app.get(Outbox);
  /** Puts a letter into the outbox, as a module does. */
  const post = async (letter: Partial<Letter> = {}, personId = randomUUID()): Promise<string> => {
    const id = randomUUID();
    letters.set(id, {
      to: 'ana@exemplo.com.br',
      subject: 'Confirme sua conta',
      paragraphs: ['Olá, Ana!'],
      ...letter,
    });
    await app
      .get(Database)
      .transact((query) => outbox.put(query, { id, tenantId: null, kind: KIND, personId, subjectId: id }));
    outbox.wake(id);
    return id;
  };
  return { app, outbox, post };
}

const outcomes = async (): Promise<(string | null)[]> =>
  (await database.query<{ outcome: string | null }>('select outcome from mails order by created_at')).map(
    ({ outcome }) => outcome,
  );
const attempts = async (): Promise<number[]> =>
  (await database.query<{ attempts: number }>('select attempts from mails order by created_at')).map(
    (row) => row.attempts,
  );
/** Makes all mails that wait for their next attempt due now. */
async function sendWaiting({ outbox }: { outbox: Outbox }): Promise<void> {
  const waiting = await database.query<{ id: string }>(
    'update mails set next_attempt_at = now() where done_at is null and claimed_until is null returning id',
  );
  for (const { id } of waiting) outbox.wake(id);
}
const idsOf = ({ received }: TestSmtp) => received.map(({ headers }) => headers.get('message-id'));

describe('a mail', () => {
  it('reaches the mail server as text and HTML, under a Message-ID of its own', async () => {
    const server = await smtp();
    const { post } = await startMail({ SMTP_URL: server.url, SITE_URL: 'https://rende.example' });

    const id = await post({
      subject: 'Confirmação é preciso',
      paragraphs: ['Olá, Ana & <Bia>!'],
      code: '123456',
      button: { label: 'Confirmar', url: 'https://rende.example/x?a=1&b=2' },
      footnote: 'Vale por 10 minutos.',
      unsubscribe: 'https://rende.example/avisos/x',
    });

    await eventually(outcomes, ['sent']);
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: 'nao-responda@rende.example', to: ['ana@exemplo.com.br'] });
    expect(Object.fromEntries(mail!.headers)).toMatchObject({
      'message-id': `<${id}@rende.example>`,
      from: 'Rende <nao-responda@rende.example>',
      to: 'ana@exemplo.com.br',
      subject: 'Confirmação é preciso',
      'auto-submitted': 'auto-generated',
      'list-unsubscribe': '<https://rende.example/avisos/x>',
      'list-unsubscribe-post': 'List-Unsubscribe=One-Click',
      'content-type': expect.stringMatching(/^multipart\/alternative/),
    });
    const [text, html] = mail!.body.split('Content-Type: text/html');
    expect(text).toContain(
      'Olá, Ana & <Bia>!\n\nCódigo: 123456\n\nConfirmar:\nhttps://rende.example/x?a=1&b=2',
    );
    expect(html).toContain('Olá, Ana &amp; &lt;Bia&gt;!');
    expect(html).toContain('href="https://rende.example/x?a=1&amp;b=2"');
    expect(html).toContain('Vale por 10 minutos.');
    for (const shown of [text, html]) expect(shown).toContain('https://rende.example/avisos/x');
  });

  it('to a student has a link that ends such mails, and none is sent after its server refused one, nor to another address', async () => {
    const server = await smtp();
    const { app, outbox } = await startMail({ SMTP_URL: server.url, SITE_URL: 'https://rende.example' });
    const { hashOf } = app.get(MailAddresses);
    const tenantId = randomUUID();
    const mail = async (to: string, decided = to) => {
      const id = randomUUID();
      letters.set(id, { to, subject: 'Recibo', paragraphs: ['Veja https://evil.example/pix'] });
      const whose = { personId: randomUUID(), addressHash: hashOf(decided) };
      const row: Mail = { id, kind: TO_STUDENT, tenantId, subjectId: id, ...whose };
      await outbox.put((text, values) => database.query(text, values), row);
      outbox.wake(id);
    };

    await mail('ana@exemplo.com.br');
    await eventually(outcomes, ['sent']);
    const { headers, body } = server.received[0]!;
    expect(headers.get('list-unsubscribe')).toMatch(/^<https:\/\/rende\.example\/avisos\/[\w-]{60,}>$/);
    expect(headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(body).toContain('Veja [link removido]');

    server.refusals.push(550);
    await mail('bia@exemplo.com.br');
    await eventually(outcomes, ['sent', 'refused']);
    await mail('Bia@exemplo.com.br');
    await eventually(outcomes, ['sent', 'refused', 'dropped']);
    // The address changed after it was decided.
    await mail('ana@exemplo.com.br', 'outra@exemplo.com.br');
    await eventually(outcomes, ['sent', 'refused', 'dropped', 'dropped']);
    const noted = await database.query(
      'select withheld, thing from mail_ledger where tenant_id = $1 order by recorded_at',
      [tenantId],
    );
    expect(noted).toEqual(
      ['bounced', 'bounced', 'failed'].map((withheld) => ({ withheld, thing: TO_STUDENT })),
    );
    expect(await database.query('select cause from mail_stops where tenant_id = $1', [tenantId])).toEqual([
      { cause: 'visitor' },
    ]);
  });

  it('has one recipient and one subject, whatever characters its texts contain', async () => {
    const server = await smtp();
    const { post } = await startMail({ SMTP_URL: server.url });

    await post({ subject: 'Olá\r\nBcc: x@exemplo.com\r\n\r\ncorpo' });

    await eventually(outcomes, ['sent']);
    const [mail] = server.received;
    expect(mail!.to).toEqual(['ana@exemplo.com.br']);
    expect([...mail!.headers.keys()]).not.toContain('bcc');
    expect([...mail!.headers.keys()]).not.toContain('list-unsubscribe');
    expect(mail!.headers.get('subject')).toBe('Olá Bcc: [link removido]  corpo');
  });

  it('is not sent if its event was not recorded, nor twice for one occasion', async () => {
    const server = await smtp();
    const { app, outbox, post } = await startMail({ SMTP_URL: server.url });
    const mail = { id: randomUUID(), tenantId: null, kind: KIND, personId: null, subjectId: randomUUID() };
    letters.set(mail.subjectId, { to: 'bia@exemplo.com.br', subject: 'Nunca', paragraphs: [] });

    await expect(
      app.get(Database).transact(async (query) => {
        await outbox.put(query, mail);
        throw new Error('no fact');
      }),
    ).rejects.toThrow('no fact');
    outbox.wake(mail.id);
    const id = await post();
    await eventually(outcomes, ['sent']);
    await app.get(Database).transact((query) => outbox.put(query, { ...mail, id }));
    outbox.wake(id);
    await post();

    await eventually(outcomes, ['sent', 'sent']);
    expect(server.received.map(({ to }) => to[0])).toEqual(['ana@exemplo.com.br', 'ana@exemplo.com.br']);
  });

  it('is dropped when its reason no longer exists', async () => {
    const server = await smtp();
    const { app, outbox } = await startMail({ SMTP_URL: server.url });
    const id = randomUUID();

    await outbox.put(app.get(Database).query, {
      id,
      tenantId: null,
      kind: KIND,
      personId: null,
      subjectId: id,
    });
    outbox.wake(id);

    await eventually(outcomes, ['dropped']);
    expect(server.received).toEqual([]);
  });
});

describe('a mail server', () => {
  it('that is dead delays mails, and neither loses nor doubles them', async () => {
    const port = await privatePort();
    const mail = await startMail({ SMTP_URL: `smtp://127.0.0.1:${port}` });
    const ids = [await mail.post(), await mail.post()];
    await eventually(attempts, [1, 1]);
    expect(await outcomes()).toEqual([null, null]);

    const server = await smtp(port);
    await eventually(async () => {
      await sendWaiting(mail);
      return outcomes();
    }, ['sent', 'sent']);

    expect(idsOf(server).sort()).toEqual(ids.map((id) => `<${id}@localhost>`).sort());
  });

  it('that asks to come back later is asked again, one that refuses the recipient is not', async () => {
    const server = await smtp();
    const mail = await startMail({ SMTP_URL: server.url });
    server.refusals.push(450);
    await mail.post();
    await eventually(attempts, [1]);
    await eventually(async () => {
      await sendWaiting(mail);
      return outcomes();
    }, ['sent']);
    expect(await attempts()).toEqual([2]);

    server.refusals.push(550);
    await mail.post();

    await eventually(outcomes, ['sent', 'refused']);
    expect(server.received).toHaveLength(1);
  });

  it('is tried ever less often, for three days', async () => {
    const mail = await startMail({ SMTP_URL: `smtp://127.0.0.1:${await privatePort()}` });
    const id = await mail.post();
    const wait = async () => {
      const [row] = await database.query<{ seconds: number }>(
        'select round(extract(epoch from next_attempt_at - now()))::int as seconds from mails where claimed_until is null',
      );
      return row?.seconds ?? 0;
    };
    await eventually(async () => (await wait()) > 25, true);
    expect(await wait()).toBeLessThanOrEqual(30);
    await database.query('update mails set attempts = 20');
    await sendWaiting(mail);
    await eventually(async () => (await wait()) > 1_700, true);
    expect(await outcomes()).toEqual([null]);

    await database.query("update mails set created_at = now() - interval '3 days' where id = $1", [id]);
    await sendWaiting(mail);
    await eventually(outcomes, ['given up']);
  });
});

describe('workers', () => {
  it('share the mails: each is sent once', async () => {
    const server = await smtp();
    const [one, two] = [await startMail({ SMTP_URL: server.url }), await startMail({ SMTP_URL: server.url })];

    const ids = await Promise.all(Array.from({ length: 30 }, (_, n) => (n % 2 ? one : two).post()));

    await eventually(outcomes, Array<string>(30).fill('sent'));
    expect(idsOf(server).sort()).toEqual(ids.map((id) => `<${id}@localhost>`).sort());
  });

  it('do not send a mail that another worker is sending, unless that worker is gone for long', async () => {
    const server = await smtp();
    const idle = await startMail({ SMTP_URL: server.url, RENDE_ROLES: 'api' });
    await idle.post();
    await database.query("update mails set claimed_until = now() + interval '1 minute', attempts = 1");

    const { post } = await startMail({ SMTP_URL: server.url });
    await post();
    await eventually(outcomes, [null, 'sent']);
    expect(server.received).toHaveLength(1);

    await database.query(
      "update mails set claimed_until = now() - interval '1 second' where done_at is null",
    );
    await eventually(outcomes, ['sent', 'sent']);
    expect(server.received).toHaveLength(2);
  });

  it('do not send a mail again that the server accepted while the database was not available', async () => {
    const server = await smtp();
    await database.query(`
      create function refuse_record() returns trigger language plpgsql as $$ begin raise 'not now'; end $$;
      create trigger refuse_record before update on mails for each row when (new.outcome = 'sent')
        execute function refuse_record()`);
    const { post } = await startMail({ SMTP_URL: server.url });
    await post();
    await eventually(() => Promise.resolve(server.received.length), 1);
    expect(await outcomes()).toEqual([null]);

    await database.query('drop trigger refuse_record on mails');

    await eventually(outcomes, ['sent']);
    expect(server.received).toHaveLength(1);
    expect(await attempts()).toEqual([1]);
  });
});

describeWithRedis('jobs over Redis', () => {
  it('send mails too', async () => {
    const server = await smtp();
    const { url } = await redis();
    const { post } = await startMail({ SMTP_URL: server.url, REDIS_URL: url });

    await post();

    await eventually(outcomes, ['sent']);
    expect(server.received).toHaveLength(1);
  });
});

describe('without a mail server', () => {
  const origin = async ({ app }: Awaited<ReturnType<typeof startMail>>) => app.getUrl();

  it('mails become files that only their owner reads, named by ids', async () => {
    const { post } = await startMail({});

    const id = await post({ code: '654321' });

    await eventually(outcomes, ['sent']);
    const names = (await readdir(mailFolder())).filter((name) => name.startsWith(id));
    expect(names.sort()).toEqual([`${id}.html`, `${id}.txt`]);
    const text = await readFile(join(mailFolder(), `${id}.txt`), 'utf8');
    expect(text).toContain(
      'Para: ana@exemplo.com.br\nAssunto: Confirme sua conta\n\nOlá, Ana!\n\nCódigo: 654321',
    );
    expect((await stat(join(mailFolder(), `${id}.txt`))).mode & 0o777).toBe(0o600);
  });

  it('are shown on a page outside production', async () => {
    const mail = await startMail({ RENDE_ROLES: 'api,worker' });
    const id = await mail.post({ subject: 'Olá <b>' });
    await eventually(outcomes, ['sent']);
    const url = await origin(mail);

    const list = await fetch(`${url}/dev/mail`);
    expect(list.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(list.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(await list.text()).toContain(`<a href="/dev/mail/${id}">Olá &lt;b&gt;</a>`);
    expect(await (await fetch(`${url}/dev/mail/${id}`)).text()).toContain('Olá, Ana!');
    for (const missing of [randomUUID(), '..%2f..%2fpackage.json'])
      expect((await fetch(`${url}/dev/mail/${missing}`)).status).toBeGreaterThanOrEqual(400);
  });

  it.each([
    ['in production', { NODE_ENV: 'production' }],
    ['with a mail server', { SMTP_URL: 'smtp://127.0.0.1:9' }],
  ])('there is no such page %s', async (_where, env) => {
    const url = await origin(await startMail({ RENDE_ROLES: 'api', ...env }));

    expect((await fetch(`${url}/dev/mail`)).status).toBe(404);
  });

  it('the page is for this machine, whatever a proxy says', async () => {
    const page = new DevMailController(new FolderPost(configFor(database, { MAIL_FOLDER: mailFolder() })));
    const from = (remoteAddress: string) =>
      ({ ip: '127.0.0.1', socket: { remoteAddress } }) as FastifyRequest;

    await expect(page.list(from('10.0.0.7'))).rejects.toThrow('not_found');
    await expect(page.show(randomUUID(), from('127.evil.example'))).rejects.toThrow('not_found');
    expect(await page.list(from('::ffff:127.0.0.1'))).toContain('E-mails');
  });
});

it('a forgotten person has no mails any more, sent or not', async () => {
  const { outbox, post } = await startMail({});
  const [forgotten, other] = [randomUUID(), randomUUID()];
  const sent = await post({}, forgotten);
  await eventually(outcomes, ['sent']);
  await post({}, other);
  await eventually(outcomes, ['sent', 'sent']);

  const connection = await connect(database.environment.DATABASE_URL);
  await connection.query("select set_config('app.person', $1, false)", [forgotten]);
  await outbox.forget(
    async <Row extends pg.QueryResultRow>(text: string, values: unknown[]) =>
      (await connection.query<Row>(text, values)).rows,
    forgotten,
  );

  expect(await database.query('select person_id from mails')).toEqual([{ person_id: other }]);
  expect((await readdir(mailFolder())).filter((name) => name.startsWith(sent))).toEqual([]);
});
