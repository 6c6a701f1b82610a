import { describe, expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { createDatabase } from '../support/database.js';
import { nextMail, unreadMail } from '../support/mail.js';
import { applicant, browser, get, openLink, signIn, signUp, signUpByMail } from './people.js';
import { SITE, startWithMails } from './with-mails.js';

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

it('without confirmation of addresses, signing up gives a session at once, and mails still work', async () => {
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
