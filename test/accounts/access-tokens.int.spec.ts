import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT, UnsecuredJWT } from 'jose';
import { SigningKeys } from '../../backend/modules/accounts/sessions/signing-keys.service.js';
import type { TestApp } from '../support/app.js';
import { sharedApp } from '../support/shared.js';
import { get, signUp } from './people.js';
import { connect, type TestDatabase, testDatabase } from '../support/database.js';

let app: TestApp;
let token: string;
let current: Awaited<ReturnType<SigningKeys['current']>>;
let publicKey: KeyObject | undefined;
beforeAll(async () => {
  app = await sharedApp();
  token = (await signUp(app.url)).session.access_token;
  const keys = app.nest.get(SigningKeys);
  current = await keys.current();
  publicKey = await keys.find(current.kid);
});

afterEach(() => void jest.restoreAllMocks());

const NOW = () => Math.floor(Date.now() / 1000);

/** The genuine token's claims with some replaced, signed with a key. */
function signed(
  key: KeyObject | Uint8Array,
  claims: Record<string, unknown> = {},
  header: Record<string, unknown> = {},
) {
  const all = { ...decodeJwt(token), ...claims };
  return new SignJWT(all).setProtectedHeader({ alg: 'ES256', kid: current.kid, ...header }).sign(key);
}

describe('an access token', () => {
  it('is ES256 with a kid, and contains only the required claims', () => {
    expect(decodeProtectedHeader(token)).toEqual({ alg: 'ES256', kid: current.kid, typ: 'JWT' });
    expect(decodeJwt(token)).toEqual({
      iss: 'rende',
      aud: 'authenticated',
      sub: expect.any(String),
      iat: expect.any(Number),
      exp: decodeJwt(token).iat! + 3600,
      email: expect.any(String),
      phone: '',
      role: 'authenticated',
      aal: 'aal1',
      amr: [{ method: 'password', timestamp: expect.any(Number) }],
      session_id: expect.any(String),
      is_anonymous: false,
      app_metadata: { provider: 'email', providers: ['email'] },
      user_metadata: { nome: 'Ana Souza' },
    });
  });

  it('can be verified by anybody with the published keys', async () => {
    const url = new URL(`${app.url}/auth/v1/.well-known/jwks.json`);
    const { payload } = await jwtVerify(token, createRemoteJWKSet(url), {
      issuer: 'rende',
      audience: 'authenticated',
    });
    expect(payload.sub).toBe(decodeJwt(token).sub);

    const response = await fetch(url);
    expect(response.headers.get('cache-control')).toBe('public, max-age=600');
    const { keys: published } = (await response.json()) as { keys: object[] };
    expect(published).toEqual([
      {
        kty: 'EC',
        crv: 'P-256',
        x: expect.any(String),
        y: expect.any(String),
        kid: current.kid,
        alg: 'ES256',
        use: 'sig',
        key_ops: ['verify'],
      },
    ]);
  });

  it('is verified by the client itself', async () => {
    const { client, user } = await signUp(app.url);

    const { data, error } = await client.getClaims();

    expect(error).toBeNull();
    expect(data?.claims.sub).toBe(user.id);
  });

  it('is accepted when genuine', async () => {
    for (const claims of [{}, { exp: NOW() + 86_390 }]) {
      const again = await signed(current.privateKey, claims);
      expect((await get(`${app.url}/api/v1/me`, again)).status).toBe(200);
    }
  });

  const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  const publicPem = () => Buffer.from(publicKey!.export({ format: 'pem', type: 'spki' }) as string);
  it.each<[string, () => Promise<string> | string]>([
    ['nonsense', () => 'nonsense'],
    ['of a strange key', () => signed(stranger)],
    ['of an unknown kid', () => signed(stranger, {}, { kid: 'another' })],
    ['without a kid', () => signed(current.privateKey, {}, { kid: undefined })],
    ['with the public key as a secret', () => signed(publicPem(), {}, { alg: 'HS256' })],
    ['without a signature', () => new UnsecuredJWT(decodeJwt(token)).encode()],
    [
      'without a signature, but a kid',
      () => `${btoa(JSON.stringify({ alg: 'none', kid: current.kid }))}.${token.split('.')[1]}.`,
    ],
    ['changed after signing', () => token.replace(/\.(.)/, (_dot, first) => `.${first === 'e' ? 'f' : 'e'}`)],
    ['expired', () => signed(current.privateKey, { exp: NOW() - 1 })],
    ['without an end', () => signed(current.privateKey, { exp: undefined })],
    ['to end in more than a day', () => signed(current.privateKey, { exp: NOW() + 86_410 })],
    ['not valid yet', () => signed(current.privateKey, { nbf: NOW() + 60 })],
    ['for another audience', () => signed(current.privateKey, { aud: 'anon' })],
    ['of another issuer', () => signed(current.privateKey, { iss: 'somebody' })],
    ['of another user', () => signed(current.privateKey, { sub: crypto.randomUUID() })],
    ['followed by something else', () => `${token} x`],
    ['followed by the header of another key', () => `${token} ${btoa('{"alg":"ES256","kid":"another"}')}..`],
    ['of no session', () => signed(current.privateKey, { session_id: crypto.randomUUID() })],
  ])('is refused when it is %s', async (_what, forge) => {
    const forged = await forge();

    const answer = await get(`${app.url}/api/v1/me`, forged);
    expect(answer).toMatchObject({
      status: 401,
      body: { code: 'unauthenticated', title: 'Usuário não autenticado' },
    });
    const { status, body } = await get(`${app.url}/auth/v1/user`, forged);
    expect(status).toBe(403);
    expect(body.error_code).toMatch(/^(bad_jwt|session_not_found)$/);
  });

  it('is valid until it expires, even if it was verified before', async () => {
    const again = await signed(current.privateKey);
    const status = async () => (await get(`${app.url}/api/v1/me`, again)).status;
    expect(await status()).toBe(200);

    jest.spyOn(Date, 'now').mockReturnValue(decodeJwt(again).exp! * 1000 - 1);
    expect(await status()).toBe(200);
    jest.spyOn(Date, 'now').mockReturnValue(decodeJwt(again).exp! * 1000);
    expect(await status()).toBe(401);
  });

  it('is accepted in the Authorization header only', async () => {
    for (const path of ['/api/v1/me', '/auth/v1/user']) {
      const asked = await fetch(`${app.url}${path}?access_token=${token}`, {
        headers: { cookie: `access_token=${token}`, 'x-access-token': token },
      });
      expect(asked.status).toBe(401);
      const basic = await fetch(app.url + path, {
        headers: { authorization: `Basic ${btoa(`x:${token}`)}` },
      });
      expect(basic.ok).toBe(false);
    }
  });

  it('is required', async () => {
    const answers = await Promise.all(['/api/v1/me', '/auth/v1/user'].map((path) => fetch(app.url + path)));

    expect(answers.map(({ status }) => status)).toEqual([401, 401]);
    expect(await answers[1]!.json()).toMatchObject({ error_code: 'no_authorization' });
  });
});

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});

async function trainer() {
  const { session, user } = await signUp(app.url);
  const rows = await database.query<{ tenant_id: string }>(
    'select tenant_id from memberships where user_id = $1',
    [user.id],
  );
  return { token: session.access_token, userId: user.id, tenantId: rows[0]!.tenant_id };
}

const students = (token: string, tenant?: string) =>
  get(`${app.url}/api/v1/students`, token, tenant === undefined ? {} : { 'Rende-Tenant': tenant });

describe('the tenant of a request', () => {
  it('is that of the only membership', async () => {
    const { token, tenantId } = await trainer();
    expect((await students(token)).status).toBe(200);
    expect((await students(token, tenantId.toUpperCase())).status).toBe(200);
  });

  it.each([() => trainer().then(({ tenantId }) => tenantId), randomUUID, () => 'nonsense', () => ''])(
    'is answered with the same 404 where it is that of others or none',
    async (choose) => {
      const { token } = await trainer();
      expect(await students(token, await choose())).toMatchObject({
        status: 404,
        body: { code: 'accounts.tenant_not_found', title: 'Conta não encontrada' },
      });
    },
  );

  it('must be chosen if there are several', async () => {
    const { token, userId, tenantId } = await trainer();
    const other = await trainer();
    const studentId = randomUUID();
    await database.query(
      "insert into memberships (tenant_id, user_id, role, student_id) values ($1, $2, 'aluno', $3)",
      [other.tenantId, userId, studentId],
    );

    expect(await students(token)).toMatchObject({
      status: 400,
      body: { code: 'accounts.tenant_required' },
    });
    expect((await students(token, tenantId)).status).toBe(200);
    expect(await students(token, other.tenantId)).toMatchObject({
      status: 403,
      body: { code: 'accounts.access_denied', title: 'Acesso Negado' },
    });
    const { body } = await get(`${app.url}/api/v1/me`, token);
    expect(body.membership).toBeNull();
    expect(body.memberships).toHaveLength(2);
    const chosen = await get(`${app.url}/api/v1/me`, token, { 'Rende-Tenant': other.tenantId });
    expect(chosen.body.membership).toMatchObject({ tenant_id: other.tenantId, student_id: studentId });
  });

  it('is looked up before validation, so that strangers learn nothing about the body', async () => {
    const response = await fetch(`${app.url}/api/v1/students`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{',
    });
    expect(response.status).toBe(401);
  });
});

describe('the database', () => {
  it('shows the application only the tenant and memberships of the tenant that it has set', async () => {
    const { tenantId } = await trainer();
    const client = await connect(database.environment.DATABASE_URL);
    const count = async (table: string) => (await client.query(`select from ${table}`)).rowCount;

    expect([await count('tenants'), await count('memberships')]).toEqual([0, 0]);
    await client.query("select set_config('app.tenant', $1, false)", [tenantId]);
    expect([await count('tenants'), await count('memberships')]).toEqual([1, 1]);
    await expect(
      client.query(
        "insert into memberships (tenant_id, user_id, role) select $1, id, 'personal' from auth.users",
        [(await trainer()).tenantId],
      ),
    ).rejects.toThrow(/row-level security/);
    await expect(client.query('select from auth.profiles')).rejects.toThrow(/permission denied/);
  });

  it('returns only the tenants of the session’s own user', async () => {
    const [mine, theirs] = [await trainer(), await trainer()];
    const client = await connect(database.environment.DATABASE_URL);
    const lookUp = async (session: string, user: string) => {
      const { rows } = await client.query<{ memberships: { tenantId: string }[] }>(
        'select memberships from auth.session_memberships($1, $2)',
        [session, user],
      );
      return rows.map(({ memberships }) => memberships.map(({ tenantId }) => tenantId));
    };
    const { rows } = await client.query<{ id: string }>('select id from auth.sessions where user_id = $1', [
      mine.userId,
    ]);

    expect(await lookUp(rows[0]!.id, mine.userId)).toEqual([[mine.tenantId]]);
    expect(await lookUp(rows[0]!.id, theirs.userId)).toEqual([]);
    expect(await lookUp(randomUUID(), mine.userId)).toEqual([]);
  });
});
