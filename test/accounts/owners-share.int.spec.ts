import { describe, expect, it } from '@jest/globals';
import { Metrics } from '../../backend/platform/ops/metrics.js';
import { nextMail, unreadMail } from '../support/mail.js';
import { applicant, browser, get, openLink, signIn, signUpByMail } from './people.js';
import { EXPIRED, SITE, startWithMails } from './with-mails.js';

const { app, database, settled } = await startWithMails();

const MAIL_LIMIT = { status: 429, code: 'over_email_send_rate_limit' };
const LIMIT = { status: 429, code: 'over_request_rate_limit' };
const NEW_PASSWORD = 'Serra-Verde-77';

async function spendMails(email: string) {
  const answers = await Promise.all(
    Array.from({ length: 31 }, () => browser(app.url).resetPasswordForEmail(email)),
  );
  expect(answers.map(({ error }) => error)).toContainEqual(expect.objectContaining(MAIL_LIMIT));
  await settled();
  await unreadMail(email);
}

describe("31 requests for mail from strangers' addresses", () => {
  it('do not use up the mails of a signed-in person, also to a new address', async () => {
    const { person, session } = await signUpByMail(app.url);
    await spendMails(person.email);

    const asked = await get(`${app.url}/auth/v1/reauthenticate`, session.access_token);

    expect(asked.status).toBe(200);
    const { code } = await nextMail(person.email);
    const email = applicant().email;
    await spendMails(email);
    const changed = await fetch(`${app.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ email, nonce: code }),
    });
    expect(changed.status).toBe(200);
    for (const each of [person.email, email]) expect((await nextMail(each)).code).toMatch(/^\d{6}$/);
  });

  it('do not use up the password mail of a browser known to the account; other browsers wait at most ten minutes', async () => {
    const { person, client } = await signUpByMail(app.url);
    await client.signOut();
    await spendMails(person.email);

    expect((await client.resetPasswordForEmail(person.email)).error).toBeNull();

    const { query } = await client.open((await nextMail(person.email)).link);
    expect((await client.exchangeCodeForSession(query.code!)).error).toBeNull();
    expect((await client.updateUser({ password: NEW_PASSWORD })).error).toBeNull();
    const refused = await fetch(`${app.url}/auth/v1/recover`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': '10.9.8.7' },
      body: JSON.stringify({ email: person.email }),
    });
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(600);
  });

  it("do not let a browser of another account use this account's limit", async () => {
    const { client } = await signUpByMail(app.url);
    const { person } = await signUpByMail(app.url);
    await spendMails(person.email);

    expect((await client.resetPasswordForEmail(person.email)).error).toMatchObject(MAIL_LIMIT);
  });

  it('do not use up the mail of a first sign-up', async () => {
    const person = applicant();
    await spendMails(person.email);
    const client = browser(app.url);

    expect((await client.signUp(person)).error).toBeNull();

    const { code } = await nextMail(person.email);
    const { error } = await client.verifyOtp({ email: person.email, token: code, type: 'signup' });
    expect(error).toBeNull();
  });

  it('do not use it up even if a stranger in the same network has just requested a mail', async () => {
    const person = applicant();
    const neighbours = '10.55.0.1';
    await browser(app.url, neighbours).resetPasswordForEmail(person.email);
    const again = await browser(app.url, neighbours).resetPasswordForEmail(person.email);
    expect(again.error).toMatchObject(MAIL_LIMIT);
    const client = browser(app.url, neighbours);

    expect((await client.signUp(person)).error).toBeNull();

    const { code } = await nextMail(person.email);
    const { error } = await client.verifyOtp({ email: person.email, token: code, type: 'signup' });
    expect(error).toBeNull();
  });

  it('made as sign-ups leave a code in the mailbox with which the owner can sign in', async () => {
    const person = applicant();
    for (let n = 0; n < 31; n += 1) {
      const { error } = await browser(app.url).signUp({ ...applicant(), email: person.email });
      expect(error).toBeNull();
    }
    await settled();
    const mails = await unreadMail(person.email);
    expect(mails).toHaveLength(5);
    const client = browser(app.url);
    expect((await client.signUp(person)).error).toBeNull();
    await settled();
    expect(await unreadMail(person.email)).toEqual([]);
    const codes = await Promise.all(
      mails.map(async ({ code, link }) => ({ code, at: (await openLink(app, link)).status })),
    );
    expect(codes).toHaveLength(5);

    const tried = [];
    for (const { code } of codes) {
      const { error } = await client.verifyOtp({ email: person.email, token: code, type: 'signup' });
      tried.push(error === null);
      if (error === null) break;
    }

    expect(tried.at(-1)).toBe(true);
    expect((await signIn(app.url, person)).error).toBeNull();
  });
});

describe('an owner at a new browser', () => {
  /** Enters wrong codes, each in a browser that requested a mail of its own. */
  const burnOwnMails = async (email: string) => {
    for (let n = 0; n < 5; n += 1) {
      const stranger = browser(app.url);
      await stranger.signInWithOtp({ email });
      const { code } = await nextMail(email);
      const token = code === '012345' ? '543210' : '012345';
      for (let tries = 0; tries < 6; tries += 1) await stranger.verifyOtp({ email, token, type: 'email' });
    }
  };
  const burnMailsOfOthers = async (email: string, code: string) => {
    const token = code === '012345' ? '543210' : '012345';
    const errors = [];
    for (let n = 0; n < 30; n += 1)
      errors.push((await browser(app.url).verifyOtp({ email, token, type: 'email' })).error);
    expect(errors.at(-1)).toMatchObject(LIMIT);
  };

  it('can use the code of the mail that it requested, whatever others guess and request', async () => {
    const { person } = await signUpByMail(app.url);
    const owner = browser(app.url);
    await owner.signInWithOtp({ email: person.email });
    const { code } = await nextMail(person.email);

    await burnMailsOfOthers(person.email, code);
    await browser(app.url).signInWithOtp({ email: person.email });
    await nextMail(person.email);

    expect((await owner.verifyOtp({ email: person.email, token: code, type: 'email' })).error).toBeNull();
  });

  it.each(['magiclink', 'recovery', 'signup'] as const)(
    'enters with the link of a mail that somebody else asked for: %s',
    async (type) => {
      const person = type === 'signup' ? applicant() : (await signUpByMail(app.url)).person;
      const { email } = person;
      const ask = {
        magiclink: () => browser(app.url).signInWithOtp({ email }),
        recovery: () => browser(app.url).resetPasswordForEmail(email),
        signup: () => browser(app.url).signUp(person),
      }[type];
      for (let n = 0; n < 6; n += 1) await ask();
      await settled();
      const mails = await unreadMail(email);
      expect(mails).toHaveLength(5);
      await burnMailsOfOthers(email, mails[0]!.code);
      const owner = browser(app.url);
      if (type !== 'signup') {
        const limited = {
          magiclink: () => owner.signInWithOtp({ email }),
          recovery: () => owner.resetPasswordForEmail(email),
        };
        expect((await limited[type]()).error).toMatchObject(MAIL_LIMIT);
      }

      const { to, query, hash } = await owner.open(mails.at(-1)!.link);
      expect(to).toBe(`${SITE}/`);
      expect((await owner.exchangeCodeForSession(query.code!)).error).not.toBeNull();
      const { data, error } = await owner.verifyOtp({ email, token: hash.token!, type });

      expect(error).toBeNull();
      expect(data.user!.email).toBe(email);
      const changed = await owner.updateUser({ password: NEW_PASSWORD });
      if (type !== 'magiclink') expect(changed.error).toBeNull();
    },
  );

  it('can use a link after too many wrong codes for the mails that strangers requested', async () => {
    const { person } = await signUpByMail(app.url);
    const { email } = person;
    await burnOwnMails(email);
    await database.query("delete from rate_limits where key like 'rate:otp-mail-by-account%'");
    const owner = browser(app.url);
    await owner.signInWithOtp({ email });
    const { code, link } = await nextMail(email);

    expect((await owner.verifyOtp({ email, token: code, type: 'email' })).error).toMatchObject(LIMIT);

    const { query } = await owner.open(link);
    expect((await owner.exchangeCodeForSession(query.code!)).error).toBeNull();
  });

  it("cannot use another person's link with the own address", async () => {
    const { person } = await signUpByMail(app.url);
    const stranger = (await signUpByMail(app.url)).person;
    await browser(app.url).signInWithOtp({ email: stranger.email });
    const { link } = await nextMail(stranger.email);
    const owner = browser(app.url);

    const { hash } = await owner.open(link);

    expect(
      (await owner.verifyOtp({ email: person.email, token: hash.token!, type: 'magiclink' })).error,
    ).toMatchObject(EXPIRED);
    expect(
      (await owner.verifyOtp({ email: stranger.email, token: hash.token!, type: 'recovery' })).error,
    ).toMatchObject(EXPIRED);
  });
});

it('a new password makes all browsers unknown except the one that set it', async () => {
  const { person, client } = await signUpByMail(app.url);
  const { email, password } = person;
  const other = browser(app.url);
  expect((await other.signInWithPassword({ email, password })).error).toBeNull();
  const knownDevices = () =>
    database.query(
      'select from auth.known_devices k join auth.users u on u.id = k.user_id where u.email = $1',
      [email],
    );
  expect(await knownDevices()).toHaveLength(2);

  expect((await client.updateUser({ password: NEW_PASSWORD, current_password: password })).error).toBeNull();

  expect(await knownDevices()).toHaveLength(1);
  for (let n = 0; n < 51; n += 1) await browser(app.url).signInWithPassword({ email, password: 'errada' });
  const again = { email, password: NEW_PASSWORD };
  expect((await other.signInWithPassword(again)).error).toMatchObject(LIMIT);
  expect((await client.signInWithPassword(again)).error).toBeNull();
});

it("refused attempts of one address do not count towards the strangers' shared limit", async () => {
  const { person } = await signUpByMail(app.url);
  const wrong = (address?: string) =>
    browser(app.url, address).signInWithPassword({ email: person.email, password: 'errada' });
  for (let n = 0; n < 70; n += 1) await wrong('10.66.0.1');
  expect((await wrong('10.66.0.1')).error).toMatchObject(LIMIT);

  for (let n = 0; n < 30; n += 1) expect((await wrong()).error?.code).toBe('invalid_credentials');
  expect((await wrong()).error).toMatchObject(LIMIT);
});

describe('80 wrong passwords for one account', () => {
  const guess = async (email: string, addresses: readonly string[]) => {
    const errors = [];
    for (const address of addresses) {
      const { error } = await browser(app.url, address).signInWithPassword({ email, password: 'errada' });
      errors.push(error!.code);
    }
    return errors;
  };
  const fromEverywhere = Array.from({ length: 80 }, (_, n) => `10.77.0.${n + 1}`);
  const ofOneNetwork = Array.from({ length: 80 }, (_, n) => `2001:db8:77:${n.toString(16)}::1`);

  it.each([
    ['80 addresses', fromEverywhere],
    ['80 networks of one IPv6 /48', ofOneNetwork],
  ])('from %s are stopped after 50; its browsers and a mailed code go on', async (_from, addresses) => {
    const { person, client } = await signUpByMail(app.url);
    const before = await slowed();
    await client.signOut();

    const codes = await guess(person.email, addresses);

    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(50);
    expect(codes.slice(50)).toEqual(Array(30).fill('over_request_rate_limit'));
    expect(await slowed()).toBe(before + 30);
    expect((await signIn(app.url, person)).error).toMatchObject(LIMIT);
    expect((await client.signInWithPassword({ email: person.email, password: 'errada' })).error?.code).toBe(
      'invalid_credentials',
    );
    const { email, password } = person;
    expect((await client.signInWithPassword({ email, password })).error).toBeNull();
    expect(
      (await client.updateUser({ password: NEW_PASSWORD, current_password: password })).error,
    ).toBeNull();

    const warning = await nextMail(email);
    expect(warning.subject).toBe('Muitas senhas erradas na sua conta do Rende');
    // Trainers and students have the page "Conta", where the password is changed; students have no "Ajustes".
    expect(warning.text).toContain('troque na página Conta.');
    await settled();
    expect(await unreadMail(email)).toEqual([]);

    const other = browser(app.url);
    await other.signInWithOtp({ email, options: { shouldCreateUser: false } });
    const { code } = await nextMail(email);
    expect((await other.verifyOtp({ email, token: code, type: 'email' })).error).toBeNull();
    await other.signOut();
    expect((await other.signInWithPassword({ email, password: NEW_PASSWORD })).error).toBeNull();
  });

  it('are answered the same way for an unknown address, without a mail', async () => {
    const { email } = applicant();
    const codes = await guess(email, fromEverywhere.slice(0, 60));

    expect(codes.slice(49, 51)).toEqual(['invalid_credentials', 'over_request_rate_limit']);
    await settled();
    expect(await unreadMail(email)).toEqual([]);
  });

  it('spread over accounts are stopped after 500 from one IPv6 /48', async () => {
    const attempt = async (n: number) => {
      const client = browser(app.url, `2001:db8:78:${n.toString(16)}::1`);
      const { error } = await client.signInWithPassword({ email: applicant().email, password: 'errada' });
      return error!.code;
    };
    const ofNetworks = "where key like 'rate:password-by-network%'";
    await database.query(`delete from rate_limits ${ofNetworks}`);
    expect(await attempt(0)).toBe('invalid_credentials');
    // As if all but ten attempts had been made.
    await database.query(`update rate_limits set points = 490 ${ofNetworks}`);
    const codes = await Promise.all(Array.from({ length: 20 }, (_, n) => attempt(n + 1)));

    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
  });

  async function slowed(): Promise<number> {
    const { values } = await app.nest.get(Metrics).passwordsSlowed.get();
    return values[0]?.value ?? 0;
  }
});

it('a forged cookie is ignored, and a known one alone gives no access', async () => {
  const { person, client } = await signUpByMail(app.url);
  const ask = (cookie: string) =>
    fetch(`${app.url}/auth/v1/user`, { headers: { cookie } }).then(({ status }) => status);
  expect(await ask(client.cookies())).toBe(401);

  for (const cookie of [
    '__Host-rende-device=x',
    `__Host-rende-device=${'A'.repeat(43)}`,
    'rende-device=; ; =',
  ]) {
    const response = await fetch(`${app.url}/auth/v1/token?grant_type=password`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie },
      body: JSON.stringify({ email: person.email, password: 'errada' }),
    });
    expect(response.status).toBe(400);
    expect(response.headers.get('ratelimit-policy')).toContain('password-by-account');
    expect(response.headers.get('set-cookie')).toBeNull();
  }
  expect(new URL(SITE).protocol).toBe('https:');
});
