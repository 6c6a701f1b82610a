import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Authenticator, type Options } from '../support/authenticator.js';
import { testDatabase } from '../support/database.js';
import { nextMail } from '../support/mail.js';
import { sharedApp } from '../support/shared.js';
import { add, begin, challenge, enter, SITE } from './passkeys.js';
import { anyAddress, applicant, browser, get, signIn, signUp } from './people.js';
import { openScreen, protectedPerson, withPassword } from './second-factor.js';

type Client = ReturnType<typeof browser>;

const database = await testDatabase();
const app = await sharedApp();

const me = async (token: string) => (await get(`${app.url}/api/v1/me`, token)).status;
const age = (id: string) =>
  database.query(
    "update auth.passkey_challenges set created_at = created_at - interval '301 seconds' where id = $1",
    [id],
  );

async function person() {
  const signedUp = await signUp(app.url);
  return { ...signedUp, ...(await add(signedUp.client)) };
}

interface Begun {
  challenge_id: string;
  options: Options;
}
interface Proved {
  access_token: string;
  refresh_token: string;
  error_code?: string;
}

/** A call that the client does not know: a passkey in place of the second factor. */
async function ask<Answer>(what: 'options' | 'verify', token: string, address: string, body: object = {}) {
  const response = await fetch(`${app.url}/auth/v1/passkeys/proof/${what}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'X-Forwarded-For': address,
    },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

async function prove(device: Authenticator, token: string, address = anyAddress()) {
  const { body } = await ask<Begun>('options', token, address);
  const { challenge_id, options } = body;
  return ask<Proved>('verify', token, address, { challenge_id, credential: device.get(options) });
}

describe('adding a passkey', () => {
  it('asks for one that is found without a name, checks its person and says nothing about its maker', async () => {
    const { client, person: ana, user } = await signUp(app.url);
    const { device } = await add(client);

    const asked = Date.now();
    const { data } = await client.passkey.startRegistration();

    expect(data!.options).toMatchObject({
      rp: { id: 'localhost', name: 'Rende' },
      user: { id: Buffer.from(user.id.replaceAll('-', ''), 'hex').toString('base64url'), name: ana.email },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [{ id: device.id.toString('base64url'), transports: ['internal', 'hybrid'] }],
    });
    expect(data!.expires_at - asked / 1000).toBeGreaterThan(290);
  });

  it('lists it, and asks nothing more of sign-ins without it', async () => {
    const { client, person: ana, passkey } = await person();

    const { data } = await client.passkey.list();
    expect(data).toEqual([
      { id: passkey.id, friendly_name: 'Chave de acesso', created_at: passkey.created_at },
    ]);
    const { session } = await withPassword(app.url, ana);
    expect(await me(session.access_token)).toBe(200);
  });

  it('needs a recent proof of identity, when it begins and when it ends', async () => {
    const { client, person: ana, user } = await signUp(app.url);
    const { challengeId, options } = await begin(client);
    await openScreen(database, user.id);
    const credential = new Authenticator(SITE).create(options);

    expect((await client.passkey.startRegistration()).error).toMatchObject({
      status: 400,
      code: 'reauthentication_needed',
    });
    expect((await client.passkey.verifyRegistration({ challengeId, credential })).error?.code).toBe(
      'reauthentication_needed',
    );
    await client.updateUser({ current_password: ana.password });
    await add(client);
  });

  it.each<[string, (device: Authenticator) => void]>([
    ['for another origin', (device) => (device.origin = 'https://rende.exemplo.com')],
    ['without checking its person', (device) => (device.verifies = false)],
  ])('refuses one that was made %s', async (_what, change) => {
    const { client } = await signUp(app.url);
    const device = new Authenticator(SITE);
    change(device);

    await expect(add(client, device)).rejects.toMatchObject({
      status: 422,
      code: 'webauthn_verification_failed',
    });
    expect((await client.passkey.list()).data).toEqual([]);
  });

  it('refuses a challenge that is used, five minutes old, or of another session', async () => {
    const { client, person: ana } = await signUp(app.url);
    const { client: other } = await withPassword(app.url, ana);
    const device = new Authenticator(SITE);
    const first = await begin(client);
    const credential = device.create(first.options);
    const verify = (by: Client, challengeId: string, made: typeof credential) =>
      by.passkey.verifyRegistration({ challengeId, credential: made });

    expect((await verify(client, first.challengeId, credential)).error).toBeNull();
    expect((await verify(client, first.challengeId, credential)).error).toMatchObject({
      status: 400,
      code: 'webauthn_challenge_not_found',
    });
    const second = await begin(client);
    await age(second.challengeId);
    const late = await verify(client, second.challengeId, new Authenticator(SITE).create(second.options));
    expect(late.error?.code).toBe('webauthn_challenge_expired');
    const third = await begin(client);
    const elsewhere = await verify(other, third.challengeId, new Authenticator(SITE).create(third.options));
    expect(elsewhere.error?.code).toBe('webauthn_challenge_not_found');
  });

  it('refuses the same passkey for two accounts, and an eleventh one', async () => {
    const { client, device } = await person();
    const { client: other } = await signUp(app.url);
    await expect(add(other, device)).rejects.toMatchObject({
      status: 422,
      code: 'webauthn_credential_exists',
    });

    const { challengeId, options } = await begin(client);
    for (let n = 1; n < 10; n += 1) await add(client);
    const credential = new Authenticator(SITE).create(options);
    expect((await client.passkey.verifyRegistration({ challengeId, credential })).error).toMatchObject({
      status: 422,
      code: 'too_many_passkeys',
    });
    expect((await client.passkey.startRegistration()).error?.code).toBe('too_many_passkeys');
  });
});

describe('signing in with a passkey', () => {
  it('starts a session that counts as two factors, and notes the last use', async () => {
    const { client, device, user } = await person();

    const { data, error } = await enter(app.url, device);

    expect(error).toBeNull();
    expect(data!.user!.id).toBe(user.id);
    expect(decodeJwt(data!.session!.access_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'passkey', timestamp: expect.any(Number) }],
    });
    expect(await me(data!.session!.access_token)).toBe(200);
    expect((await client.passkey.list()).data).toMatchObject([{ last_used_at: expect.any(String) }]);
  });

  it('asks for no code of the authenticator app, and stays so when the session is refreshed', async () => {
    const { client } = await protectedPerson(app.url);
    const { device } = await add(client);
    const elsewhere = browser(app.url);

    const { data } = await enter(app.url, device, elsewhere);
    expect(await me(data!.session!.access_token)).toBe(200);
    const refreshed = await elsewhere.refreshSession();
    expect(decodeJwt(refreshed.data.session!.access_token).aal).toBe('aal2');
  });

  it('is begun alike by everybody, and names no account', async () => {
    const [one, other] = [await challenge(browser(app.url)), await challenge(browser(app.url))];
    const alike = ({ options }: { options: object }) => ({ ...options, challenge: '' });
    expect(alike(one)).toEqual(alike(other));
    expect(alike(one)).toMatchObject({
      rpId: 'localhost',
      userVerification: 'required',
      allowCredentials: [],
    });
  });

  it('is refused a second time with the same signature', async () => {
    const { device } = await person();
    const client = browser(app.url);
    const { challengeId, options } = await challenge(client);
    const credential = device.get(options);
    const answers = await Promise.all(
      [1, 2, 3].map(() => client.passkey.verifyAuthentication({ challengeId, credential })),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);

    const { challengeId: next } = await challenge(client);
    const replay = await client.passkey.verifyAuthentication({ challengeId: next, credential });
    expect(replay.error).toMatchObject({ status: 422, code: 'webauthn_verification_failed' });
  });

  it.each<[string, (device: Authenticator) => void]>([
    ['for another origin', (device) => (device.origin = 'https://rende.exemplo.com')],
    ['without checking its person', (device) => (device.verifies = false)],
    ['with another key', (device) => device.forget()],
    ['for another account', (device) => (device.handle = randomUUID().replaceAll('-', ''))],
    ['by a copy that has counted less', (device) => (device.counter = 6)],
    ['by a copy that has counted as much', (device) => (device.counter = 7)],
    ['by a copy that does not count', (device) => (device.counter = 0)],
  ])('refuses a signature that was made %s', async (_what, change) => {
    const { device } = await person();
    device.counter = 7;
    expect((await enter(app.url, device)).error).toBeNull();
    device.counter = 8;
    change(device);

    const { error } = await enter(app.url, device);
    expect(error).toMatchObject({ status: 422, code: 'webauthn_verification_failed' });
  });

  it('refuses a challenge that is five minutes old, of another address, or was asked for something else', async () => {
    const { client: own, device, session } = await person();
    const client = browser(app.url);
    const verify = ({ challengeId, options }: Awaited<ReturnType<typeof challenge>>, by = client) =>
      by.passkey.verifyAuthentication({
        challengeId,
        credential: device.get({ rpId: 'localhost', ...options }),
      });

    const late = await challenge(client);
    await age(late.challengeId);
    expect((await verify(late)).error).toMatchObject({ status: 400, code: 'webauthn_challenge_expired' });
    const missing = { status: 400, code: 'webauthn_challenge_not_found' };
    expect((await verify(await challenge(client), browser(app.url))).error).toMatchObject(missing);
    expect((await verify(await begin(own), own)).error).toMatchObject(missing);
    const address = anyAddress();
    const { body } = await ask<Begun>('options', session.access_token, address);
    const proof = { challengeId: body.challenge_id, options: body.options };
    expect((await verify(proof, browser(app.url, address))).error).toMatchObject(missing);
  });

  it('refuses a passkey that nobody has', async () => {
    const device = new Authenticator(SITE);
    device.handle = 'ninguem';
    expect((await enter(app.url, device)).error).toMatchObject({
      status: 404,
      code: 'webauthn_credential_not_found',
    });
  });
});

describe('a passkey in place of the code of the app', () => {
  it('raises the session after the password, and makes its former tokens invalid', async () => {
    const { client, person: ana } = await protectedPerson(app.url);
    const { device } = await add(client);
    const { session } = await withPassword(app.url, ana);
    expect(await me(session.access_token)).toBe(403);

    const { status, body } = await prove(device, session.access_token);

    expect(status).toBe(200);
    expect(decodeJwt(body.access_token)).toMatchObject({
      aal: 'aal2',
      amr: [{ method: 'password' }, { method: 'passkey' }],
      session_id: decodeJwt(session.access_token).session_id,
    });
    expect(await me(body.access_token)).toBe(200);
    expect(await me(session.access_token)).toBe(401);
    const replay = await browser(app.url).refreshSession({ refresh_token: session.refresh_token });
    expect(replay.error?.code).toBe('refresh_token_already_used');
  });

  it('is none of somebody else, and not asked of a person without one', async () => {
    const { client, person: ana } = await protectedPerson(app.url);
    const { session } = await withPassword(app.url, ana);
    const { device: other } = await person();
    const missing = { status: 404, body: { error_code: 'webauthn_credential_not_found' } };
    expect(await ask('options', session.access_token, anyAddress())).toMatchObject(missing);

    await add(client);
    expect(await prove(other, session.access_token)).toMatchObject(missing);
    expect(await me(session.access_token)).toBe(403);
  });

  it('counts as a recent proof, also for turning the app off when it is lost', async () => {
    const { client, user, factorId } = await protectedPerson(app.url);
    const { device } = await add(client);
    await openScreen(database, user.id);
    expect((await client.mfa.unenroll({ factorId })).error?.code).toBe('insufficient_aal');

    const { data } = await client.getSession();
    const { body } = await prove(device, data.session!.access_token);
    await client.setSession(body);
    expect((await client.mfa.unenroll({ factorId })).error).toBeNull();
  });
});

describe('a passkey that is there', () => {
  it('is renamed by its owner only', async () => {
    const { client, passkey } = await person();
    const { client: other } = await signUp(app.url);
    const friendlyName = 'Celular novo';

    expect((await client.passkey.update({ passkeyId: passkey.id, friendlyName })).data).toMatchObject({
      friendly_name: friendlyName,
    });
    for (const passkeyId of [passkey.id, randomUUID(), 'nonsense']) {
      const refused = passkeyId === passkey.id ? other : client;
      expect((await refused.passkey.update({ passkeyId, friendlyName: 'X' })).error?.status).toBe(404);
      expect((await refused.passkey.delete({ passkeyId })).error?.status).toBe(404);
    }
    expect((await client.passkey.list()).data).toMatchObject([{ friendly_name: friendlyName }]);
    expect((await client.passkey.update({ passkeyId: passkey.id, friendlyName: ' ' })).error?.status).toBe(
      400,
    );
  });

  it('is removed with a recent proof, and opens nothing afterwards', async () => {
    const { client, person: ana, device, passkey, user } = await person();
    await openScreen(database, user.id);
    expect((await client.passkey.delete({ passkeyId: passkey.id })).error?.code).toBe(
      'reauthentication_needed',
    );
    await client.updateUser({ current_password: ana.password });

    expect((await client.passkey.delete({ passkeyId: passkey.id })).error).toBeNull();

    expect((await enter(app.url, device)).error?.code).toBe('webauthn_credential_not_found');
  });

  it('takes the sessions that it has begun back to one factor', async () => {
    const { client } = await protectedPerson(app.url);
    const { device, passkey } = await add(client);
    const { data } = await enter(app.url, device);
    expect(await me(data!.session!.access_token)).toBe(200);

    await client.passkey.delete({ passkeyId: passkey.id });
    expect(await me(data!.session!.access_token)).toBe(403);
  });

  it('leaves the mailed code to a person without a password who removes the last one', async () => {
    const { client, person: ana, passkey, user } = await person();
    await database.query('update auth.users set password_hash = null where id = $1', [user.id]);
    await client.passkey.delete({ passkeyId: passkey.id });

    const elsewhere = browser(app.url);
    await elsewhere.signInWithOtp({ email: ana.email, options: { shouldCreateUser: false } });
    const { code: token } = await nextMail(ana.email);
    const { data } = await elsewhere.verifyOtp({ email: ana.email, token, type: 'email' });
    expect(await me(data.session!.access_token)).toBe(200);
  });

  it('is not touched by a new password, and is gone with the account', async () => {
    const { client, person: ana, device, user } = await person();
    await client.updateUser({ password: 'Serra-Verde-77', current_password: ana.password });
    expect((await enter(app.url, device)).error).toBeNull();
    expect((await signIn(app.url, { ...applicant(), ...ana, password: 'Serra-Verde-77' })).error).toBeNull();

    await database.query('delete from auth.users where id = $1', [user.id]);
    expect((await enter(app.url, device)).error?.code).toBe('webauthn_credential_not_found');
  });
});
