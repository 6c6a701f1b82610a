import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Secret } from 'otpauth';
import { testDatabase } from '../support/database.js';
import { nextMail } from '../support/mail.js';
import { sharedApp } from '../support/shared.js';
import { connectSocket } from '../support/socket.js';
import { anyAddress, applicant, browser, get, openLink, signUp } from './people.js';
import { codesOf, enrol, openScreen, protectedPerson, shown, withPassword } from './second-factor.js';
import { openRoutes } from '../proof/routes.js';

type Client = ReturnType<typeof browser>;

const database = await testDatabase();
const app = await sharedApp();

const level = (token: string) => decodeJwt(token).aal;
const me = async (token: string) => (await get(`${app.url}/api/v1/me`, token)).status;

describe('enrolling', () => {
  it('answers the secret as QR code, text and address, and lists the factor as unverified', async () => {
    const { client, person } = await signUp(app.url);

    const { factorId, totp, type, friendly_name } = await enrol(client, 'Meu celular');

    expect({ type, friendly_name }).toEqual({ type: 'totp', friendly_name: 'Meu celular' });
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg [^#]*<\/svg>$/);
    expect(decodeURIComponent(totp.uri)).toContain(`otpauth://totp/Rende:${person.email}?`);
    expect(totp.uri).toContain(`secret=${totp.secret}`);
    const { data } = await client.mfa.listFactors();
    expect(data).toMatchObject({
      all: [{ id: factorId, status: 'unverified', factor_type: 'totp', friendly_name: 'Meu celular' }],
      totp: [],
    });
  });

  it('does not change what the session may do, until it is verified', async () => {
    const { client, session } = await signUp(app.url);
    await enrol(client);

    expect(await me(session.access_token)).toBe(200);
    const { data } = await client.mfa.getAuthenticatorAssuranceLevel();
    expect(data).toMatchObject({ currentLevel: 'aal1', nextLevel: 'aal1' });
  });

  it('needs a recent proof of identity: a sign-in, or the password or a mailed code once more', async () => {
    const { client, person, user } = await signUp(app.url);
    const attempt = async () =>
      (await client.mfa.enroll({ factorType: 'totp', friendlyName: randomUUID() })).error;
    expect(await attempt()).toBeNull();

    await openScreen(database, user.id);
    expect(await attempt()).toMatchObject({ status: 400, code: 'reauthentication_needed' });
    const wrong = await client.updateUser({ current_password: 'não é esta' });
    expect(wrong.error).toMatchObject({ status: 400, code: 'current_password_invalid' });
    await client.updateUser({ data: { tema: 'escuro' } });
    expect(await attempt()).toMatchObject({ code: 'reauthentication_needed' });
    await client.updateUser({ current_password: person.password });
    expect(await attempt()).toBeNull();

    await openScreen(database, user.id);
    await client.reauthenticate();
    const nonce = (await nextMail(person.email)).code;
    const proofs = await Promise.all([1, 2, 3].map(() => client.updateUser({ nonce })));
    expect(proofs.filter(({ error }) => error === null)).toHaveLength(1);
    expect(await attempt()).toBeNull();
  });

  it('encrypts the secret in the database', async () => {
    const { client } = await signUp(app.url);
    const { factorId, secret } = await enrol(client);

    const [row] = await database.query<{ row: string }>(
      'select f::text as row from auth.factors f where id = $1',
      [factorId],
    );
    const bytes = Buffer.from(Secret.fromBase32(secret).bytes);
    for (const written of [secret, bytes.toString('hex'), bytes.toString('base64')])
      expect(row!.row).not.toContain(written);
  });

  it('refuses a duplicate name, an eleventh factor, and disabled kinds of factors', async () => {
    const { client, session } = await signUp(app.url);
    await enrol(client, 'Celular');
    const again = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' });
    expect(again.error).toMatchObject({ status: 422, code: 'mfa_factor_name_conflict' });

    for (let n = 1; n < 10; n += 1)
      expect((await client.mfa.enroll({ factorType: 'totp' })).error).toBeNull();
    const eleventh = await client.mfa.enroll({ factorType: 'totp' });
    expect(eleventh.error).toMatchObject({ status: 422, code: 'too_many_enrolled_mfa_factors' });

    const phone = await client.mfa.enroll({ factorType: 'phone', phone: '+5511943214321' });
    expect(phone.error).toMatchObject({ status: 422, code: 'mfa_phone_enroll_not_enabled' });
    for (const [body, code] of [
      [{ factor_type: 'webauthn' }, 'mfa_webauthn_enroll_not_enabled'],
      [{ factor_type: 'smoke' }, 'validation_failed'],
      [{ factor_type: 'totp', status: 'verified' }, 'validation_failed'],
    ]) {
      const response = await fetch(`${app.url}/auth/v1/factors`, {
        method: 'POST',
        headers: { authorization: `Bearer ${session.access_token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
      expect(((await response.json()) as { error_code: string }).error_code).toBe(code);
    }
  });
});

describe('a code', () => {
  it('raises the session to aal2, and ends sessions without a factor, with all sockets from before', async () => {
    const { person, client, session } = await signUp(app.url);
    const other = await withPassword(app.url, person);
    const socket = await connectSocket(app, { accessToken: other.session.access_token });
    const own = await connectSocket(app, { accessToken: session.access_token });
    const closed = Promise.all(
      [socket, own].map((each) => new Promise((resolve) => each.once('disconnect', resolve))),
    );
    const { factorId, secret } = await enrol(client);
    const { factorId: unfinished } = await enrol(client);

    const { data, error } = await client.mfa.challengeAndVerify({ factorId, code: shown(secret) });

    expect(error).toBeNull();
    expect(level(data!.access_token)).toBe('aal2');
    expect(decodeJwt(data!.access_token).amr).toEqual([
      { method: 'password', timestamp: expect.any(Number) },
      { method: 'totp', timestamp: expect.any(Number) },
    ]);
    expect(decodeJwt(data!.access_token).session_id).toBe(decodeJwt(session.access_token).session_id);
    expect(await me(data!.access_token)).toBe(200);
    expect(await me(other.session.access_token)).toBe(401);
    expect(await closed).toEqual(['io server disconnect', 'io server disconnect']);
    const { data: factors } = await client.mfa.listFactors();
    expect(factors!.all.map(({ id }) => id)).toEqual([factorId]);
    expect(factors!.all.map(({ id }) => id)).not.toContain(unfinished);
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal2',
      nextLevel: 'aal2',
    });
    const refreshed = await client.refreshSession();
    expect(level(refreshed.data.session!.access_token)).toBe('aal2');
  });

  it('is required after the password, and until then the product refuses requests', async () => {
    const { person, factorId, secret } = await protectedPerson(app.url);

    const { client, session } = await withPassword(app.url, person);

    expect(level(session.access_token)).toBe('aal1');
    expect((await client.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    });
    for (const path of ['me', 'students', 'sessions'])
      expect(await get(`${app.url}/api/v1/${path}`, session.access_token)).toMatchObject({
        status: 403,
        body: { code: 'accounts.second_factor_required' },
      });
    await expect(connectSocket(app, { accessToken: session.access_token })).rejects.toThrow(
      'unauthenticated',
    );

    const { data } = await client.mfa.challengeAndVerify({ factorId, code: shown(secret, 1) });
    expect(await me(data!.access_token)).toBe(200);
  });

  it('is accepted once, whatever the challenge', async () => {
    const { client, factorId, secret, used } = await protectedPerson(app.url);

    const again = await client.mfa.challengeAndVerify({ factorId, code: used });
    expect(again.error).toMatchObject({ status: 422, code: 'mfa_verification_failed' });

    const code = shown(secret, 1);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => client.mfa.challengeAndVerify({ factorId, code })),
    );
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    const older = await client.mfa.challengeAndVerify({ factorId, code: used });
    expect(older.error?.code).toBe('mfa_verification_failed');
  });

  it('cannot be bypassed by tokens from before the second factor, of the same session either', async () => {
    const { person, factorId, secret } = await protectedPerson(app.url);
    const { client, session } = await withPassword(app.url, person);
    const { data, error } = await client.mfa.challengeAndVerify({ factorId, code: shown(secret, 1) });
    expect(error).toBeNull();

    expect(await me(session.access_token)).toBe(401);
    expect(await me(data!.access_token)).toBe(200);

    const replay = await browser(app.url).refreshSession({ refresh_token: session.refresh_token });

    expect(replay.data.session).toBeNull();
    expect(replay.error?.code).toBe('refresh_token_already_used');
  });

  it.each([
    ['wrong', 422, 'mfa_verification_failed'],
    ['12345', 422, 'mfa_verification_failed'],
    ['', 400, 'validation_failed'],
  ])('is not %j', async (code, status, expected) => {
    const { client, session } = await signUp(app.url);
    const { factorId } = await enrol(client);

    const { error } = await client.mfa.challengeAndVerify({ factorId, code });

    expect(error).toMatchObject({ status, code: expected });
    expect((await client.mfa.listFactors()).data?.totp).toEqual([]);
    expect(await me(session.access_token)).toBe(200);
  });

  it('needs a challenge of the same session, at most five minutes old and not used', async () => {
    const address = anyAddress();
    const { client, person } = await signUp(app.url, applicant(), address);
    const { factorId, secret } = await enrol(client);
    const challenge = async () => (await client.mfa.challenge({ factorId })).data!;
    const code = shown(secret);

    const asked = Date.now();
    const first = await challenge();
    expect(first).toMatchObject({ type: 'totp' });
    expect(first.expires_at - asked / 1000).toBeGreaterThan(290);
    await database.query(
      "update auth.factor_challenges set created_at = created_at - interval '301 seconds' where id = $1",
      [first.id],
    );
    expect((await client.mfa.verify({ factorId, challengeId: first.id, code })).error).toMatchObject({
      status: 422,
      code: 'mfa_challenge_expired',
    });

    const { client: elsewhere } = await withPassword(app.url, person);
    const { id: challengeId } = await challenge();
    expect((await elsewhere.mfa.verify({ factorId, challengeId, code })).error).toMatchObject({
      status: 422,
      code: 'mfa_ip_address_mismatch',
    });
    expect((await client.mfa.verify({ factorId, challengeId: randomUUID(), code })).error).toMatchObject({
      status: 422,
      code: 'mfa_factor_not_found',
    });
    expect((await client.mfa.verify({ factorId, challengeId, code })).error).toBeNull();
    expect((await client.mfa.verify({ factorId, challengeId, code })).error?.code).toBe(
      'mfa_ip_address_mismatch',
    );
  });

  it('has ten attempts an hour from all addresses together; recovery codes keep working', async () => {
    const { person, factorId, secret, session } = await protectedPerson(app.url);
    const { codes } = await codesOf(app.url, session.access_token);
    for (let n = 0; n < 10; n += 1) {
      const { client } = await withPassword(app.url, person);
      expect((await client.mfa.challengeAndVerify({ factorId, code: '000000' })).error?.code).toBe(
        'mfa_verification_failed',
      );
    }

    const { client } = await withPassword(app.url, person);
    expect((await client.mfa.challengeAndVerify({ factorId, code: shown(secret, 1) })).error).toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
    });
    const { data } = await client.mfa.challengeAndVerify({ factorId, code: codes[0]! });
    expect(level(data!.access_token)).toBe('aal2');
  });
});

describe('recovery codes', () => {
  const left = async (token: string) => (await get(`${app.url}/auth/v1/recovery-codes`, token)).body;

  it('are ten, replace the app once each, and are stored as hashes', async () => {
    const { person, factorId, session } = await protectedPerson(app.url);
    const { status, codes } = await codesOf(app.url, session.access_token);

    expect(status).toBe(200);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[2-9a-z]{5}-[2-9a-z]{5}$/);
    const rows = await database.query<{ row: string }>('select r::text as row from auth.recovery_codes r');
    for (const code of codes)
      for (const { row } of rows)
        expect(row).not.toMatch(new RegExp(`${code}|${Buffer.from(code.replace('-', '')).toString('hex')}`));

    const { client } = await withPassword(app.url, person);
    const typed = ` ${codes[3]!.toUpperCase().replace('-', '')} `;
    const { data, error } = await client.mfa.challengeAndVerify({ factorId, code: typed });
    expect(error).toBeNull();
    expect(decodeJwt(data!.access_token)).toMatchObject({ aal: 'aal2' });
    expect(await left(data!.access_token)).toEqual({ remaining: 9 });
    expect((await client.mfa.challengeAndVerify({ factorId, code: codes[3]! })).error?.code).toBe(
      'mfa_verification_failed',
    );
  });

  it('are void when new ones are made, and work for no other account', async () => {
    const { person, factorId, session } = await protectedPerson(app.url);
    const stranger = await protectedPerson(app.url);
    const before = (await codesOf(app.url, session.access_token)).codes;
    const after = (await codesOf(app.url, session.access_token)).codes;

    const { client } = await withPassword(app.url, person);
    const foreign = await stranger.client.mfa.challengeAndVerify({
      factorId: stranger.factorId,
      code: after[0]!,
    });
    expect(foreign.error?.code).toBe('mfa_verification_failed');
    expect((await client.mfa.challengeAndVerify({ factorId, code: before[0]! })).error?.code).toBe(
      'mfa_verification_failed',
    );
    expect((await client.mfa.challengeAndVerify({ factorId, code: after[0]! })).error).toBeNull();
  });

  it('need a proved factor to be made, and cannot verify a new factor', async () => {
    const { person } = await protectedPerson(app.url);
    const { session } = await withPassword(app.url, person);
    expect(await codesOf(app.url, session.access_token)).toMatchObject({
      status: 403,
      error_code: 'insufficient_aal',
    });
    const without = await signUp(app.url);
    expect((await codesOf(app.url, without.session.access_token)).status).toBe(403);
    const { factorId } = await enrol(without.client);
    expect((await without.client.mfa.challengeAndVerify({ factorId, code: 'abcde-fghjk' })).error?.code).toBe(
      'mfa_verification_failed',
    );
    const { client, session: raised } = await protectedPerson(app.url);
    const [code] = (await codesOf(app.url, raised.access_token)).codes;
    const { factorId: second } = await enrol(client);
    const verified = await client.mfa.challengeAndVerify({ factorId: second, code: code! });
    expect(verified.error?.code).toBe('mfa_verification_failed');
  });

  it('are deleted with the last factor', async () => {
    const { client, factorId, session } = await protectedPerson(app.url);
    await codesOf(app.url, session.access_token);

    await client.mfa.unenroll({ factorId });

    expect(await left(session.access_token)).toEqual({ remaining: 0 });
    expect((await codesOf(app.url, session.access_token)).status).toBe(403);
  });
});

describe('with the password alone', () => {
  it('a recovery by mail does not bypass the second factor', async () => {
    const { person, factorId, secret } = await protectedPerson(app.url);
    const client = browser(app.url);
    await client.resetPasswordForEmail(person.email);
    const { query } = await openLink(app, (await nextMail(person.email)).link);
    await client.exchangeCodeForSession(query.code!);

    expect((await client.updateUser({ password: 'Serra-Verde-77' })).error).toMatchObject({
      code: 'insufficient_aal',
    });
    await client.mfa.challengeAndVerify({ factorId, code: shown(secret, 1) });
    expect((await client.updateUser({ password: 'Serra-Verde-77' })).error).toBeNull();
  });
});

describe('removing a factor', () => {
  it('lowers its sessions to aal1, which is then sufficient', async () => {
    const { person, client, session, factorId } = await protectedPerson(app.url);

    const { data, error } = await client.mfa.unenroll({ factorId });

    expect(error).toBeNull();
    expect(data).toEqual({ id: factorId });
    expect(await me(session.access_token)).toBe(200);
    const { data: refreshed } = await client.refreshSession();
    expect(level(refreshed.session!.access_token)).toBe('aal1');
    expect(await me((await withPassword(app.url, person)).session.access_token)).toBe(200);
  });

  it('needs a recently entered code, as new recovery codes do', async () => {
    const { client, factorId, secret, session, user } = await protectedPerson(app.url);
    await openScreen(database, user.id);

    const late = await client.mfa.unenroll({ factorId });
    expect(late.error).toMatchObject({ status: 422, code: 'insufficient_aal' });
    expect((await codesOf(app.url, session.access_token)).status).toBe(403);
    await client.mfa.challengeAndVerify({ factorId, code: shown(secret, 1) });
    expect((await codesOf(app.url, session.access_token)).status).toBe(200);
    expect((await client.mfa.unenroll({ factorId })).error).toBeNull();
  });

  it('does not affect sessions that have proved another factor', async () => {
    const { client, factorId } = await protectedPerson(app.url);
    const second = await enrol(client);
    const { data } = await client.mfa.challengeAndVerify({
      factorId: second.factorId,
      code: shown(second.secret),
    });

    await client.mfa.unenroll({ factorId });

    expect(await me(data!.access_token)).toBe(200);
  });
});

it.each([
  ['challenge', (client: Client, factorId: string) => client.mfa.challenge({ factorId })],
  [
    'verify',
    (client: Client, factorId: string) =>
      client.mfa.verify({ factorId, challengeId: randomUUID(), code: '1' }),
  ],
  ['unenroll', (client: Client, factorId: string) => client.mfa.unenroll({ factorId })],
])("%s does not find somebody else's factor, nor what is none", async (_what, ask) => {
  const { factorId } = await protectedPerson(app.url);
  const { client } = await signUp(app.url);

  for (const id of [factorId, randomUUID(), 'nonsense'])
    expect((await ask(client, id)).error).toMatchObject({ status: 404, code: 'mfa_factor_not_found' });
});

/**
 * What every route answers to a session that has proved only the password of a user with a second factor. A new
 * route must be added here.
 */
const auth = {
  /** Public: the token makes no difference. */
  public: [
    'GET /auth/v1/.well-known/jwks.json',
    'GET /auth/v1/authorize',
    'GET /auth/v1/callback',
    'GET /auth/v1/health',
    'GET /auth/v1/settings',
    'GET /auth/v1/verify',
    'POST /auth/v1/callback',
    'POST /auth/v1/otp',
    'POST /auth/v1/passkeys/authentication/options',
    'POST /auth/v1/passkeys/authentication/verify',
    'POST /auth/v1/recover',
    'POST /auth/v1/resend',
    'POST /auth/v1/signup',
    'POST /auth/v1/signup/provider',
    'POST /auth/v1/signup/provider/person',
    'POST /auth/v1/sso',
    'POST /auth/v1/token',
    'POST /auth/v1/verify',
    'POST /auth/v1/verify/link',
  ],
  /** Needed to show the factor, or to leave. */
  answered: [
    'GET /auth/v1/user',
    'POST /auth/v1/factors/{id}/challenge',
    'POST /auth/v1/factors/{id}/verify',
    'POST /auth/v1/logout',
    'POST /auth/v1/passkeys/proof/options',
    'POST /auth/v1/passkeys/proof/verify',
  ],
  refused: {
    'DELETE /auth/v1/factors/{id}': 422,
    'DELETE /auth/v1/passkeys/{id}': 403,
    'DELETE /auth/v1/user/identities/{id}': 401,
    'GET /auth/v1/passkeys': 403,
    'GET /auth/v1/reauthenticate': 403,
    'GET /auth/v1/recovery-codes': 403,
    'GET /auth/v1/user/identities/authorize': 401,
    'PATCH /auth/v1/passkeys/{id}': 403,
    'POST /auth/v1/factors': 403,
    'POST /auth/v1/passkeys/registration/options': 403,
    'POST /auth/v1/passkeys/registration/verify': 403,
    'POST /auth/v1/recovery-codes': 403,
    'PUT /auth/v1/user': 401,
  } as Record<string, number>,
};
/** Of the product: the page of an invite. */
const publicPages = openRoutes.anybody.toSorted();

interface Operation {
  security: unknown[];
}

const document = (await (
  await fetch(`${app.url}/api/openapi.json`, { headers: { 'X-Forwarded-For': anyAddress() } })
).json()) as {
  paths: Record<string, Record<string, Operation>>;
};
const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { security }]) => ({
    name: `${method.toUpperCase()} ${path}`,
    isPublic: security.length === 0,
  })),
);

const under = (prefix: string, isPublic: boolean) =>
  routes
    .filter((route) => route.isPublic === isPublic && route.name.includes(` /${prefix}/`))
    .map(({ name }) => name)
    .sort();

async function ask(name: string, token: string, body?: object) {
  const [method, path] = name.replace(/\{\w+\}/g, randomUUID()).split(' ') as [string, string];
  const response = await fetch(app.url + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-supabase-api-version': '2024-01-01',
      'idempotency-key': randomUUID(),
      ...(method !== 'GET' && body && { 'content-type': 'application/json' }),
    },
    body: method === 'GET' ? undefined : body && JSON.stringify(body),
  });
  const text = await response.text();
  const { code } = (text ? JSON.parse(text) : {}) as { code?: string };
  return { status: response.status, code };
}

/** All stored data of a person's account except `last_seen_at` of sessions. */
async function accountOf(userId: string) {
  const [row] = await database.query<{ account: object }>(
    `select jsonb_build_object(
       'user', (select to_jsonb(u) from auth.users u where id = $1),
       'profile', (select to_jsonb(p) from auth.profiles p where user_id = $1),
       'sessions', (select jsonb_agg(to_jsonb(s) - 'last_seen_at' order by id) from auth.sessions s where user_id = $1),
       'factors', (select jsonb_agg(to_jsonb(f) order by id) from auth.factors f where user_id = $1),
       'passkeys', (select jsonb_agg(to_jsonb(p) order by id) from auth.passkeys p where user_id = $1),
       'codes', (select count(*) from auth.recovery_codes where user_id = $1),
       'identities', (select count(*) from auth.identities where user_id = $1),
       'mail tokens', (select count(*) from auth.mail_tokens where owner_id = $1),
       'copies', (select count(*) from auth.account_exports where user_id = $1)) as account`,
    [userId],
  );
  return row!.account;
}

describe('with the password alone, somebody who has a second factor', () => {
  it('is refused by every route under /auth/v1 that is not needed to show it', async () => {
    expect(under('auth/v1', true)).toEqual(auth.public);
    expect(under('auth/v1', false)).toEqual([...auth.answered, ...Object.keys(auth.refused)].sort());
    const { person, user } = await protectedPerson(app.url);
    const { session } = await withPassword(app.url, person);
    const before = await accountOf(user.id);

    const answers: Record<string, unknown> = {};
    for (const name of Object.keys(auth.refused)) answers[name] = await ask(name, session.access_token);

    expect(answers).toEqual(
      Object.fromEntries(
        Object.entries(auth.refused).map(([name, status]) => [name, { status, code: 'insufficient_aal' }]),
      ),
    );
    expect(await accountOf(user.id)).toEqual(before);
  });

  it('is refused by every route of the product and of the account', async () => {
    const { person, user } = await protectedPerson(app.url);
    const { session } = await withPassword(app.url, person);
    const before = await accountOf(user.id);
    expect(under('api/v1', true)).toEqual(publicPages);
    const all = under('api/v1', false);
    expect(all.filter((name) => name.includes('/account/')).length).toBeGreaterThan(7);
    expect(all.length).toBeGreaterThan(60);

    const entered: unknown[] = [];
    for (const name of all) {
      const answer = await ask(name, session.access_token);
      if (answer.code !== 'accounts.second_factor_required') entered.push([name, answer]);
    }

    expect(entered).toEqual([]);
    expect(await accountOf(user.id)).toEqual(before);
  });

  it('changes nothing about themselves, and ends no session but this one', async () => {
    const { person, user, session: own } = await protectedPerson(app.url);
    const { client, session } = await withPassword(app.url, person);
    const before = await accountOf(user.id);
    const refused = { code: 'insufficient_aal' };

    for (const change of [
      { data: { nome: 'Outra Pessoa' } },
      { current_password: person.password },
      { email: applicant().email, current_password: person.password },
      { password: 'Serra-Verde-77', current_password: person.password },
    ])
      expect((await client.updateUser(change)).error).toMatchObject(refused);
    for (const scope of ['global', 'others'])
      expect(await ask(`POST /auth/v1/logout?scope=${scope}`, session.access_token)).toMatchObject({
        status: 401,
        ...refused,
      });
    expect(await ask('POST /auth/v1/logout', session.access_token)).toMatchObject({ status: 401 });

    expect(await accountOf(user.id)).toEqual(before);
    expect((await get(`${app.url}/api/v1/me`, own.access_token)).status).toBe(200);
    expect((await ask('POST /auth/v1/logout?scope=local', session.access_token)).status).toBe(204);
    expect((await get(`${app.url}/auth/v1/user`, session.access_token)).status).toBe(403);
    expect((await get(`${app.url}/api/v1/me`, own.access_token)).status).toBe(200);
  });

  it('can prove a verified factor, not one whose enrolment was never finished', async () => {
    const { person, client, factorId, secret } = await protectedPerson(app.url);
    const begun = await enrol(client);
    const half = await withPassword(app.url, person);

    const other = await half.client.mfa.challengeAndVerify({
      factorId: begun.factorId,
      code: shown(begun.secret),
    });
    expect(other.error).toMatchObject({ status: 403, code: 'insufficient_aal' });

    const { data } = await half.client.mfa.listFactors();
    expect(data?.totp.map(({ id }) => id)).toEqual([factorId]);
    const refreshed = await half.client.refreshSession();
    expect(refreshed.error).toBeNull();
    const code = shown(secret, 1);
    expect((await half.client.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    expect((await half.client.updateUser({ data: { tema: 'escuro' } })).error).toBeNull();
  });
});
