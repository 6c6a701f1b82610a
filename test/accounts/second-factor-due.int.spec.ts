import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { anyAddress } from '../support/addresses.js';
import type { TestApp } from '../support/app.js';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { sharedApp } from '../support/shared.js';
import { applicant, get, signUp } from './people.js';
import { enrol, protectedPerson, shown, withPassword } from './second-factor.js';
import { openRoutes } from '../proof/routes.js';

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
  ],
  refused: {
    'DELETE /auth/v1/factors/{id}': 422,
    'DELETE /auth/v1/user/identities/{id}': 401,
    'GET /auth/v1/reauthenticate': 403,
    'GET /auth/v1/recovery-codes': 403,
    'GET /auth/v1/user/identities/authorize': 401,
    'POST /auth/v1/factors': 403,
    'POST /auth/v1/recovery-codes': 403,
    'PUT /auth/v1/user': 401,
  } as Record<string, number>,
};
/** Of the product: the page of an invite. */
const publicPages = openRoutes.anybody.toSorted();

interface Operation {
  security: unknown[];
}

let database: TestDatabase;
let app: TestApp;
let routes: { name: string; isPublic: boolean }[];
beforeAll(async () => {
  database = await testDatabase();
  app = await sharedApp();
  const document = (await (
    await fetch(`${app.url}/api/openapi.json`, { headers: { 'X-Forwarded-For': anyAddress() } })
  ).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { security }]) => ({
      name: `${method.toUpperCase()} ${path}`,
      isPublic: security.length === 0,
    })),
  );
});

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

it('without a second factor, all sessions can be ended', async () => {
  const { person, client } = await signUp(app.url);
  const other = await withPassword(app.url, person);

  expect((await client.signOut({ scope: 'global' })).error).toBeNull();
  expect((await get(`${app.url}/api/v1/me`, other.session.access_token)).status).toBe(401);
});
