import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Authenticator } from '../support/authenticator.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { CLIENT_SECRET, startProvider } from '../support/openid.js';
import { signUp as signUpTrainer } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { smtp } from '../support/smtp.js';
import { holdCopies } from './own-data.js';
import { add, enter } from './passkeys.js';
import { anyAddress, applicant, browser, get, signIn, signUp } from './people.js';
import { enrol, protectedPerson, shown, withPassword } from './second-factor.js';

interface Line {
  event: string;
  userId?: string;
  sessionId?: string;
  reason?: string;
  limit?: string;
  address?: string;
  requestId?: string;
}

const database = await testDatabase();
const mails = await smtp();
const { issuer } = await startProvider('http://localhost/auth/v1/callback');
const server = await startProcess({
  env: {
    LOG_LEVEL: 'info',
    SMTP_URL: mails.url,
    MAILER_AUTOCONFIRM: 'true',
    GOOGLE_CLIENT_ID: 'rende',
    GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
    GOOGLE_ISSUER: issuer,
  },
});

/** Log lines of security events of one person or one address. */
const lines = ({ userId, address }: { userId?: string; address?: string }) =>
  server
    .output()
    .split('\n')
    .filter((line) => line.includes('"msg":"security event"'))
    .map((line) => JSON.parse(line) as Line)
    .filter((line) => (userId ? line.userId === userId : line.address === address));
const count = (who: { userId?: string; address?: string }, event: string) =>
  lines(who).filter((line) => line.event === event).length;
/** Waits for the one log line with this event. */
async function line(who: { userId?: string; address?: string }, event: string): Promise<Line> {
  await eventually(() => Promise.resolve(count(who, event)), 1);
  return lines(who).find((each) => each.event === event)!;
}
const shortened = (address: string) => address.replace(/\d+$/, '0');
const sessionOf = (token: string) => decodeJwt(token).session_id as string;

/** Subjects of the mails to the owner, after all mails are sent. */
async function notices(email: string): Promise<string[]> {
  await eventually(async () => (await database.query('select from mails where done_at is null')).length, 0);
  return mails.received
    .filter(({ to }) => to.includes(email))
    .map(({ headers }) => headers.get('subject')!)
    .filter((subject) => subject.startsWith('Aviso de segurança: '))
    .map((subject) => subject.slice('Aviso de segurança: '.length))
    .sort();
}
const kept = async (userId: string) =>
  (
    await database.query<{ event: string }>(
      'select event from auth.security_events where user_id = $1 order by at, event',
      [userId],
    )
  ).map(({ event }) => event);

describe('the log has an event of its own, with ids and the shortened address, where', () => {
  it('a sign-in fails: with the account where there is one', async () => {
    const { person, user } = await signUp(server.url);
    const address = anyAddress();
    await signIn(server.url, { email: person.email, password: 'não é esta' }, address);

    expect(await line({ userId: user.id }, 'sign_in_failed')).toMatchObject({
      reason: 'invalid_credentials',
      address: shortened(address),
      requestId: expect.any(String),
    });
    const nobody = anyAddress();
    await signIn(server.url, { email: applicant().email, password: 'qualquer' }, nobody);
    expect((await line({ address: shortened(nobody) }, 'sign_in_failed')).userId).toBeUndefined();
  });

  it('a sign-in succeeds: by which method', async () => {
    const { person, user } = await signUp(server.url);
    const address = anyAddress();
    const { data } = await signIn(server.url, person, address);
    const where = { address: shortened(address) };
    expect(await line(where, 'signed_in')).toMatchObject({
      userId: user.id,
      sessionId: sessionOf(data.session!.access_token),
      reason: 'password',
    });
  });

  it('a person returns from a provider with an error, or with a sign-in that has expired', async () => {
    const address = anyAddress();
    const visit = (path: string) =>
      fetch(`${server.url}/auth/v1/${path}`, {
        headers: { 'X-Forwarded-For': address },
        redirect: 'manual',
      });
    const there = (await visit('authorize?provider=google')).headers.get('location')!;
    const back = `callback?state=${new URL(there).searchParams.get('state')}&error=access_denied`;
    expect((await visit(back)).headers.get('location')).toContain('error_code=bad_oauth_callback');
    expect((await visit(back)).status).toBe(400);

    const where = { address: shortened(address) };
    await eventually(() => Promise.resolve(count(where, 'sign_in_failed')), 2);
    expect(lines(where).map(({ reason }) => reason)).toEqual([
      'bad_oauth_callback',
      'flow_state_already_used',
    ]);
  });

  it('a mailed code or link has expired', async () => {
    const [typed, opened] = [anyAddress(), anyAddress()];
    await browser(server.url, typed).verifyOtp({ email: applicant().email, token: '123456', type: 'email' });
    await fetch(`${server.url}/auth/v1/verify/link`, {
      method: 'POST',
      headers: { 'X-Forwarded-For': opened },
      body: new URLSearchParams({ type: 'magiclink', token: 'nonsense' }),
      redirect: 'manual',
    });
    for (const address of [typed, opened])
      expect(await line({ address: shortened(address) }, 'sign_in_failed')).toMatchObject({
        reason: 'otp_expired',
      });
  });

  it('an account gets too many attempts', async () => {
    const { person, user } = await signUp(server.url);
    const address = anyAddress();
    const wrong = { email: person.email, password: 'não é esta' };
    for (let n = 0; n < 20; n += 1) await signIn(server.url, wrong, address);
    expect((await signIn(server.url, person, address)).error?.status).toBe(429);

    await eventually(() => Promise.resolve(count({ userId: user.id }, 'sign_in_failed')), 20);
    expect(await line({ address: shortened(address) }, 'limit_reached')).toMatchObject({
      limit: 'password-by-account',
    });
  });

  it('a second factor, a password or a mailed code is wrong', async () => {
    const { client, user, factorId } = await protectedPerson(server.url);
    await client.mfa.challengeAndVerify({ factorId, code: '000000' });
    await client.updateUser({ password: 'Serra-Verde-77', current_password: 'não é esta' });

    expect(await line({ userId: user.id }, 'second_factor_failed')).toBeTruthy();
    expect(await line({ userId: user.id }, 'proof_failed')).toMatchObject({
      reason: 'current_password_invalid',
    });
    const trainer = await signUpTrainer(server);
    await trainer.api.request('POST', '/api/v1/account/exports', { body: { senha: 'não é esta' } });
    expect(await line(trainer, 'proof_failed')).toMatchObject({ reason: 'senha' });
  });

  it('a session is ended: by itself, from another device, or because a refresh token was replayed', async () => {
    const { person, user, client, session } = await signUp(server.url);
    const [left, ended, replayed] = await Promise.all(
      [1, 2, 3].map(async () => (await signIn(server.url, person)).data.session!),
    );
    const leaving = browser(server.url);
    await leaving.setSession(left!);
    await leaving.signOut({ scope: 'local' });
    await fetch(`${server.url}/api/v1/account/sessions/${sessionOf(ended!.access_token)}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${session.access_token}`, 'idempotency-key': randomUUID() },
    });
    let newest = replayed!.refresh_token;
    for (let n = 0; n < 3; n += 1)
      newest = (await browser(server.url).refreshSession({ refresh_token: newest })).data.session!
        .refresh_token;
    await database.query("update auth.sessions set refreshed_at = now() - interval '1 minute'");
    await browser(server.url).refreshSession({ refresh_token: replayed!.refresh_token });

    expect(await line({ userId: user.id }, 'refresh_token_replayed')).toBeTruthy();
    const ends = () =>
      lines({ userId: user.id })
        .filter(({ event }) => event === 'session_ended')
        .map(({ sessionId, reason }) => [sessionId, reason]);
    await eventually(() => Promise.resolve(ends().length), 3);
    expect(ends()).toEqual([
      [sessionOf(left!.access_token), 'signed_out'],
      [sessionOf(ended!.access_token), 'ended_on_another_device'],
      [sessionOf(replayed!.access_token), 'refresh_token_replayed'],
    ]);
    expect((await client.refreshSession()).error).toBeNull();
  });
});

describe('the owner is mailed, and it is kept, once each', () => {
  it('when the password was changed', async () => {
    const { person, client, user } = await signUp(server.url);
    const other = await withPassword(server.url, person);
    const change = { password: 'Serra-Verde-77', current_password: person.password };
    const answers = await Promise.all([client.updateUser(change), client.updateUser(change)]);
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);

    expect(await line({ userId: user.id }, 'password_changed')).toMatchObject({
      sessionId: expect.any(String),
      address: expect.stringMatching(/\.0$/),
    });
    expect(await line({ userId: user.id }, 'session_ended')).toMatchObject({
      sessionId: sessionOf(other.session.access_token),
      reason: 'password_changed',
    });
    expect(await kept(user.id)).toEqual(['new_device', 'password_changed']);
    expect(await notices(person.email)).toEqual([
      'a senha do seu Rende foi alterada',
      'login em um novo aparelho',
    ]);
    const { body } = mails.received.find(
      ({ to, headers }) => to.includes(person.email) && headers.get('subject')!.includes('senha'),
    )!;
    expect(body).toMatch(
      /A senha da sua conta foi alterada em \d\d\/\d\d\/\d{4} às \d{1,2}:\d\d GMT-3 \(.+\)\./,
    );
    expect(body).not.toMatch(/Serra-Verde|Lagoa-Azul/);
  });

  it('when a factor was added, and when it was removed', async () => {
    const { person, client, user } = await signUp(server.url);
    const { factorId, secret } = await enrol(client);
    expect((await client.mfa.challengeAndVerify({ factorId, code: shown(secret) })).error).toBeNull();
    expect((await client.mfa.challengeAndVerify({ factorId, code: shown(secret, 1) })).error).toBeNull();
    const { factorId: begun } = await enrol(client);
    await client.mfa.unenroll({ factorId: begun });
    expect((await client.mfa.unenroll({ factorId })).error).toBeNull();

    for (const event of ['factor_added', 'factor_removed'])
      expect(await line({ userId: user.id }, event)).toMatchObject({ sessionId: expect.any(String) });
    expect(await kept(user.id)).toEqual(['factor_added', 'factor_removed']);
    expect(await notices(person.email)).toEqual([
      'aplicativo autenticador removido',
      'verificação em duas etapas ativada',
    ]);
  });

  it('when a passkey was added, and when it was removed', async () => {
    const { person, client, user } = await signUp(server.url);
    const { device, passkey } = await add(
      client,
      new Authenticator(`http://localhost:${new URL(server.url).port}`),
    );
    device.verifies = false;
    expect((await enter(server.url, device)).error).not.toBeNull();
    await client.passkey.delete({ passkeyId: passkey.id });

    for (const event of ['passkey_added', 'passkey_removed'])
      expect(await line({ userId: user.id }, event)).toMatchObject({ sessionId: expect.any(String) });
    expect(await line({ userId: user.id }, 'sign_in_failed')).toMatchObject({
      reason: 'webauthn_verification_failed',
    });
    expect(await kept(user.id)).toEqual(['passkey_added', 'passkey_removed']);
    expect(await notices(person.email)).toEqual(['chave de acesso adicionada', 'chave de acesso removida']);
  });

  it('when a data export was requested, once however often it is requested while it is made', async () => {
    const { userId, email, password: senha, api } = await signUpTrainer(server);
    const ask = () => api.request('POST', '/api/v1/account/exports', { body: { senha } });
    const release = await holdCopies(database);
    await Promise.all([ask(), ask(), ask()]);
    await release();

    expect(await line({ userId }, 'export_requested')).toBeTruthy();
    expect(await kept(userId)).toEqual(['export_requested']);
    expect(await notices(email)).toEqual(['cópia dos seus dados pedida']);
    const mail = mails.received.find(({ to, body }) => to.includes(email) && body.includes('foi pedida'));
    // Students reach the page "Seus dados" too, but have no "Ajustes".
    expect(mail?.body).toContain('pode ser baixada por 24 horas na página Seus dados,');
  });

  it('when somebody signs in on an unknown device, not on a known one', async () => {
    const { person, client, user } = await signUp(server.url);
    await client.signInWithPassword({ email: person.email, password: person.password });
    expect(await kept(user.id)).toEqual([]);

    const { client: other } = await withPassword(server.url, person);
    await other.signInWithPassword({ email: person.email, password: person.password });

    expect(await line({ userId: user.id }, 'new_device')).toMatchObject({ sessionId: expect.any(String) });
    expect(await kept(user.id)).toEqual(['new_device']);
    expect(await notices(person.email)).toEqual(['login em um novo aparelho']);
  });

  it('when somebody signs in to an account of which no device is known any more', async () => {
    const { person, session, user } = await signUp(server.url);
    // Without the cookie of a browser, so the change forgets all of them.
    const changed = await fetch(`${server.url}/auth/v1/user`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ password: 'Serra-Verde-77', current_password: person.password }),
    });
    expect(changed.status).toBe(200);
    expect(await database.query('select from auth.known_devices where user_id = $1', [user.id])).toEqual([]);

    const { error } = await signIn(server.url, { ...person, password: 'Serra-Verde-77' });

    expect(error).toBeNull();
    expect(await kept(user.id)).toEqual(['password_changed', 'new_device']);
    expect(await notices(person.email)).toEqual([
      'a senha do seu Rende foi alterada',
      'login em um novo aparelho',
    ]);
  });

  it('a changed address is recorded without a mail, since both addresses have confirmed it', async () => {
    const { person, client, user } = await signUp(server.url);
    const email = applicant().email;
    await client.updateUser({ email });
    for (const address of [person.email, email]) {
      await eventually(
        async () => (await Promise.resolve(mails.received.filter(({ to }) => to.includes(address)))).length,
        1,
      );
      const { body } = mails.received.find(({ to }) => to.includes(address))!;
      const code = /Código: (\d{6})/.exec(body)![1]!;
      await client.verifyOtp({ email: address, token: code, type: 'email_change' });
    }

    expect(await line({ userId: user.id }, 'email_changed')).toBeTruthy();
    expect(await kept(user.id)).toContain('email_changed');
    expect(await notices(email)).toEqual([]);
  });
});

it('no log line identifies a person', async () => {
  const { person, client, session, user } = await signUp(server.url);
  await signIn(server.url, { email: person.email, password: 'uma senha errada' });
  await client.updateUser({ password: 'Serra-Verde-77', current_password: person.password });
  await get(`${server.url}/auth/v1/user`, session.access_token);
  await line({ userId: user.id }, 'password_changed');

  const output = server.output();
  const { cpf, nome } = person.options.data;
  for (const told of [person.email, person.password, 'uma senha errada', 'Serra-Verde-77', cpf, nome])
    expect(output).not.toContain(told);
  expect(output).not.toContain(session.access_token.split('.')[2]);
});
