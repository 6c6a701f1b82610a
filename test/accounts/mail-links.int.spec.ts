import { describe, expect, it } from '@jest/globals';
import { MailTokens } from '../../backend/modules/accounts/auth/mail-tokens.service.js';
import { Redirects } from '../../backend/modules/accounts/auth/redirects.js';
import { nextMail } from '../support/mail.js';
import { applicant, browser, get, openLink, signUpByMail } from './people.js';
import { EXPIRED, SITE, startWithMails } from './with-mails.js';

const { app, database, settled } = await startWithMails({ REDIRECT_URLS: 'https://app.example/entrar' });

describe('a magic link', () => {
  it('signs in with its code, and with its link', async () => {
    const { person, user } = await signUpByMail(app.url);
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

  it('can be verified by its token hash, as pages with a link of their own do', async () => {
    const { person, user } = await signUpByMail(app.url);
    await browser(app.url).signInWithOtp({ email: person.email });
    const { link } = await nextMail(person.email);
    const token_hash = new URL(link).searchParams.get('token')!;

    const { data } = await browser(app.url).verifyOtp({ token_hash, type: 'magiclink' });

    expect(data.user?.id).toBe(user.id);
  });

  it('of a client without PKCE contains the session', async () => {
    const { person } = await signUpByMail(app.url);
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

describe('a link or code of a mail', () => {
  const asked = async () => {
    const { person } = await signUpByMail(app.url);
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

  it('is used by one of many concurrent requests', async () => {
    const { email, code } = await asked();

    const answers = await Promise.all(
      Array.from({ length: 4 }, () => browser(app.url).verifyOtp({ email, token: code, type: 'email' })),
    );

    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  });

  it('expires ten minutes after it was sent', async () => {
    const { email, client, code, link } = await asked();
    const [row] = await database.query<{ minutes: number }>(
      'select round(extract(epoch from valid_until - now()) / 60)::int as minutes from auth.mail_tokens order by created_at desc limit 1',
    );
    expect(row!.minutes).toBe(10);
    await database.query("update auth.mail_tokens set valid_until = valid_until - interval '10 minutes'");

    expect((await client.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject(EXPIRED);
    expect((await openLink(app, link)).query.error_code).toBe('otp_expired');
  });

  it('invalidates its code after five wrong ones, but not its link', async () => {
    const { email, client, code, link } = await asked();
    const wrong = code === '000000' ? '000001' : '000000';
    for (let n = 0; n < 5; n += 1)
      expect((await client.verifyOtp({ email, token: wrong, type: 'email' })).error).toMatchObject(EXPIRED);

    expect((await client.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject(EXPIRED);
    expect((await openLink(app, link)).query.code).toEqual(expect.any(String));
  });

  it('is not sent after a day, nor after it was used', async () => {
    const tokens = app.nest.get(MailTokens);
    for (const over of ["created_at = now() - interval '1 day'", 'used_at = now()']) {
      await asked();
      const [token] = await database.query<{ id: string }>(
        'select id from auth.mail_tokens order by created_at desc limit 1',
      );
      const { id } = token!;
      expect(await tokens.handOver(id)).toMatchObject({ id });
      await database.query(`update auth.mail_tokens set ${over} where id = $1`, [id]);
      expect(await tokens.handOver(id)).toBeUndefined();
    }
  });

  it('is valid only for its purpose, and only the newest mail that a browser requested', async () => {
    const { email, client, code, link } = await asked();
    for (const type of ['recovery', 'signup', 'email_change', 'invite'] as const)
      expect((await client.verifyOtp({ email, token: code, type })).error).toMatchObject(EXPIRED);
    for (const type of ['recovery', 'constructor']) {
      const other = link.replace('type=magiclink', `type=${type}`);
      expect((await openLink(app, other)).query.error_code).toBe('otp_expired');
    }

    await database.query('delete from rate_limits');
    await client.signInWithOtp({ email });
    await nextMail(email);
    expect((await client.verifyOtp({ email, token: code, type: 'magiclink' })).error).toMatchObject(EXPIRED);
  });

  it.each(['link', 'code'])('leaves its %s valid where programs check the link', async (way) => {
    const { person } = await signUpByMail(app.url);
    // Without PKCE, because only such links are used up at once.
    await fetch(`${app.url}/auth/v1/otp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: person.email }),
    });
    const { link, code } = await nextMail(person.email);
    const { pathname, search } = new URL(link);

    for (const method of ['HEAD', 'GET', 'GET']) {
      const { status, headers } = await fetch(app.url + pathname + search, { method, redirect: 'manual' });
      expect([status, headers.get('set-cookie')]).toEqual([200, null]);
    }

    if (way === 'link') expect((await openLink(app, link)).hash.access_token).toEqual(expect.any(String));
    else {
      const { error } = await browser(app.url).verifyOtp({ email: person.email, token: code, type: 'email' });
      expect(error).toBeNull();
    }
  });

  it('has a page that is neither kept nor framed, and whose button leads only to known sites', async () => {
    const { link } = await asked();
    const other = new URL(link);
    other.searchParams.set('token', '"><script>alert(1)</script>');
    const page = await fetch(app.url + other.pathname + other.search);

    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': expect.stringMatching(
        `^default-src 'none';.* form-action 'self' ${SITE} https://app.example; .*frame-ancestors 'none'`,
      ),
      'content-type': 'text/html; charset=utf-8',
      'referrer-policy': 'no-referrer',
    });
    expect(await page.text()).not.toContain('<script>');
  });

  it('is not used up by a program that opens its link, only by exchanging the code of the redirect', async () => {
    const { email, client, code, link } = await asked();
    await openLink(app, link);
    const [first, second] = [await openLink(app, link), await openLink(app, link)];

    expect((await client.exchangeCodeForSession(second.query.code!)).error).toBeNull();

    expect((await openLink(app, link)).query.error_code).toBe('otp_expired');
    expect((await client.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject(EXPIRED);
    expect((await client.exchangeCodeForSession(first.query.code!)).error).not.toBeNull();
  });

  it('is either exchanged or verified by its hash, not both', async () => {
    const { email, client, code, link } = await asked();
    const { query } = await openLink(app, link);
    expect((await browser(app.url).verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();

    expect((await client.exchangeCodeForSession(query.code!)).error).toMatchObject({
      status: 404,
      code: 'flow_state_not_found',
    });
  });

  it('is not stored in the database, nor is an address without an account', async () => {
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
    const { person } = await signUpByMail(app.url);
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

  it('needs its verifier, and stays valid after a wrong one', async () => {
    const { client, code } = await issued();

    expect(await exchange(code, 'a'.repeat(112))).toMatchObject({ status: 400, code: 'bad_code_verifier' });
    expect((await client.exchangeCodeForSession(code)).error).toBeNull();
  });

  it('is exchanged once, by one of many concurrent requests', async () => {
    const { client, code } = await issued();
    const stored = new Map(JSON.parse(client.stored()) as [string, string][]);
    const verifier = JSON.parse(stored.get('supabase.auth.token-code-verifier')!) as string;

    const answers = await Promise.all(Array.from({ length: 4 }, () => exchange(code, verifier)));

    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    for (const again of [verifier, 'a'.repeat(112)])
      expect(await exchange(code, again)).toMatchObject({ status: 404, code: 'flow_state_not_found' });
    await database.query("update auth.flow_states set created_at = created_at - interval '5 minutes'");
    expect(await exchange(code, verifier)).toMatchObject({ status: 404, code: 'flow_state_not_found' });
  });

  it('expires after five minutes', async () => {
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

describe('the address that a link leads to', () => {
  it('is never another site, however its address is written', () => {
    const redirects = app.nest.get(Redirects);
    for (const wanted of [
      'https://user@rende.example/',
      'https://:password@rende.example/',
      'https://rende.example@evil.example/',
      'https://rende.example:443@evil.example/',
      'https://rende.example\\@evil.example/',
      'https:\\\\evil.example',
      'https:evil.example',
      '\\\\evil.example',
      '/\\evil.example',
      '\t//evil.example',
      'https://evil.example\\.rende.example/',
      'https://evil.example#@rende.example/',
      'https://evil.example?rende.example/',
      'https://rende.example%2eevil.example/',
      'https://rende.example%2f@evil.example/',
      'https://rende.example./',
      'https://RENDE.example.evil.example/',
      'https://app.example/entrar?x=1',
      'https://APP.example:444/entrar',
      'blob:https://rende.example/1',
      'data:text/html,x',
    ]) {
      const { origin, username, password } = new URL(redirects.allowed(wanted));
      expect([wanted, origin, username, password]).toEqual([wanted, SITE, '', '']);
    }
  });

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
    const { person } = await signUpByMail(app.url);
    await browser(app.url).signInWithOtp({ email: person.email, options: { emailRedirectTo: wanted } });
    const { link } = await nextMail(person.email);
    expect((await openLink(app, link)).to).toBe(to);

    const changed = new URL(link);
    changed.searchParams.set('redirect_to', wanted);
    expect((await openLink(app, changed.href)).to).toBe(to);
  });
});

const count = async (table: string) => (await database.query(`select from ${table}`)).length;

describe('recovering a password', () => {
  it('gives the same answer for known and unknown addresses, and mails the known one', async () => {
    const { person } = await signUpByMail(app.url);
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
    const { person } = await signUpByMail(app.url);
    const written = async (email: string) => {
      const before = [await count('auth.mail_tokens'), await count('mails')];
      await browser(app.url).resetPasswordForEmail(email);
      return [(await count('auth.mail_tokens')) - before[0]!, (await count('mails')) - before[1]!];
    };

    expect(await written(person.email)).toEqual([1, 1]);
    expect(await written(applicant().email)).toEqual([1, 1]);
  });
});

describe('bad input', () => {
  const email = 'a@b.com';
  it.each<[string, object, number, string]>([
    ['otp', {}, 400, 'validation_failed'],
    ['otp', { phone: '+5511943214321' }, 400, 'phone_provider_disabled'],
    ['resend', { phone: '+5511943214321', type: 'sms' }, 400, 'phone_provider_disabled'],
    ['resend', { type: 'signup' }, 400, 'validation_failed'],
    ['verify', { email, type: 'email' }, 400, 'validation_failed'],
    ['verify', { token: '1', token_hash: '2', type: 'email' }, 400, 'validation_failed'],
    ['verify', { email, token_hash: '2', type: 'email' }, 400, 'validation_failed'],
    ['verify', { token: '123456', type: 'email' }, 400, 'validation_failed'],
    ['verify', { phone: '+5511943214321', token: '123456', type: 'sms' }, 403, 'otp_expired'],
    ['verify', { token_hash: 'A'.repeat(43), type: 'recovery' }, 403, 'otp_expired'],
    ['sso', { domain: 'exemplo.com.br' }, 404, 'saml_provider_disabled'],
  ])('for /%s such as %j is refused, and changes nothing', async (path, body, status, code) => {
    const counts = () => Promise.all(['auth.mail_tokens', 'mails', 'auth.sessions'].map(count));
    const before = await counts();
    const response = await fetch(`${app.url}/auth/v1/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });

    const { error_code } = (await response.json()) as { error_code: string };
    expect([response.status, error_code]).toEqual([status, code]);
    expect(await counts()).toEqual(before);
  });

  /** A body of so many bytes. */
  const sized = (bytes: number) => JSON.stringify({ email: 'a'.repeat(bytes - '{"email":""}'.length) });
  const bodies: Record<string, string> = { '16 kB': sized(16 * 1024), 'over 16 kB': sized(16 * 1024 + 1) };
  const bodyOf = (how = '') => (how.startsWith('{') ? how : (bodies[how] ?? sized(15)));

  it.each([
    ['POST', 'nothing-here', undefined, 404, 'not_found'],
    ['GET', '', undefined, 404, 'not_found'],
    ['GET', '%zz', undefined, 400, 'validation_failed'],
    ['POST', 'otp', 'text/plain', 415, 'bad_json'],
    ['POST', 'recover', '16 kB', 400, 'validation_failed'],
    ['POST', 'recover', 'over 16 kB', 413, 'request_entity_too_large'],
    ['POST', 'token?grant_type=password', '{"email":', 400, 'bad_json'],
    ['POST', 'recover', '{"email":"a@b.c",}', 400, 'bad_json'],
    ['POST', 'recover', '{"email":"a@b.c","email":"d@e.f"}', 400, 'validation_failed'],
  ])('%s /%s %s is answered in the shape that clients read', async (method, path, how, status, code) => {
    const response = await fetch(`${app.url}/auth/v1/${path}`, {
      method,
      headers: {
        'x-supabase-api-version': '2024-01-01',
        'content-type': how === 'text/plain' ? how : 'application/json',
      },
      body: method === 'POST' ? bodyOf(how) : undefined,
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

it('a HEAD request to the route that sends a code sends none', async () => {
  const { session } = await signUpByMail(app.url);
  const before = await count('mails');
  const { status } = await fetch(`${app.url}/auth/v1/reauthenticate`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${session.access_token}` },
  });
  expect([status, await count('mails')]).toEqual([405, before]);
});

describe('limits', () => {
  it('allow one mail a minute per requesting address, whether or not the e-mail is known', async () => {
    const { person } = await signUpByMail(app.url);
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

  it('allow five mails of a kind in ten minutes to one e-mail address, from all requesters together', async () => {
    const { email } = applicant();
    const ask = () => browser(app.url).resetPasswordForEmail(email);
    const answers = await Promise.all(Array.from({ length: 5 }, ask));
    expect(answers.map(({ error }) => error)).toEqual(Array(5).fill(null));

    expect((await ask()).error).toMatchObject({ status: 429, code: 'over_email_send_rate_limit' });
    expect((await browser(app.url).signInWithOtp({ email })).error).toBeNull();
  });

  const guess = (email: string) => browser(app.url).verifyOtp({ email, token: '012345', type: 'email' });

  it.each<[string, () => Promise<string>]>([
    ['an account', async () => (await signUpByMail(app.url)).person.email],
    ['nobody', () => Promise.resolve(applicant().email)],
  ])("let twenty wrong codes of others' mails to %s through in an hour", async (_whose, address) => {
    const email = await address();
    await browser(app.url).signInWithOtp({ email });
    for (let n = 0; n < 20; n += 1) expect((await guess(email)).error).toMatchObject(EXPIRED);

    expect((await guess(email)).error).toMatchObject({ status: 429, code: 'over_request_rate_limit' });
  });

  it('do not count attempts without a pending mail, nor input that is not a code', async () => {
    const { person } = await signUpByMail(app.url);
    for (let n = 0; n < 30; n += 1) expect((await guess(person.email)).error).toMatchObject(EXPIRED);
    await browser(app.url).signInWithOtp({ email: person.email });
    for (const token of ['wrong', '1234567', 'A'.repeat(43), '12345', '١٢٣٤٥٦'])
      for (let n = 0; n < 5; n += 1) {
        const { error } = await browser(app.url).verifyOtp({ email: person.email, token, type: 'email' });
        expect(error).toMatchObject(EXPIRED);
      }

    expect((await guess(person.email)).error).toMatchObject(EXPIRED);
  });
});
