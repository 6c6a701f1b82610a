import { describe, expect, it } from '@jest/globals';
import { nextMail, type TestMail, unreadMail } from '../support/mail.js';
import { anyAddress, applicant, browser, get, openLink, program, signIn, signUpByMail } from './people.js';
import { EXPIRED, SITE, startWithMails } from './with-mails.js';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import { Client } from '../support/client.js';

const { app, database, settled } = await startWithMails();

describe('signing up with an address to confirm', () => {
  it('answers the user without a session, and creates the account when the code is entered', async () => {
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

  it('creates the account when the link is opened, with a session only for the browser that signed up', async () => {
    const person = applicant();
    const client = browser(app.url);
    await client.signUp({
      ...person,
      options: { ...person.options, emailRedirectTo: `${SITE}/?bem=vindo` },
    });
    const { link } = await nextMail(person.email);
    expect(link.startsWith(`${SITE}/auth/v1/verify?token=pkce_`)).toBe(true);

    const { status, to, query, hash } = await openLink(app, link);

    const token = new URL(link).searchParams.get('token');
    expect({ status, to, hash }).toEqual({
      status: 303,
      to: `${SITE}/`,
      hash: { token, type: 'signup', sb: '' },
    });
    expect(query).toEqual({ bem: 'vindo', code: expect.any(String) });
    const elsewhere = await browser(app.url).exchangeCodeForSession(query.code!);
    expect(elsewhere.data.session).toBeNull();
    const { data, error } = await client.exchangeCodeForSession(query.code!);
    expect(error).toBeNull();
    expect(data.user?.email).toBe(person.email);
    expect((await client.exchangeCodeForSession(query.code!)).error).not.toBeNull();
  });

  it('refuses a known address at once, and answers a correct password that the address is not confirmed', async () => {
    const { person } = await signUpByMail(app.url);
    const known = await browser(app.url).signUp({ ...applicant(), email: person.email });
    expect(known.error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    });

    const unread = applicant();
    await browser(app.url).signUp(unread);

    expect((await signIn(app.url, unread)).error).toMatchObject({ status: 400, code: 'email_not_confirmed' });
    expect((await signIn(app.url, { ...unread, password: 'outra senha' })).error).toMatchObject({
      code: 'invalid_credentials',
    });
  });

  it('gives an address only to the person who receives its mail', async () => {
    const owner = applicant();
    const thief = { ...applicant(), email: owner.email, password: 'senha-do-ladrao-1' };
    await browser(app.url).signUp(thief);
    await nextMail(owner.email);
    const client = browser(app.url);
    await client.signUp(owner);
    const { link } = await nextMail(owner.email);

    const { query } = await openLink(app, link);
    expect((await client.exchangeCodeForSession(query.code!)).error).toBeNull();

    expect((await signIn(app.url, thief)).error?.code).toBe('invalid_credentials');
    expect((await signIn(app.url, owner)).error).toBeNull();
    expect(await database.query('select from auth.pending_sign_ups where email = $1', [owner.email])).toEqual(
      [],
    );
  });

  it('reports a known CPF by mail only, once the address is confirmed', async () => {
    const { person: owner } = await signUpByMail(app.url);
    const person = applicant({ cpf: owner.options.data.cpf });
    const client = browser(app.url);
    expect((await client.signUp(person)).error).toBeNull();
    const { code, subject } = await nextMail(person.email);
    expect(subject).toBe('Confirme sua conta no Rende');
    await settled();
    expect(await unreadMail(owner.email)).toEqual([]);

    const { error } = await client.verifyOtp({ email: person.email, token: code, type: 'signup' });

    expect(error).toBeNull();
    expect((await nextMail(owner.email)).subject).toBe('Seu CPF foi usado em outro cadastro no Rende');
    expect((await nextMail(person.email)).subject).toBe(
      'O CPF que você informou já está em outra conta do Rende',
    );
  });

  it('encrypts the data of a pending sign-up in the database', async () => {
    const person = applicant({ nome: 'Quitéria Pendente' });
    await browser(app.url).signUp(person);

    const rows = await database.query<{ row: string }>('select p::text as row from auth.pending_sign_ups p');
    const written = rows.map(({ row }) => row).join();
    for (const secret of [person.options.data.cpf, 'Quitéria', '943214321', '1990-02-28']) {
      expect(written).not.toContain(secret);
      expect(written).not.toContain(Buffer.from(secret).toString('hex'));
    }
  });

  it('resends the confirmation, only to an address with a pending sign-up', async () => {
    const person = applicant();
    const client = browser(app.url);
    await client.signUp(person);
    const first = await nextMail(person.email);
    const known = await signUpByMail(app.url);

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

type Browser = ReturnType<typeof browser>;
interface SignUp {
  client: Browser;
  person: ReturnType<typeof applicant>;
  mail: TestMail;
}

/** The owner of an address and a stranger both sign up with it, in either order. */
async function rivals(first: 'owner' | 'stranger', make = browser) {
  const ofOwner = applicant({ nome: 'Olga Dona' });
  const ofStranger = {
    ...applicant({ nome: 'Elias Estranho' }),
    email: ofOwner.email,
    password: 'Mata-Escura-13',
  };
  const sign = async (person: SignUp['person']): Promise<SignUp> => {
    const client = make(app.url);
    expect((await client.signUp(person)).error).toBeNull();
    return { client, person, mail: await nextMail(person.email) };
  };
  if (first === 'owner') {
    const owner = await sign(ofOwner);
    return { owner, stranger: await sign(ofStranger), email: ofOwner.email };
  }
  const stranger = await sign(ofStranger);
  return { owner: await sign(ofOwner), stranger, email: ofOwner.email };
}

/** Expects the account to have the owner's password and profile, and nothing of the stranger's. */
async function expectOwners({ owner, stranger, email }: { owner: SignUp; stranger: SignUp; email: string }) {
  expect((await signIn(app.url, stranger.person)).error?.code).toBe('invalid_credentials');
  const { data, error } = await signIn(app.url, owner.person);
  expect(error).toBeNull();
  expect(data.user?.user_metadata).toEqual({ nome: 'Olga Dona' });
  expect(await database.query('select from auth.pending_sign_ups where email = $1', [email])).toEqual([]);
  const { client, mail } = stranger;
  expect((await client.verifyOtp({ email, token: mail.code, type: 'signup' })).error).toMatchObject(EXPIRED);
}

it("discards a stranger's password if the owner, who only requested a code, enters that of the stranger's mail", async () => {
  const stranger = { ...applicant({ nome: 'Elias Estranho' }), password: 'Mata-Escura-13' };
  expect((await browser(app.url).signUp(stranger)).error).toBeNull();
  const { code } = await nextMail(stranger.email);
  const owner = browser(app.url);
  await owner.signInWithOtp({ email: stranger.email });
  await settled();

  const { error } = await owner.verifyOtp({ email: stranger.email, token: code, type: 'signup' });

  expect(error).toBeNull();
  expect((await signIn(app.url, stranger)).error?.code).toBe('invalid_credentials');
  expect((await owner.updateUser({ password: 'Serra-Verde-77' })).error).toBeNull();
});

const orders = [['owner'], ['stranger']] as const;

describe('two sign-ups for one address', () => {
  describe.each(orders)('of which the %s is first', (first) => {
    it.each([['own'], ["the stranger's"]])('the owner types the code of %s mail', async (whose) => {
      const both = await rivals(first);
      const { code } = (whose === 'own' ? both.owner : both.stranger).mail;

      const { data, error } = await both.owner.client.verifyOtp({
        email: both.email,
        token: code,
        type: 'signup',
      });

      expect(error).toBeNull();
      expect(data.user?.user_metadata).toEqual({ nome: 'Olga Dona' });
      await expectOwners(both);
    });

    it.each([['own'], ["the stranger's"]])('the owner opens the link of %s mail', async (whose) => {
      const both = await rivals(first);
      const { link } = (whose === 'own' ? both.owner : both.stranger).mail;

      const { query } = await both.owner.client.open(link);

      expect((await both.owner.client.exchangeCodeForSession(query.code!)).error).toBeNull();
      await expectOwners(both);
    });

    it('the owner opens their own link in a program without cookies', async () => {
      const both = await rivals(first, program);

      const { query } = await openLink(app, both.owner.mail.link);

      expect((await both.owner.client.exchangeCodeForSession(query.code!)).error).toBeNull();
      await expectOwners(both);
    });

    it.each([['own'], ["the stranger's"]])(
      'the owner types the code of %s mail into a program without cookies, and sets the password then',
      async (whose) => {
        const both = await rivals(first, program);
        const { code } = (whose === 'own' ? both.owner : both.stranger).mail;

        const { client, person } = both.owner;
        const { error } = await client.verifyOtp({ email: both.email, token: code, type: 'signup' });

        expect(error).toBeNull();
        for (const each of [both.owner, both.stranger])
          expect((await signIn(app.url, each.person)).error?.code).toBe('invalid_credentials');
        expect((await client.updateUser({ password: 'Serra-Verde-77' })).error).toBeNull();
        expect((await signIn(app.url, { ...person, password: 'Serra-Verde-77' })).error).toBeNull();
      },
    );

    it('a repeated confirmation is for the sign-up of the requesting browser', async () => {
      const both = await rivals(first);
      const { client } = both.owner;
      expect((await browser(app.url).resend({ type: 'signup', email: both.email })).error).toBeNull();
      await nextMail(both.email);
      await database.query('delete from rate_limits');
      expect((await client.resend({ type: 'signup', email: both.email })).error).toBeNull();
      const { link } = await nextMail(both.email);

      const { query } = await openLink(app, link);

      expect((await client.exchangeCodeForSession(query.code!)).error).toBeNull();
      await expectOwners(both);
    });
  });
});

it("a link that a stranger requested signs the browser of the sign-up in to its account, with the sign-up's password", async () => {
  const person = applicant();
  const owner = browser(app.url);
  await owner.signUp(person);
  await nextMail(person.email);
  const stranger = browser(app.url);
  expect((await stranger.resend({ type: 'signup', email: person.email })).error).toBeNull();

  const { query } = await owner.open((await nextMail(person.email)).link);

  expect((await stranger.exchangeCodeForSession(query.code!)).error?.code).toBe('bad_code_verifier');
  expect((await owner.exchangeCodeForSession(query.code!)).error).toBeNull();
  expect((await signIn(app.url, person)).error).toBeNull();
});

describe("a stranger's sign-up", () => {
  const strangers = async (make = browser) => {
    const person = applicant();
    const client = make(app.url);
    await client.signUp(person);
    return { person, client, mail: await nextMail(person.email) };
  };

  it('creates no account when the owner of the address opens its link', async () => {
    const { person, client, mail } = await strangers();
    const owners = browser(app.url);

    const { query } = await owners.open(mail.link);

    expect((await owners.exchangeCodeForSession(query.code!)).data.session).toBeNull();
    expect(await database.query('select from auth.users where email = $1', [person.email])).toEqual([]);
    expect(
      (await client.signInWithPassword({ email: person.email, password: person.password })).error?.code,
    ).toBe('email_not_confirmed');
  });

  it('does not prevent the owner from signing up, who can use any mail to the address', async () => {
    const { person, mail } = await strangers();
    const owners = browser(app.url);
    await owners.open(mail.link);
    const own = { ...applicant(), email: person.email, password: 'Serra-Verde-77' };
    await owners.signUp(own);

    const { error } = await owners.verifyOtp({ email: person.email, token: mail.code, type: 'signup' });

    expect(error).toBeNull();
    expect((await signIn(app.url, own)).error).toBeNull();
    expect((await signIn(app.url, person)).error?.code).toBe('invalid_credentials');
  });

  it.each<[string, (client: Browser, email: string) => Promise<unknown>]>([
    ['a magic link', (client, email) => client.signInWithOtp({ email })],
    ['another confirmation', (client, email) => client.resend({ type: 'signup', email })],
  ])('gives the owner who asks for %s an account without its password', async (_what, ask) => {
    for (const by of ['code', 'link']) {
      const { person } = await strangers(program);
      await database.query('delete from rate_limits');
      const owners = browser(app.url);
      await ask(owners, person.email);
      const { code, link } = await nextMail(person.email);

      const { error } = await (by === 'code'
        ? owners.verifyOtp({ email: person.email, token: code, type: 'email' })
        : owners.exchangeCodeForSession((await owners.open(link)).query.code!));

      expect(error).toBeNull();
      expect((await signIn(app.url, person)).error?.code).toBe('invalid_credentials');
      expect((await owners.updateUser({ password: 'Serra-Verde-77' })).error).toBeNull();
    }
  });

  it('without PKCE, does not apply its password when the link is opened', async () => {
    const person = applicant();
    const { options, ...who } = person;
    await fetch(`${app.url}/auth/v1/signup`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...who, data: options.data }),
    });
    const { link } = await nextMail(person.email);

    const { hash } = await browser(app.url).open(link);

    expect((await get(`${app.url}/api/v1/me`, hash.access_token!)).status).toBe(200);
    expect((await signIn(app.url, person)).error?.code).toBe('invalid_credentials');
  });

  it('gets no password mail, which is sent to accounts only', async () => {
    const { person } = await strangers();
    await database.query('delete from rate_limits');

    expect((await browser(app.url).resetPasswordForEmail(person.email)).error).toBeNull();

    await settled();
    expect(await unreadMail(person.email)).toEqual([]);
  });

  it('does not block the address, however often it is repeated', async () => {
    const { email } = applicant();
    for (let n = 0; n < 4; n += 1) {
      await browser(app.url).signUp({ ...applicant(), email });
      await nextMail(email);
    }
    const owner = { ...applicant(), email };
    const client = browser(app.url);
    await client.signUp(owner);
    const { code } = await nextMail(email);
    for (let n = 0; n < 8; n += 1) await browser(app.url).signUp({ ...applicant(), email });

    expect((await client.verifyOtp({ email, token: code, type: 'signup' })).error).toBeNull();
    expect((await signIn(app.url, owner)).error).toBeNull();
  });
});

it('a sign-up is confirmed once, also by concurrent requests', async () => {
  const person = applicant();
  const client = browser(app.url);
  await client.signUp(person);
  const { code, link } = await nextMail(person.email);
  const opened = (await client.open(link)).query.code!;

  const answers = await Promise.all([
    ...[1, 2, 3].map(() => client.verifyOtp({ email: person.email, token: code, type: 'signup' })),
    client.exchangeCodeForSession(opened),
  ]);

  expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
  for (const { error } of answers) expect(error?.status ?? 200).toBeLessThan(500);
});

it('an invited student keeps the invite, whoever else signs up with the address', async () => {
  const trainer = await signUpByMail(app.url);
  const accessToken = trainer.session.access_token;
  const api = new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });
  const { id } = (await api.post('/students', { nome: 'Sofia Lima', whatsapp: '(11) 94321-4321' })).body;
  const { inviteUrl } = (await api.post<NewInvite>(`/students/${id}/invites`)).body;
  const token = inviteUrl.split('/').at(-1)!;
  const person = applicant();
  const invited = {
    ...person,
    options: { data: { nome: 'Sofia Lima', convite: token } as unknown as typeof person.options.data },
  };
  const client = browser(app.url);
  expect((await client.signUp(invited)).error).toBeNull();
  await nextMail(person.email);
  await browser(app.url).signUp({ ...applicant(), email: person.email });
  const { code } = await nextMail(person.email);

  const { data } = await client.verifyOtp({ email: person.email, token: code, type: 'signup' });

  const me = await get(`${app.url}/api/v1/me`, data.session!.access_token);
  expect(me.body).toMatchObject({ user: { nome: 'Sofia Lima' }, membership: { role: 'aluno' } });
});

it('the secret of a browser is only in its cookie', async () => {
  const response = await fetch(`${app.url}/auth/v1/signup`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify((({ options, ...who }) => ({ ...who, data: options.data }))(applicant())),
  });

  const cookie = response.headers.get('set-cookie')!;
  expect(cookie).toMatch(
    /^__Host-rende-device=[\w-]{43}; Path=\/; Max-Age=34560000; HttpOnly; SameSite=Lax; Secure$/,
  );
  const secret = cookie.slice(cookie.indexOf('=') + 1, cookie.indexOf(';'));
  const [row] = await database.query<{ device: Buffer }>(
    'select device from auth.pending_sign_ups order by created_at desc limit 1',
  );
  expect(row!.device).toHaveLength(32);
  expect(row!.device.equals(Buffer.from(secret, 'base64url'))).toBe(false);
});
