import { describe, expect, it } from '@jest/globals';
import { Purges } from '../../backend/platform/jobs/purges.js';
import { startApp } from '../support/app.js';
import { connect, createDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { connectSocket } from '../support/socket.js';
import { applicant, browser, get, openLink, signIn, signUp } from './people.js';

const SITE = 'https://rende.example';
const NEW = 'Serra-Verde-77';

const database = await createDatabase();
const app = await startApp({ database, env: { SITE_URL: SITE } });

const me = async ({ access_token }: { access_token: string }) =>
  (await get(`${app.url}/api/v1/me`, access_token)).status;

const passwordOf = async (email: string) =>
  (
    await database.query<{ password_hash: string }>('select password_hash from auth.users where email = $1', [
      email,
    ])
  )[0]!.password_hash;

/** A session started by a recovery mail. */
async function recovered(email: string) {
  const client = browser(app.url);
  await client.resetPasswordForEmail(email);
  const { query } = await openLink(app, (await nextMail(email)).link);
  const { data } = await client.exchangeCodeForSession(query.code!);
  return { client, session: data.session! };
}

describe('a new password', () => {
  it('needs the current password in an ordinary session', async () => {
    const { person, client } = await signUp(app.url);
    const before = await passwordOf(person.email);

    const without = await client.updateUser({ password: NEW });
    const wrong = await client.updateUser({ password: NEW, current_password: 'not this one' });

    expect(without.error).toMatchObject({ status: 400, code: 'current_password_required' });
    expect(wrong.error).toMatchObject({ status: 400, code: 'current_password_invalid' });
    expect(await passwordOf(person.email)).toBe(before);
    const right = await client.updateUser({ password: NEW, current_password: person.password });
    expect(right.error).toBeNull();
    expect((await signIn(app.url, person)).error?.code).toBe('invalid_credentials');
    expect((await signIn(app.url, { ...person, password: NEW })).error).toBeNull();
  });

  it('is set without the current one after a recovery, once', async () => {
    const { person } = await signUp(app.url);
    const { client, session } = await recovered(person.email);

    expect((await client.updateUser({ password: NEW })).error).toBeNull();

    expect(await me(session)).toBe(200);
    expect((await signIn(app.url, { ...person, password: NEW })).error).toBeNull();
    expect((await client.updateUser({ password: 'Outra-Serra-78' })).error?.code).toBe(
      'current_password_required',
    );
  });

  it('needs the current one an hour after a recovery', async () => {
    const { person, user } = await signUp(app.url);
    const { client } = await recovered(person.email);
    const later = (by: string) =>
      database.query(
        'update auth.sessions set recovery_until = recovery_until - $2::interval where user_id = $1',
        [user.id, by],
      );
    await later('1 hour');
    expect((await client.updateUser({ password: NEW })).error?.code).toBe('current_password_required');
    await later('-1 minute');
    expect((await client.updateUser({ password: NEW })).error).toBeNull();
  });

  it('is set with a mailed code, once', async () => {
    const { person, client } = await signUp(app.url);
    expect((await client.reauthenticate()).error).toBeNull();
    const { subject, code } = await nextMail(person.email);
    expect(subject).toBe('Seu código do Rende');

    const wrong = await client.updateUser({ password: NEW, nonce: code === '000000' ? '000001' : '000000' });
    expect(wrong.error).toMatchObject({ status: 422, code: 'reauthentication_not_valid' });
    expect((await client.updateUser({ password: NEW, nonce: code })).error).toBeNull();
    const again = await client.updateUser({ password: 'Outra-Serra-78', nonce: code });
    expect(again.error?.code).toBe('reauthentication_not_valid');
    expect((await signIn(app.url, { ...person, password: NEW })).error).toBeNull();
  });

  it('needs a mailed code if there was no password', async () => {
    const { person, client } = await signUp(app.url);
    await database.query('update auth.users set password_hash = null where email = $1', [person.email]);

    for (const current_password of [undefined, person.password]) {
      const { error } = await client.updateUser({
        password: NEW,
        ...(current_password && { current_password }),
      });
      expect(error?.code).toBe(current_password ? 'current_password_invalid' : 'reauthentication_needed');
    }
  });

  it.each([
    ['souza-ana-2026', 422, 'weak_password'],
    ['Lagoa-Azul-42', 422, 'same_password'],
  ])('is not %j', async (password, status, code) => {
    const { person, client } = await signUp(app.url);
    const before = await passwordOf(person.email);

    const { error } = await client.updateUser({ password, current_password: person.password });

    expect(error).toMatchObject({ status, code });
    expect(await passwordOf(person.email)).toBe(before);
  });

  it('ends the other sessions at once, their sockets too', async () => {
    const { person, client, session } = await signUp(app.url);
    const other = (await signIn(app.url, person)).data.session!;
    const stranger = await signUp(app.url);
    const [own, theirs] = await Promise.all(
      [session, other].map(({ access_token }) => connectSocket(app, { accessToken: access_token })),
    );
    const closed = new Promise((resolve) => theirs!.once('disconnect', resolve));

    await client.updateUser({ password: NEW, current_password: person.password });

    expect(await Promise.all([session, other, stranger.session].map(me))).toEqual([200, 401, 200]);
    expect(await closed).toBe('io server disconnect');
    expect(own!.connected).toBe(true);
  });

  it('ends a session that is started with the old one at the same time', async () => {
    for (let round = 0; round < 3; round += 1) {
      const { person, client } = await signUp(app.url);
      const change = client.updateUser({ password: NEW, current_password: person.password });
      const ins = await Promise.all(Array.from({ length: 6 }, () => signIn(app.url, person)));
      expect((await change).error).toBeNull();

      const sessions = ins.flatMap(({ data }) => data.session ?? []);
      expect(await Promise.all(sessions.map(me))).toEqual(sessions.map(() => 401));
    }
  });

  it('refuses a sign-in that had read the old one just before the change', async () => {
    const { person } = await signUp(app.url);
    const change = await connect(database.environment.DATABASE_URL);
    await change.query('begin');
    await change.query("update auth.users set password_hash = 'another' where email = $1", [person.email]);
    const late = signIn(app.url, person);
    const waiting = () =>
      database.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like 'update auth.users set last%'`,
      );
    await eventually(async () => (await waiting()).length, 1);

    await change.query('commit');

    expect((await late).error?.code).toBe('invalid_credentials');
  });

  it('is set by one of two concurrent changes', async () => {
    const { person, client } = await signUp(app.url);
    const answers = await Promise.all(
      [NEW, 'Outra-Serra-78'].map((password) =>
        client.updateUser({ password, current_password: person.password }),
      ),
    );
    expect(answers.map(({ error }) => error?.code).sort()).toEqual(['current_password_invalid', undefined]);
  });

  it('invalidates earlier mails and codes', async () => {
    const { person, client } = await signUp(app.url);
    const magic = browser(app.url);
    await magic.signInWithOtp({ email: person.email });
    const mailed = await nextMail(person.email);
    const coded = browser(app.url);
    await coded.signInWithOtp({ email: person.email });
    const { query } = await openLink(app, (await nextMail(person.email)).link);
    await client.updateUser({ email: applicant().email });
    const change = await nextMail(person.email);

    await client.updateUser({ password: NEW, current_password: person.password });

    expect((await openLink(app, mailed.link)).query.error_code).toBe('otp_expired');
    expect((await coded.exchangeCodeForSession(query.code!)).error?.code).toBe('flow_state_not_found');
    expect((await openLink(app, change.link)).query.error_code).toBe('otp_expired');
    expect((await client.getUser()).data.user).not.toHaveProperty('new_email');
  });

  it('cannot be guessed: after 20 wrong ones this address is refused', async () => {
    const { person, client } = await signUp(app.url);
    for (let n = 0; n < 20; n += 1)
      expect((await client.updateUser({ password: NEW, current_password: `wrong ${n}` })).error?.status).toBe(
        400,
      );

    const { error } = await client.updateUser({ password: NEW, current_password: person.password });
    expect(error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  });
});

describe('a new address', () => {
  it('takes effect when both mails are confirmed, by code or by link', async () => {
    const { person, client, user } = await signUp(app.url);
    const { email } = applicant();

    const asked = await client.updateUser(
      { email: email.toUpperCase() },
      { emailRedirectTo: `${SITE}/ajustes` },
    );

    expect(asked.data.user).toMatchObject({
      id: user.id,
      email: person.email,
      new_email: email,
      email_change_sent_at: expect.any(String),
    });
    const [old, fresh] = [await nextMail(person.email), await nextMail(email)];
    expect([old.subject, fresh.subject]).toEqual([
      'Confirme a troca do seu e-mail no Rende',
      'Confirme o seu novo e-mail no Rende',
    ]);
    expect(old.code).not.toBe(fresh.code);

    const first = await browser(app.url).verifyOtp({
      email: person.email,
      token: old.code,
      type: 'email_change',
    });
    expect(first.error).toBeNull();
    expect(first.data.session).toBeNull();
    expect((await client.getUser()).data.user?.email).toBe(person.email);

    const { to, query } = await openLink(app, fresh.link);
    expect(to).toBe(`${SITE}/ajustes`);
    expect(query.code).toEqual(expect.any(String));
    const { data } = await client.refreshSession();
    expect(data.user).toMatchObject({ id: user.id, email });
    expect(data.user).not.toHaveProperty('new_email');
    expect((await signIn(app.url, { ...person, email })).error).toBeNull();
    expect((await signIn(app.url, person)).error?.code).toBe('invalid_credentials');
  });

  it.each([
    ['before', 'after'],
    ['after', 'before'],
  ] as const)(
    'is sent anew for anybody who asks: the mail %s that and the one %s it confirm it',
    async (ofOld, ofNew) => {
      const { person, client } = await signUp(app.url);
      const { email } = applicant();
      await client.updateUser({ email });
      const before = { old: await nextMail(person.email), fresh: await nextMail(email) };
      if (ofOld === 'before') await openLink(app, before.old.link);

      const stranger = browser(app.url);
      expect((await stranger.resend({ type: 'email_change', email: person.email })).error).toBeNull();
      const mails = { before, after: { old: await nextMail(person.email), fresh: await nextMail(email) } };
      if (ofOld === 'after') await openLink(app, mails.after.old.link);
      expect((await openLink(app, mails[ofNew].fresh.link)).query.error_code).toBeUndefined();

      expect((await client.getUser()).data.user?.email).toBe(email);
      const unused = mails[ofOld].fresh.link;
      expect((await openLink(app, unused)).query.error_code).toBe('otp_expired');
    },
  );

  it('is confirmed only by the mails of that change', async () => {
    const { person, client } = await signUp(app.url);
    await client.updateUser({ email: applicant().email });
    const { link } = await nextMail(person.email);
    await database.query('delete from rate_limits');
    const { email } = applicant();
    await client.updateUser({ email });

    expect((await openLink(app, link)).query.error_code).toBe('otp_expired');
    expect((await openLink(app, (await nextMail(email)).link)).query.message).toEqual(expect.any(String));
    expect((await client.getUser()).data.user?.email).toBe(person.email);
  });

  it('that belongs to another account is answered like any other, and only its owner gets a mail', async () => {
    const other = await signUp(app.url);
    const ask = async (email: string) => {
      const { person, client } = await signUp(app.url);
      const { data, error } = await client.updateUser({ email });
      const { new_email, ...user } = data.user!;
      expect({ error, new_email }).toEqual({ error: null, new_email: email });
      return { person, client, answer: Object.keys(user) };
    };

    const free = await ask(applicant().email);
    const { person, client, answer } = await ask(other.person.email);

    expect(answer).toEqual(free.answer);
    expect(await nextMail(other.person.email)).toMatchObject({
      subject: 'Este e-mail já tem conta no Rende',
      code: '',
      link: '',
    });
    const { link } = await nextMail(person.email);
    expect((await openLink(app, link)).query.error_code).toBeUndefined();
    const voided = await database.query(
      `select from auth.mail_tokens t join auth.users u on u.id = t.owner_id
       where u.email = $1 and kind = 'email_change_new' and valid_until is null`,
      [person.email],
    );
    expect(voided).toHaveLength(1);
    expect((await client.getUser()).data.user!.email).toBe(person.email);
    expect((await signIn(app.url, other.person)).error).toBeNull();
  });

  it('belongs to the first person who confirms it', async () => {
    const { email } = applicant();
    const people = [await signUp(app.url), await signUp(app.url)];
    const links: string[][] = [];
    for (const { person, client } of people) {
      await client.updateUser({ email });
      links.push([(await nextMail(person.email)).link, (await nextMail(email)).link]);
    }

    for (const link of links[0]!) expect((await openLink(app, link)).query.error_code).toBeUndefined();
    await openLink(app, links[1]![0]!);
    expect((await openLink(app, links[1]![1]!)).query.error_code).toBe('email_exists');

    const addresses = await Promise.all(
      people.map(async ({ client }) => (await client.getUser()).data.user!.email),
    );
    expect(addresses).toEqual([email, people[1]!.person.email]);
  });

  it('is cancelled by requesting the current one, which invalidates its mails', async () => {
    const { person, client } = await signUp(app.url);
    const { email } = applicant();
    await client.updateUser({ email });
    const links = [(await nextMail(person.email)).link, (await nextMail(email)).link];

    const { data } = await client.updateUser({ email: person.email });

    expect(data.user).not.toHaveProperty('new_email');
    for (const link of links) expect((await openLink(app, link)).query.error_code).toBe('otp_expired');
    expect((await client.getUser()).data.user?.email).toBe(person.email);
  });
});

describe('data of a user', () => {
  it('is merged, and null removes a key', async () => {
    const { client } = await signUp(app.url);

    await client.updateUser({ data: { nome: 'Ana Maria', tema: 'escuro' } });
    expect((await client.updateUser({ data: { passos: 3 } })).data.user?.user_metadata).toEqual({
      nome: 'Ana Maria',
      tema: 'escuro',
      passos: 3,
    });

    const { data } = await client.updateUser({ data: { tema: null } });
    expect(data.user?.user_metadata).toEqual({ nome: 'Ana Maria', passos: 3 });
  });

  it('is limited in size, also over several changes', async () => {
    const { client } = await signUp(app.url);
    const more = (name: string) => client.updateUser({ data: { [name]: 'x'.repeat(200) } });
    for (const name of ['a', 'b', 'c', 'd']) expect((await more(name)).error).toBeNull();

    expect((await more('e')).error).toMatchObject({ status: 400, code: 'validation_failed' });
    const { data } = await client.getUser();
    expect(Object.keys(data.user!.user_metadata).sort()).toEqual(['a', 'b', 'c', 'd', 'nome']);
  });
});

describe('a field that cannot be changed', () => {
  const put = async (token: string, body: object) => {
    const response = await fetch(`${app.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
      body: JSON.stringify(body),
    });
    return { status: response.status, code: ((await response.json()) as { error_code?: string }).error_code };
  };

  it.each([
    [{ app_metadata: { role: 'admin' } }, 403, 'not_admin'],
    [{ phone: '+5511943214321' }, 400, 'phone_provider_disabled'],
    [{ role: 'service_role' }, 400, 'validation_failed'],
  ])('%j is refused', async (body, status, code) => {
    const { session } = await signUp(app.url);
    const before = await database.query('select * from auth.users order by id');

    expect(await put(session.access_token, body)).toEqual({ status, code });
    expect(await database.query('select * from auth.users order by id')).toEqual(before);
  });

  it('is refused without a session', async () => {
    expect(await put('', { data: { nome: 'Outra' } })).toEqual({ status: 401, code: 'no_authorization' });
    expect(await put('nonsense', { data: { nome: 'Outra' } })).toEqual({ status: 403, code: 'bad_jwt' });
  });
});

it('expired rows of mails, sign-ups and codes are purged, valid ones are kept', async () => {
  const own = await createDatabase();
  const first = await startApp({ database: own, env: { MAILER_AUTOCONFIRM: 'false' } });
  const people = [applicant(), applicant()];
  for (const person of people) await browser(first.url).signUp(person);
  for (const { email } of people) await nextMail(email);
  await own.query(
    `with old as (
       update auth.pending_sign_ups set created_at = created_at - interval '25 hours' where email = $1 returning id)
     update auth.mail_tokens t set created_at = created_at - interval '25 hours' from old where owner_id = old.id`,
    [people[0]!.email],
  );

  await first.nest.get(Purges).run();

  const left = 'select p.email from auth.pending_sign_ups p join auth.mail_tokens t on t.owner_id = p.id';
  expect(await own.query(left)).toEqual([{ email: people[1]!.email }]);
  expect(await own.query('select from auth.mail_tokens')).toHaveLength(1);
});
