import { randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  encodeRefreshToken,
  parseRefreshToken,
} from '../../backend/modules/accounts/sessions/refresh-token.codec.js';
import { connect, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { sharedApp } from '../support/shared.js';
import { anyAddress, get, signIn, signUp } from './people.js';

const database = await testDatabase();
const app = await sharedApp();

const me = async (token: string) => (await get(`${app.url}/api/v1/me`, token)).status;

/** A request like that of auth-js, with status, headers and body of the answer. */
async function call(
  path: string,
  { body, version = '2024-01-01' }: { body?: object; version?: string } = {},
) {
  const response = await fetch(`${app.url}/auth/v1/${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(version && { 'x-supabase-api-version': version }) },
    body: body && JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as Record<string, unknown> };
}

const refresh = (refresh_token: string) =>
  call('token?grant_type=refresh_token', { body: { refresh_token } });

describe('signing in', () => {
  it('answers a session for the right password', async () => {
    const { person, user } = await signUp(app.url);

    const { data, error } = await signIn(app.url, { ...person, email: person.email.toUpperCase() });

    expect(error).toBeNull();
    expect(data.user?.id).toBe(user.id);
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(await me(data.session!.access_token)).toBe(200);
  });

  it('refuses after 20 wrong passwords for one account from one address, and nobody else', async () => {
    const { person } = await signUp(app.url);
    const other = await signUp(app.url);
    const address = anyAddress();
    const attempt = (password: string, from = address) =>
      signIn(app.url, { email: person.email, password }, from);

    for (let i = 0; i < 3; i += 1) expect((await attempt(person.password)).error).toBeNull();
    const wrong = await Promise.all(Array.from({ length: 20 }, (_, i) => attempt(`wrong ${i}`)));

    expect(wrong.every(({ error }) => error?.code === 'invalid_credentials')).toBe(true);
    expect((await attempt(person.password)).error).toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
    });
    expect((await signIn(app.url, other.person, address)).error).toBeNull();
    expect((await attempt(person.password, anyAddress())).error).toBeNull();
  });
});

describe('refreshing', () => {
  it('gives a new refresh token each time', async () => {
    const { client, session } = await signUp(app.url);

    const first = await client.refreshSession();
    const second = await client.refreshSession();

    const tokens = [session, first.data.session, second.data.session].map((each) => each!.refresh_token);
    expect(new Set(tokens).size).toBe(3);
    expect(await me(second.data.session!.access_token)).toBe(200);
  });

  it('answers ten concurrent requests with the same token', async () => {
    const { session } = await signUp(app.url);

    const answers = await Promise.all(Array.from({ length: 10 }, () => refresh(session.refresh_token)));

    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(new Set(answers.map(({ body }) => body.refresh_token)).size).toBe(1);
    expect(answers[0]!.body.refresh_token).not.toBe(session.refresh_token);
  });

  it('is refused if the session is locked for five seconds, and leaves the session unchanged', async () => {
    const { session } = await signUp(app.url);
    const holder = await connect(database.environment.DATABASE_URL);
    await holder.query('begin');
    const { sessionId } = parseRefreshToken(session.refresh_token)!;
    await holder.query('select from auth.sessions where id = $1 for update', [sessionId]);

    expect(await refresh(session.refresh_token)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    await holder.query('rollback');
    expect((await refresh(session.refresh_token)).status).toBe(200);
  });

  it('repeats the newest token for its parent at any time, because the answer may have been lost', async () => {
    const { session } = await signUp(app.url);
    const { body } = await refresh(session.refresh_token);
    await age(session.refresh_token, 'refreshed_at', '1 hour');

    const again = await refresh(session.refresh_token);

    expect(again.body.refresh_token).toBe(body.refresh_token);
  });

  it('repeats the newest token for older ones within ten seconds', async () => {
    const { client, session } = await signUp(app.url);
    await client.refreshSession();
    const { data } = await client.refreshSession();

    const { body } = await refresh(session.refresh_token);

    expect(body.refresh_token).toBe(data.session!.refresh_token);
  });

  it('ends the session when an older token comes back later', async () => {
    const { client, session } = await signUp(app.url);
    await client.refreshSession();
    const { data } = await client.refreshSession();
    await age(session.refresh_token, 'refreshed_at', '11 seconds');

    const replay = await refresh(session.refresh_token);

    expect(replay).toMatchObject({
      status: 400,
      body: { code: 'refresh_token_already_used', message: 'Invalid Refresh Token: Already Used' },
    });
    expect(await me(data.session!.access_token)).toBe(401);
    expect((await refresh(data.session!.refresh_token)).body.code).toBe('refresh_token_not_found');
  });

  it('refuses forged tokens', async () => {
    const { session } = await signUp(app.url);
    const { sessionId } = parseRefreshToken(session.refresh_token)!;
    const forged = encodeRefreshToken(sessionId, 0, randomBytes(32));
    const ofNobody = encodeRefreshToken(randomUUID(), 0, randomBytes(32));

    expect((await refresh('abc')).body).toMatchObject({
      code: 'validation_failed',
      message: 'Refresh token is not valid',
    });
    expect((await refresh('')).body.code).toBe('validation_failed');
    expect((await refresh(forged)).body.code).toBe('refresh_token_not_found');
    expect((await refresh(ofNobody)).body.code).toBe('refresh_token_not_found');
    expect(await me(session.access_token)).toBe(200);
  });

  it('refuses a token that is ahead of the database', async () => {
    const { client } = await signUp(app.url);
    const { data } = await client.refreshSession();
    const { refresh_token, access_token } = data.session!;
    const { sessionId } = parseRefreshToken(refresh_token)!;
    await database.query('update auth.sessions set refresh_counter = 0 where id = $1', [sessionId]);

    expect((await refresh(refresh_token)).body).toMatchObject({
      code: 'validation_failed',
      message: 'Invalid Refresh Token: Not Issued By This Server',
    });
    expect(await me(access_token)).toBe(200);
  });
});

describe('a session', () => {
  it.each([
    ['created_at', 30],
    ['last_seen_at', 14],
  ] as const)('is over when its %s is %d days old', async (column, days) => {
    const [young, old] = [await signUp(app.url), await signUp(app.url)];
    await age(young.session.refresh_token, column, `${days} days - 1 minute`);
    await age(old.session.refresh_token, column, `${days} days`);

    expect(await me(young.session.access_token)).toBe(200);
    expect(await me(old.session.access_token)).toBe(401);
    expect((await refresh(young.session.refresh_token)).status).toBe(200);
    expect((await refresh(old.session.refresh_token)).body).toMatchObject({
      code: 'session_expired',
      message: 'Invalid Refresh Token: Session Expired',
    });
  });

  it('records when it was last seen', async () => {
    const { session } = await signUp(app.url);
    await age(session.refresh_token, 'last_seen_at', '2 minutes');
    const { sessionId } = parseRefreshToken(session.refresh_token)!;

    await me(session.access_token);

    await eventually(async () => {
      const [row] = await database.query<{ fresh: boolean }>(
        "select last_seen_at > now() - interval '1 minute' as fresh from auth.sessions where id = $1",
        [sessionId],
      );
      return row!.fresh;
    }, true);
  });

  it('answers its user', async () => {
    const { client, user } = await signUp(app.url);

    const { data } = await client.getUser();

    expect(data.user).toEqual(user);
    expect(data.user).toMatchObject({
      aud: 'authenticated',
      phone: '',
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [expect.objectContaining({ provider: 'email', user_id: user.id })],
    });
    // The browser stores this object, so it contains nothing else of the row.
    const times = ['created_at', 'last_sign_in_at', 'updated_at'];
    expect(Object.keys(user).sort()).toEqual(
      [
        'id',
        'aud',
        'role',
        'email',
        'phone',
        'email_confirmed_at',
        'confirmed_at',
        'app_metadata',
        'user_metadata',
        'identities',
        'is_anonymous',
        ...times,
      ].sort(),
    );
    expect(Object.keys(user.identities![0]!).sort()).toEqual(
      ['identity_id', 'id', 'user_id', 'identity_data', 'provider', 'email', ...times].sort(),
    );
  });
});

describe('signing out', () => {
  it.each([
    ['local', [401, 200, 200]],
    ['others', [200, 401, 401]],
    ['global', [401, 401, 401]],
  ] as const)('with scope %s ends the sessions of that scope at once', async (scope, statuses) => {
    const { person, client, session } = await signUp(app.url);
    const stranger = await signUp(app.url);
    const others = await Promise.all([1, 2].map(() => signIn(app.url, person)));
    const sessions = [session, ...others.map(({ data }) => data.session!)];

    const { error } = await client.signOut({ scope });

    expect(error).toBeNull();
    expect(await Promise.all(sessions.map(({ access_token }) => me(access_token)))).toEqual(statuses);
    const refreshed = await Promise.all(sessions.map(({ refresh_token }) => refresh(refresh_token)));
    expect(refreshed.map(({ status }) => (status === 200 ? 200 : 401))).toEqual(statuses);
    expect(await me(stranger.session.access_token)).toBe(200);
  });

  it('leaves the client without a session', async () => {
    const { person, client } = await signUp(app.url);
    const other = await signIn(app.url, person);
    await other.client.signOut({ scope: 'global' });

    const { data, error } = await client.getUser();

    expect(data.user).toBeNull();
    expect(error?.name).toBe('AuthSessionMissingError');
    expect((await client.getSession()).data.session).toBeNull();
  });

  it('refuses an unknown scope', async () => {
    const { session } = await signUp(app.url);

    const response = await fetch(`${app.url}/auth/v1/logout?scope=all`, {
      method: 'POST',
      headers: { authorization: `Bearer ${session.access_token}` },
    });

    expect(response.status).toBe(400);
    expect(await me(session.access_token)).toBe(200);
  });
});

describe('the answers of /auth/v1', () => {
  it('have the error code in the field that the client reads', async () => {
    const { status, headers, body } = await refresh('abc');

    expect(status).toBe(400);
    expect(headers.get('x-sb-error-code')).toBe('validation_failed');
    expect(headers.get('x-supabase-api-version')).toBe('2024-01-01');
    expect(body).toEqual({ code: 'validation_failed', message: 'Refresh token is not valid' });
  });

  it('have the older format if the client sends no version', async () => {
    const { headers, body } = await call('token?grant_type=refresh_token', {
      body: { refresh_token: 'abc' },
      version: '',
    });

    expect(headers.get('x-supabase-api-version')).toBeNull();
    expect(headers.get('x-sb-error-code')).toBe('validation_failed');
    expect(body).toEqual({ code: 400, error_code: 'validation_failed', msg: 'Refresh token is not valid' });
  });

  it.each([
    ['pkce', { auth_code: 'a', code_verifier: 'b' }, 404, 'flow_state_not_found'],
    ['pkce', { auth_code: 'a' }, 400, 'validation_failed'],
    ['id_token', { provider: 'google', id_token: 'a' }, 400, 'provider_disabled'],
    ['web3', { chain: 'ethereum', message: 'a', signature: 'b' }, 422, 'web3_provider_disabled'],
    ['password', { phone: '+5511943214321', password: 'a' }, 422, 'phone_provider_disabled'],
    ['password', { password: 'a' }, 400, 'validation_failed'],
    ['magic', {}, 400, 'invalid_credentials'],
  ])('to the grant %s with %j are a refusal', async (grant, body, status, code) => {
    expect(await call(`token?grant_type=${grant}`, { body })).toMatchObject({ status, body: { code } });
  });

  it('list the enabled sign-in methods', async () => {
    expect((await call('settings')).body).toMatchObject({
      external: { email: true, google: false, apple: false, phone: false },
      disable_signup: false,
      mailer_autoconfirm: true,
    });
    expect((await call('health')).body).toMatchObject({ name: 'Rende' });
  });

  it('ignore the token of a public request', async () => {
    const response = await fetch(`${app.url}/auth/v1/settings`, {
      headers: { authorization: 'Bearer anon' },
    });

    expect(response.status).toBe(200);
  });
});

/** Moves a timestamp of a session into the past. */
async function age(refreshToken: string, column: 'created_at' | 'last_seen_at' | 'refreshed_at', by: string) {
  const { sessionId } = parseRefreshToken(refreshToken)!;
  const rows = await database.query(
    `update auth.sessions set ${column} = ${column} - $2::interval where id = $1 returning id`,
    [sessionId, by],
  );
  expect(rows).toHaveLength(1);
}
