import { beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail, unreadMail } from '../support/mail.js';
import { applicant, browser, get, openLink, signIn, signUp } from './people.js';

const SITE = 'https://rende.example';

let app: TestApp;
let database: TestDatabase;
beforeAll(async () => {
  database = await createDatabase();
  app = await startApp({
    database,
    env: { MAILER_AUTOCONFIRM: 'false', SITE_URL: SITE, REDIRECT_URLS: 'https://app.example/entrar' },
  });
});

/** Somebody who has signed up and read the mail. */
async function confirmed(person = applicant()) {
  const client = browser(app.url);
  await client.signUp(person);
  const { code } = await nextMail(person.email);
  const { data } = await client.verifyOtp({ email: person.email, token: code, type: 'email' });
  return { person, client, session: data.session!, user: data.user! };
}

/** Nothing is on its way any more. */
const settled = () =>
  eventually(async () => (await database.query('select from mails where done_at is null')).length, 0);

const count = async (table: string) => (await database.query(`select from ${table}`)).length;

const EXPIRED = { status: 403, code: 'otp_expired' };

describe('signing up with an address to confirm', () => {
  it('answers the user without a session, and makes the account when the code is typed', async () => {
    const person = applicant({ nome: 'Bruna Dias' });
    const client = browser(app.url);

    const { data, error } = await client.signUp(person);

    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({
      email: person.email,
      role: 'authenticated',
      identities: [expect.objectContaining({ provider: 'email' })],
      user_metadata: { nome: 'Bruna Dias' },
    });
    expect(data.user).not.toHaveProperty('email_confirmed_at');
    expect(await database.query('select from auth.users where email = $1', [person.email])).toEqual([]);
    const mail = await nextMail(person.email);
    expect(mail.subject).toBe('Confirme sua conta no Rende');

    const verified = await client.verifyOtp({ email: person.email, token: mail.code, type: 'signup' });

    expect(verified.error).toBeNull();
    expect(verified.data.user).toMatchObject({ id: data.user!.id, email_confirmed_at: expect.any(String) });
    const me = await get(`${app.url}/api/v1/me`, verified.data.session!.access_token);
    expect(me.body).toMatchObject({ user: { nome: 'Bruna Dias' }, membership: { role: 'personal' } });
    expect((await signIn(app.url, person)).error).toBeNull();
  });

  it('makes it when the link is opened, and gives the session to the browser that signed up only', async () => {
    const person = applicant();
    const client = browser(app.url);
    await client.signUp({
      ...person,
      options: { ...person.options, emailRedirectTo: `${SITE}/?bem=vindo` },
    });
    const { link } = await nextMail(person.email);
    expect(link.startsWith(`${SITE}/auth/v1/verify?token=pkce_`)).toBe(true);

    const { status, to, query, hash } = await openLink(app, link);

    expect({ status, to, hash }).toEqual({ status: 303, to: `${SITE}/`, hash: {} });
    expect(query).toEqual({ bem: 'vindo', code: expect.any(String) });
    const elsewhere = await browser(app.url).exchangeCodeForSession(query.code!);
    expect(elsewhere.data.session).toBeNull();
    const { data, error } = await client.exchangeCodeForSession(query.code!);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(person.email);
    expect((await client.exchangeCodeForSession(query.code!)).error).not.toBeNull();
  });

  it('refuses a known address and a known CPF at once, and tells a right password that the mail is unread', async () => {
    const { person } = await confirmed();
    const known = await browser(app.url).signUp({ ...applicant(), email: person.email });
    expect(known.error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    });
    const { cpf } = person.options.data;
    expect((await browser(app.url).signUp(applicant({ cpf }))).error?.code).toBe('cpf_already_registered');

    const unread = applicant();
    await browser(app.url).signUp(unread);

    expect((await signIn(app.url, unread)).error).toMatchObject({ status: 400, code: 'email_not_confirmed' });
    expect((await signIn(app.url, { ...unread, password: 'outra senha' })).error).toMatchObject({
      code: 'invalid_credentials',
    });
  });

  it('lets nobody take an address that is not theirs: whoever reads the mail decides', async () => {
    const owner = applicant();
    const thief = { ...applicant(), email: owner.email, password: 'senha-do-ladrao-1' };
    await browser(app.url).signUp(thief);
    await nextMail(owner.email);
    const client = browser(app.url);
    await client.signUp(owner);
    const { link } = await nextMail(owner.email);

    await openLink(app, link);

    expect((await signIn(app.url, thief)).error?.code).toBe('invalid_credentials');
    expect((await signIn(app.url, owner)).error).toBeNull();
    expect(await database.query('select from auth.pending_sign_ups where email = $1', [owner.email])).toEqual(
      [],
    );
  });

  it('keeps what a pending sign-up told from whoever reads the database', async () => {
    const person = applicant({ nome: 'Quitéria Pendente' });
    await browser(app.url).signUp(person);

    const rows = await database.query<{ row: string }>('select p::text as row from auth.pending_sign_ups p');
    const written = rows.map(({ row }) => row).join();
    for (const secret of [person.options.data.cpf, 'Quitéria', '943214321', '1990-02-28']) {
      expect(written).not.toContain(secret);
      expect(written).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('resends the confirmation, to nobody else', async () => {
    const person = applicant();
    const client = browser(app.url);
    await client.signUp(person);
    const first = await nextMail(person.email);
    const known = await confirmed();

    for (const email of [person.email, known.person.email, applicant().email])
      expect((await browser(app.url).resend({ type: 'signup', email })).error).toBeNull();

    const again = await nextMail(person.email);
    expect(again.code).not.toBe(first.code);
    await settled();
    expect(await unreadMail(known.person.email)).toEqual([]);
    const { error } = await client.verifyOtp({ email: person.email, token: again.code, type: 'signup' });
    expect(error).toBeNull();
  });
});

describe('a magic link', () => {
  it('signs in with its code, and with its link', async () => {
    const { person, user } = await confirmed();
    const client = browser(app.url);
    expect((await client.signInWithOtp({ email: person.email })).error).toBeNull();
    const first = await nextMail(person.email);
    expect(first.subject).toBe('Seu acesso ao Rende');

    const byCode = await client.verifyOtp({ email: person.email, token: first.code, type: 'email' });
    expect(byCode.data.user?.id).toBe(user.id);

    const other = browser(app.url);
    await other.signInWithOtp({ email: person.email, options: { shouldCreateUser: false } });
    const { query } = await openLink(app, (await nextMail(person.email)).link);
    const byLink = await other.exchangeCodeForSession(query.code!);
    expect(byLink.data.user?.id).toBe(user.id);
  });

  it('hands its hash in too, as pages with a link of their own do', async () => {
    const { person, user } = await confirmed();
    await browser(app.url).signInWithOtp({ email: person.email });
    const { link } = await nextMail(person.email);
    const token_hash = new URL(link).searchParams.get('token')!;

    const { data } = await browser(app.url).verifyOtp({ token_hash, type: 'magiclink' });

    expect(data.user?.id).toBe(user.id);
  });

  it('of a client without PKCE carries the session itself', async () => {
    const { person } = await confirmed();
    await fetch(`${app.url}/auth/v1/otp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email }),
    });

    const { query, hash } = await openLink(app, (await nextMail(person.email)).link);

    expect(query).toEqual({});
    expect(hash).toMatchObject({ token_type: 'bearer', type: 'magiclink', expires_in: '3600', sb: '' });
    expect((await get(`${app.url}/api/v1/me`, hash.access_token!)).status).toBe(200);
  });
});

describe('recovering a password', () => {
  it('is answered alike for known and unknown addresses, and mails the known one', async () => {
    const { person } = await confirmed();
    const client = browser(app.url);

    const known = await client.resetPasswordForEmail(person.email, { redirectTo: `${SITE}/auth` });
    const unknown = await browser(app.url).resetPasswordForEmail(applicant().email);

    expect(known).toEqual({ data: {}, error: null });
    expect(unknown).toEqual(known);
    const mail = await nextMail(person.email);
    expect(mail.subject).toBe('Crie uma nova senha no Rende');
    const { to, query } = await openLink(app, mail.link);
    expect(to).toBe(`${SITE}/auth`);
    const { data } = await client.exchangeCodeForSession(query.code!);
    expect(data.user?.email).toBe(person.email);
    expect(data.user?.recovery_sent_at).toEqual(expect.any(String));
  });

  it('writes the same for an unknown address as for a known one', async () => {
    const { person } = await confirmed();
    const written = async (email: string) => {
      const before = [await count('auth.mail_tokens'), await count('mails')];
      await browser(app.url).resetPasswordForEmail(email);
      return [(await count('auth.mail_tokens')) - before[0]!, (await count('mails')) - before[1]!];
    };

    expect(await written(person.email)).toEqual([1, 1]);
    expect(await written(applicant().email)).toEqual([1, 1]);
  });
});

describe('what a mail carries', () => {
  const asked = async () => {
    const { person } = await confirmed();
    const client = browser(app.url);
    await client.signInWithOtp({ email: person.email });
    return { email: person.email, client, ...(await nextMail(person.email)) };
  };

  it('works once', async () => {
    const { email, client, code, link } = await asked();
    await client.verifyOtp({ email, token: code, type: 'email' });

    expect((await client.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject(EXPIRED);
    const { status, to, query, hash } = await openLink(app, link);
    const said = {
      error: 'access_denied',
      error_code: 'otp_expired',
      error_description: 'Email link is invalid or has expired',
    };
    expect({ status, to, query, hash }).toEqual({
      status: 303,
      to: `${SITE}/`,
      query: said,
      hash: { ...said, sb: '' },
    });
  });

  it('is used by one of many who are at it at once', async () => {
    const { email, code } = await asked();

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser(app.url).verifyOtp({ email, token: code, type: 'email' })),
    );

    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  });

  it('is over after ten minutes, counted from when it was sent', async () => {
    const { email, client, code, link } = await asked();
    const [row] = await database.query<{ minutes: number }>(
      'select round(extract(epoch from valid_until - now()) / 60)::int as minutes from auth.mail_tokens order by created_at desc limit 1',
    );
    expect(row!.minutes).toBe(10);
    await database.query("update auth.mail_tokens set valid_until = valid_until - interval '10 minutes'");

    expect((await client.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject(EXPIRED);
    expect((await openLink(app, link)).query.error_code).toBe('otp_expired');
  });

  it('burns its code after five wrong ones, and leaves its link alone', async () => {
    const { email, client, code, link } = await asked();
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 5; n += 1)
      expect((await client.verifyOtp({ email, token: wrong, type: 'email' })).error).toMatchObject(EXPIRED);

    expect((await client.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject(EXPIRED);
    expect((await openLink(app, link)).query.code).toEqual(expect.any(String));
  });

  it('is good for what it was sent for only, and for the newest mail', async () => {
    const { email, client, code, link } = await asked();
    for (const type of ['recovery', 'signup', 'email_change', 'invite'] as const)
      expect((await client.verifyOtp({ email, token: code, type })).error).toMatchObject(EXPIRED);
    const other = link.replace('type=magiclink', 'type=recovery');
    expect((await openLink(app, other)).query.error_code).toBe('otp_expired');

    await browser(app.url).signInWithOtp({ email });
    await nextMail(email);
    expect((await client.verifyOtp({ email, token: code, type: 'magiclink' })).error).toMatchObject(EXPIRED);
  });

  it('is not used up by a look at its link', async () => {
    const { link } = await asked();
    const { pathname, search } = new URL(link);

    expect((await fetch(app.url + pathname + search, { method: 'HEAD' })).status).toBe(405);
    expect((await openLink(app, link)).query.code).toEqual(expect.any(String));
  });

  it('is nowhere in the database, nor who asked without having an account', async () => {
    const { code, link } = await asked();
    const unknown = applicant().email;
    await browser(app.url).signInWithOtp({ email: unknown });
    await settled();

    const rows = await database.query<{ row: string }>(
      `select t::text as row from auth.mail_tokens t union all select m::text from mails m
       union all select f::text from auth.flow_states f union all select j::text from bullmq.job j`,
    );
    const written = rows.map(({ row }) => row).join();
    const token = new URL(link).searchParams.get('token')!.replace('pkce_', '');
    for (const secret of [unknown, token]) expect(written).not.toContain(secret);
    expect(rows.filter(({ row }) => row.split(/[(),]/).includes(code))).toEqual([]);
  });
});

describe('a PKCE code', () => {
  const issued = async () => {
    const { person } = await confirmed();
    const client = browser(app.url);
    await client.signInWithOtp({ email: person.email });
    const { query } = await openLink(app, (await nextMail(person.email)).link);
    return { client, code: query.code! };
  };
  const exchange = (auth_code: string, code_verifier: string) =>
    fetch(`${app.url}/auth/v1/token?grant_type=pkce`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-supabase-api-version': '2024-01-01' },
      body: JSON.stringify({ auth_code, code_verifier }),
    }).then(async (response) => ({ status: response.status, ...((await response.json()) as object) }));

  it('needs its verifier, and is still good after a wrong one', async () => {
    const { client, code } = await issued();

    expect(await exchange(code, 'a'.repeat(112))).toMatchObject({ status: 400, code: 'bad_code_verifier' });
    expect((await client.exchangeCodeForSession(code)).error).toBeNull();
  });

  it('is over after five minutes', async () => {
    const { client, code } = await issued();
    await database.query("update auth.flow_states set created_at = created_at - interval '5 minutes'");

    expect((await client.exchangeCodeForSession(code)).error).toMatchObject({
      status: 422,
      code: 'flow_state_expired',
    });
  });

  it.each(['nonsense', 'A'.repeat(43), ''])('is not %j', async (code) => {
    expect(await exchange(code, 'a'.repeat(112))).toMatchObject(
      code === ''
        ? { status: 400, code: 'validation_failed' }
        : { status: 404, code: 'flow_state_not_found' },
    );
  });
});

describe('where a link leads', () => {
  it.each([
    [`${SITE}/convite/abc?x=1`, `${SITE}/convite/abc`],
    ['https://app.example/entrar', 'https://app.example/entrar'],
    ['https://app.example/entrar/', `${SITE}/`],
    ['https://rende.example.evil.example/', `${SITE}/`],
    ['https://rende.example:8443/', `${SITE}/`],
    ['http://rende.example/', `${SITE}/`],
    ['https://user@rende.example/', `${SITE}/`],
    ['//evil.example', `${SITE}/`],
    ['javascript:alert(1)', `${SITE}/`],
  ])('for %s is %s', async (wanted, to) => {
    const { person } = await confirmed();
    await browser(app.url).signInWithOtp({ email: person.email, options: { emailRedirectTo: wanted } });
    const { link } = await nextMail(person.email);
    expect((await openLink(app, link)).to).toBe(to);

    const changed = new URL(link);
    changed.searchParams.set('redirect_to', wanted);
    expect((await openLink(app, changed.href)).to).toBe(to);
  });
});

describe('bad input', () => {
  const challenge = 'a'.repeat(43);
  it.each<[string, string, object, number, string]>([
    ['no address', 'otp', {}, 400, 'validation_failed'],
    ['a phone', 'otp', { phone: '+5511943214321' }, 400, 'phone_provider_disabled'],
    ['an address that is none', 'otp', { email: 'ana' }, 400, 'validation_failed'],
    ['no address', 'recover', {}, 400, 'validation_failed'],
    [
      'a challenge alone',
      'recover',
      { email: 'a@b.com', code_challenge: challenge },
      400,
      'validation_failed',
    ],
    [
      'a method alone',
      'recover',
      { email: 'a@b.com', code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
    [
      'a plain challenge',
      'otp',
      { email: 'a@b.com', code_challenge: challenge, code_challenge_method: 'plain' },
      400,
      'validation_failed',
    ],
    [
      'a short challenge',
      'otp',
      { email: 'a@b.com', code_challenge: 'abc', code_challenge_method: 's256' },
      400,
      'validation_failed',
    ],
    ['no type', 'resend', { email: 'a@b.com' }, 400, 'validation_failed'],
    ['an unknown type', 'resend', { email: 'a@b.com', type: 'magiclink' }, 400, 'validation_failed'],
    ['a phone', 'resend', { phone: '+5511943214321', type: 'sms' }, 400, 'phone_provider_disabled'],
    ['nothing', 'resend', { type: 'signup' }, 400, 'validation_failed'],
    ['no type', 'verify', { email: 'a@b.com', token: '123456' }, 400, 'validation_failed'],
    ['neither token nor hash', 'verify', { email: 'a@b.com', type: 'email' }, 400, 'validation_failed'],
    ['token and hash', 'verify', { token: '1', token_hash: '2', type: 'email' }, 400, 'validation_failed'],
    [
      'a hash with an address',
      'verify',
      { email: 'a@b.com', token_hash: '2', type: 'email' },
      400,
      'validation_failed',
    ],
    ['a code without an address', 'verify', { token: '123456', type: 'email' }, 400, 'validation_failed'],
    ['a phone', 'verify', { phone: '+5511943214321', token: '123456', type: 'sms' }, 403, 'otp_expired'],
    [
      'an unknown address',
      'verify',
      { email: 'a@b.com', token: '123456', type: 'email' },
      403,
      'otp_expired',
    ],
    ['a forged hash', 'verify', { token_hash: 'A'.repeat(43), type: 'recovery' }, 403, 'otp_expired'],
    ['SAML', 'sso', { domain: 'exemplo.com.br' }, 404, 'saml_provider_disabled'],
  ])('such as %s for /%s is refused, and changes nothing', async (_what, path, body, status, code) => {
    const before = [await count('auth.mail_tokens'), await count('mails'), await count('auth.sessions')];
    const response = await fetch(`${app.url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject({
      status,
      error_code: code,
    });
    expect([await count('auth.mail_tokens'), await count('mails'), await count('auth.sessions')]).toEqual(
      before,
    );
  });

  it.each([
    ['POST', 'nothing-here', undefined, 404, 'not_found'],
    ['GET', '', undefined, 404, 'not_found'],
    ['GET', '%zz', undefined, 400, 'validation_failed'],
    ['POST', 'otp', 'text/plain', 415, 'bad_json'],
    ['POST', 'recover', 'large', 413, 'request_entity_too_large'],
  ])('%s /%s %s is answered in the shape that clients read', async (method, path, how, status, code) => {
    const response = await fetch(`${app.url}/auth/v1/${path}`, {
      method,
      headers: {
        'x-supabase-api-version': '2024-01-01',
        'content-type': how === 'text/plain' ? how : 'application/json',
      },
      body:
        method === 'POST'
          ? JSON.stringify({ email: 'a'.repeat(how === 'large' ? 1_100_000 : 3) })
          : undefined,
    });

    expect({ status: response.status, ...((await response.json()) as object) }).toMatchObject({
      status,
      code,
    });
    expect(response.headers.get('x-sb-error-code')).toBe(code);
    expect(response.headers.get('x-supabase-api-version')).toBe('2024-01-01');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  });
});

describe('limits', () => {
  it('send one mail a minute to whoever asks from one address, known or not', async () => {
    const { person } = await confirmed();
    for (const email of [person.email, applicant().email]) {
      const client = browser(app.url);
      expect((await client.resetPasswordForEmail(email)).error).toBeNull();
      expect((await client.resetPasswordForEmail(email)).error).toMatchObject({
        status: 429,
        code: 'over_email_send_rate_limit',
        message: expect.stringMatching(
          /^For security purposes, you can only request this after \d+ seconds\.$/,
        ),
      });
      expect((await browser(app.url).resetPasswordForEmail(email)).error).toBeNull();
    }
  });

  it('let twenty wrong codes through in an hour, from wherever they come, and links go on working', async () => {
    const { person } = await confirmed();
    const wrong = () => browser(app.url).verifyOtp({ email: person.email, token: 'wrong', type: 'email' });
    for (let n = 0; n < 20; n += 1) expect((await wrong()).error).toMatchObject(EXPIRED);

    expect((await wrong()).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
    const client = browser(app.url);
    await client.signInWithOtp({ email: person.email });
    const { query } = await openLink(app, (await nextMail(person.email)).link);
    expect((await client.exchangeCodeForSession(query.code!)).error).toBeNull();
  });
});

it('where addresses are not confirmed, signing up gives a session at once, and the mails work all the same', async () => {
  const open = await startApp({ database: await createDatabase(), env: { SITE_URL: SITE } });
  expect(await (await fetch(`${open.url}/auth/v1/settings`)).json()).toMatchObject({
    mailer_autoconfirm: true,
  });
  const { person } = await signUp(open.url);
  const client = browser(open.url);
  await client.signInWithOtp({ email: person.email });

  const { code } = await nextMail(person.email);

  expect((await client.verifyOtp({ email: person.email, token: code, type: 'email' })).error).toBeNull();
});
