import { describe, expect, it } from '@jest/globals';
import { nextMail } from '../support/mail.js';
import { applicant, browser, openLink, signUpByMail } from './people.js';
import { EXPIRED, SITE, startWithMails } from './with-mails.js';

const { app, database } = await startWithMails();

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
