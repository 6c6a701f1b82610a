import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { Passwords } from '../../backend/modules/accounts/secrets/passwords.service.js';
import { startApp } from '../support/app.js';
import { sharedApp } from '../support/shared.js';
import { testDatabase } from '../support/database.js';
import { anyAddress, applicant, signIn, signUp } from './people.js';

const database = await testDatabase();
const app = await sharedApp();

/** A request like that of auth-js, with the header that proxies add. */
async function call(path: string, body: object, forwarded: string, url = app.url) {
  const response = await fetch(`${url}/auth/v1/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-forwarded-for': forwarded,
      'x-supabase-api-version': '2024-01-01',
    },
    body: JSON.stringify(body),
  });
  const { status, headers } = response;
  return { status, headers, body: (await response.json()) as Record<string, unknown> };
}

const password = (email: string, forwarded: string, url?: string) =>
  call('token?grant_type=password', { email, password: 'wrong' }, forwarded, url);

describe('a password', () => {
  it('is stored as salted argon2id', async () => {
    const people = [await signUp(app.url), await signUp(app.url)];
    const rows = await database.query<{ password_hash: string }>(
      'select password_hash from auth.users where id = any($1)',
      [people.map(({ user }) => user.id)],
    );
    for (const { password_hash } of rows) expect(password_hash).toMatch(/^\$argon2id\$v=19\$/);
    expect(new Set(rows.map(({ password_hash }) => password_hash)).size).toBe(2);
  });

  it('costs one hash to compare, also for an unknown address', async () => {
    const { person } = await signUp(app.url);
    const passwords = app.nest.get(Passwords);
    const [matches, hash] = [jest.spyOn(passwords, 'matches'), jest.spyOn(passwords, 'hash')];

    await signIn(app.url, person);
    expect([matches.mock.calls.length, hash.mock.calls.length]).toEqual([1, 0]);
    await signIn(app.url, applicant());
    expect([matches.mock.calls.length, hash.mock.calls.length]).toEqual([2, 0]);
    expect(matches.mock.calls[1]![0]).toBeNull();
    // A hash is computed even without an account.
    const withoutOne = Object.create(passwords, { nobodys: { value: 'no hash' } }) as Passwords;
    await expect(withoutOne.matches(null, 'Lagoa-Azul-42')).rejects.toThrow();
  });
});

describe('guessing passwords', () => {
  it('is answered with the number of attempts left, and when there will be more', async () => {
    const { person } = await signUp(app.url);
    const address = anyAddress();

    const first = await password(person.email, address);
    expect(first.headers.get('ratelimit-policy')).toBe('"password-by-account";q=20;w=600');
    expect(first.headers.get('ratelimit')).toMatch(/^"password-by-account";r=19;t=\d+$/);
    for (let n = 1; n < 20; n += 1) await password(person.email, address);

    const { status, headers, body } = await password(person.email, address);
    expect(status).toBe(429);
    expect(body.code).toBe('over_request_rate_limit');
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(500);
    expect(headers.get('ratelimit')).toMatch(/^"password-by-account";r=0;t=\d+$/);
  });

  it('gets no more attempts by sending the header of proxies', async () => {
    const { person } = await signUp(app.url);
    const address = anyAddress();
    const statuses = [];
    for (let n = 0; n < 21; n += 1)
      statuses.push((await password(person.email, `${anyAddress()}, ${address}`)).status);
    expect(statuses).toEqual([...Array<number>(20).fill(400), 429]);

    const direct = await startApp({ database, env: { TRUST_PROXY_HOPS: '0' } });
    const other = await signUp(direct.url);
    const again = [];
    for (let n = 0; n < 21; n += 1)
      again.push((await password(other.person.email, anyAddress(), direct.url)).status);
    expect(again).toEqual([...Array<number>(20).fill(400), 429]);
  });

  it('gets no more attempts for one account from an address of the same network, or with another spelling', async () => {
    const { person } = await signUp(app.url);
    const statuses = [];
    for (let n = 0; n < 21; n += 1) {
      const email = n % 2 ? person.email.toUpperCase() : person.email;
      statuses.push((await password(email, `2001:db8:1:2::${n.toString(16)}`)).status);
    }
    expect(statuses.at(-1)).toBe(429);
  });

  it('is refused after a hundred attempts from one address for any accounts', async () => {
    const address = anyAddress();
    const { person } = await signUp(app.url);
    await password(applicant().email, address);
    // As if all but one attempt had been made.
    await database.query(
      `update rate_limits set points = 99 where key =
         (select key from rate_limits where key like 'rate:password-by-address:%' order by expire desc limit 1)`,
    );
    expect((await password(applicant().email, address)).status).toBe(400);

    const { status, headers } = await password(applicant().email, address);
    expect(status).toBe(429);
    expect(headers.get('ratelimit-policy')).toBe('"password-by-address";q=100;w=600');
    expect((await signIn(app.url, person, anyAddress())).error).toBeNull();
  });

  it('does not count correct passwords, neither for the account nor for a shared network', async () => {
    const { person } = await signUp(app.url);
    const counted = () =>
      database.query<{ key: string; points: number }>(
        "select key, points from rate_limits where key like 'rate:password-by-%'",
      );
    const before = new Set((await counted()).map(({ key }) => key));

    expect((await signIn(app.url, person, anyAddress())).error).toBeNull();

    const own = (await counted()).filter(({ key }) => !before.has(key));
    expect(own.map(({ key, points }) => [key.split(':')[1], points]).sort()).toEqual([
      ['password-by-account', 0],
      ['password-by-address', 0],
      ['password-by-network', 0],
      ['password-by-strangers', 0],
    ]);
  });
});

describe('an address with an account and one without', () => {
  it.each<[string, (email: string) => [string, object]]>([
    ['a password', (email) => ['token?grant_type=password', { email, password: 'wrong' }]],
    ['a magic link', (email) => ['otp', { email }]],
    ['a recovery', (email) => ['recover', { email }]],
    ['another confirmation', (email) => ['resend', { email, type: 'signup' }]],
    ['another change of address', (email) => ['resend', { email, type: 'email_change' }]],
    ['a code', (email) => ['verify', { email, token: '123456', type: 'email' }]],
  ])('are answered alike for %s, the headers too', async (_what, request) => {
    const { person } = await signUp(app.url);
    const answers = [];
    for (const email of [person.email, applicant().email]) {
      const { status, headers, body } = await call(...request(email), anyAddress());
      const shown = Object.fromEntries(headers);
      for (const own of ['date', 'x-request-id', 'ratelimit']) delete shown[own];
      if (shown['set-cookie']) shown['set-cookie'] = shown['set-cookie'].replace(/=[\w-]{43};/, '=…;');
      answers.push({ status, body, shown });
    }
    expect(answers[0]).toEqual(answers[1]);
  });
});

it.each(['settings', 'user', 'nothing-here', 'authorize?provider=google'])(
  'what /auth/v1/%s answers is neither kept nor run nor framed, nor read by a page of another site',
  async (path) => {
    const { headers } = await fetch(`${app.url}/auth/v1/${path}`, {
      redirect: 'manual',
      headers: { origin: 'https://evil.example' },
    });
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cross-origin-resource-policy': 'same-origin',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers.get('set-cookie')).toBeNull();
    expect(headers.get('access-control-allow-origin')).toBeNull();
  },
);

const ways: [string, string, string][] = [
  ['POST', 'auth/v1/signup', '"signup";q=100;w=600'],
  ['POST', 'auth/v1/signup/provider', '"signup";q=100;w=600'],
  ['POST', 'auth/v1/signup/provider/person', '"newcomers";q=300;w=600'],
  ['POST', 'auth/v1/token?grant_type=refresh_token', '"token";q=3000;w=600'],
  ...['otp', 'recover', 'resend'].map((path): [string, string, string] => [
    ...(['POST', `auth/v1/${path}`] as const),
    '"mail-by-address";q=100;w=600',
  ]),
  ['GET', 'auth/v1/reauthenticate?x=1', '"mail-by-address";q=100;w=600'],
  ['POST', 'auth/v1/verify', '"verify";q=300;w=600'],
  ['GET', 'auth/v1/verify?token=x&type=signup', '"verify";q=300;w=600'],
  ['POST', 'auth/v1/verify/link', '"verify";q=300;w=600'],
  ['PUT', 'auth/v1/user', '"user";q=100;w=600'],
  ...['factors', 'factors/x/challenge', 'factors/x/verify', 'recovery-codes'].map(
    (path): [string, string, string] => ['POST', `auth/v1/${path}`, '"factors";q=300;w=600'],
  ),
  ...['authorize', 'callback', 'user/identities/authorize'].map((path): [string, string, string] => [
    ...(['GET', `auth/v1/${path}`] as const),
    '"providers";q=300;w=600',
  ]),
  ['POST', 'auth/v1/callback', '"providers";q=300;w=600'],
  ['GET', 'api/v1/invites/x', '"invites";q=100;w=600'],
  ['POST', 'api/v1/invites/accept', '"invites";q=100;w=600'],
  ['GET', 'api/v1/pay/x', '"payment-looks";q=600;w=60'],
  ['GET', 'pagar/x', '"link-pages";q=300;w=60'],
  ['POST', 'api/v1/pay/claim', '"payments";q=100;w=600'],
  ['GET', 'convite/x', '"link-pages";q=300;w=60'],
  ['GET', 'confirmar/x', '"link-pages";q=300;w=60'],
  ['POST', 'api/v1/confirmations', '"confirmations";q=100;w=600'],
  ['GET', 'api/v1/public/pages/x', '"public-pages";q=300;w=60'],
  ['POST', 'api/v1/public/visits/cancel', '"visitor-changes";q=200;w=600'],
  ['POST', 'api/v1/public/visits/move', '"visitor-changes";q=200;w=600'],
  ...['leave', 'refuse', 'take'].map((step): [string, string, string] => [
    ...(['POST', `api/v1/public/waitlist/${step}`] as const),
    '"visitor-changes";q=200;w=600',
  ]),
  ['GET', 'verificar', '"link-pages";q=300;w=60'],
  ['GET', 'verificar/x', '"contract-codes";q=60;w=600'],
  ['GET', `api/v1/contract-files/${'a'.repeat(64)}`, '"contract-codes";q=60;w=600'],
  ['GET', 'assinar/x', '"signature-pages";q=300;w=60'],
  ['GET', 'api/v1/signature-links/x', '"signature-links";q=100;w=600'],
  ...['code', 'confirm-code', 'decline', 'open', 'sign'].map((step): [string, string, string] => [
    ...(['POST', `api/v1/signature-links/${step}`] as const),
    '"signature-links";q=100;w=600',
  ]),
  ...['pdf', 'read', 'withdraw'].map((step): [string, string, string] => [
    ...(['POST', `api/v1/signature-links/${step}`] as const),
    '"signature-cpfs";q=60;w=600',
  ]),
  ['GET', 'api/v1/letter-links/x', '"letter-links";q=100;w=600'],
  ['POST', 'api/v1/letter-links', '"letter-links";q=100;w=600'],
  ['POST', 'avisos/x', '"letter-taps";q=3000;w=600'],
  ...['options', 'verify'].flatMap((step): [string, string, string][] => [
    ['POST', `auth/v1/passkeys/authentication/${step}`, '"passkey-sign-ins";q=3000;w=600'],
    ['POST', `auth/v1/passkeys/registration/${step}`, '"passkeys";q=300;w=600'],
    ['POST', `auth/v1/passkeys/proof/${step}`, '"passkeys";q=300;w=600'],
  ]),
  ['PUT', 'api/v1/account/profile', '"profile";q=60;w=600'],
  ['POST', 'api/v1/account/deletion', '"account-deletion";q=30;w=600'],
];

const FORM = 'application/x-www-form-urlencoded';
const typeOf = (path: string) => (/(callback|verify\/link)$|^avisos/.test(path) ? FORM : 'application/json');

it('every route for signing in is rate-limited per address', async () => {
  const { session } = await signUp(app.url);
  for (const [method, path, policy] of ways) {
    const { headers } = await fetch(`${app.url}/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${session.access_token}`,
        'content-type': typeOf(path),
        'idempotency-key': randomUUID(),
        'x-forwarded-for': anyAddress(),
      },
      body: method === 'GET' ? null : '{"unknown":true}',
    });
    expect([path, headers.get('ratelimit-policy')]).toEqual([path, policy]);
  }
});

it('every public route is rate-limited, except those with the same answer for everybody', async () => {
  const document = await fetch(`${app.url}/api/openapi.json`, {
    headers: { 'x-forwarded-for': anyAddress() },
  });
  const { paths } = (await document.json()) as {
    paths: Record<string, Record<string, { security: object[] }>>;
  };
  const open = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { security }]) => security.length === 0 && /^\/(auth|api)\/v1\//.test(path))
      .map(([method]) => `${method.toUpperCase()} ${path}`),
  );
  const counted = ways.map(([method, path]) => `${method} /${path.split('?', 1)[0]!.replace(/a{64}/, 'x')}`);

  expect(open.filter((route) => !counted.includes(route.replace(/\{\w+\}/, 'x'))).sort()).toEqual(
    [
      'GET /auth/v1/.well-known/jwks.json',
      'GET /auth/v1/health',
      'GET /auth/v1/settings',
      // Counted after its body is read: by address, phone and trainer.
      'POST /api/v1/public/bookings',
      'POST /api/v1/public/waitlist',
      'POST /auth/v1/sso',
    ].sort(),
  );
});

describe('malformed input', () => {
  const challenge = { code_challenge: 'c'.repeat(43), code_challenge_method: 's256' };
  const ticket = { ticket: 'A'.repeat(43), code_verifier: 'v'.repeat(43) };
  /** The body of each route; every field is sent malformed in each way once. */
  const bodies: [string, string, () => object][] = [
    [
      'POST',
      'signup',
      () => ({ ...applicant(), options: undefined, data: applicant().options.data, ...challenge }),
    ],
    ['POST', 'signup/provider', () => ({ ...ticket, data: applicant().options.data })],
    ['POST', 'signup/provider/person', () => ticket],
    ['POST', 'token?grant_type=password', () => ({ email: applicant().email, password: 'wrong' })],
    ['POST', 'token?grant_type=refresh_token', () => ({ refresh_token: 'wrong' })],
    ['POST', 'token?grant_type=pkce', () => ({ auth_code: 'A'.repeat(43), code_verifier: 'v' })],
    ['POST', 'token?grant_type=id_token', () => ({ provider: 'google', id_token: 'a.b.c', nonce: 'n' })],
    ['POST', 'token?grant_type=web3', () => ({ chain: 'ethereum', message: 'm', signature: '0x' })],
    ['POST', 'otp', () => ({ email: applicant().email, create_user: true, data: {}, ...challenge })],
    ['POST', 'recover', () => ({ email: applicant().email, ...challenge })],
    ['POST', 'resend', () => ({ email: applicant().email, type: 'signup', ...challenge })],
    ['POST', 'verify', () => ({ email: applicant().email, type: 'email', token: '123456' })],
    ['POST', 'verify', () => ({ type: 'email', token_hash: 'A'.repeat(43) })],
    [
      'PUT',
      'user',
      () => ({ email: applicant().email, password: 'x', nonce: '1', data: { a: 1 }, ...challenge }),
    ],
    ['POST', 'sso', () => ({ provider_id: 'x', domain: 'y' })],
    ['POST', 'factors', () => ({ factor_type: 'totp', friendly_name: 'x', issuer: 'y' })],
    ['POST', 'factors/nonsense/challenge', () => ({ factorId: 'x', channel: 'sms' })],
    ['POST', 'factors/nonsense/verify', () => ({ challenge_id: 'x', code: '123456' })],
    ['POST', 'callback', () => ({ state: 'A'.repeat(43), code: 'x' })],
  ];
  const wrong = [1e300, true, null, [], {}, '', '\u0000', '\ud800', 'x'.repeat(20_000)];

  const written = (path: string, fields: object) =>
    typeOf(path) === FORM
      ? new URLSearchParams(
          Object.entries(fields).map(([name, value]): [string, string] => [name, String(value)]),
        ).toString()
      : JSON.stringify(fields);

  async function send(method: string, path: string, token: string, body: string | undefined) {
    const response = await fetch(`${app.url}/auth/v1/${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token}`,
        'x-forwarded-for': anyAddress(),
        'x-supabase-api-version': '2024-01-01',
        ...(body !== undefined && { 'content-type': typeOf(path) }),
      },
      body: body ?? null,
    });
    const text = await response.text();
    return { status: response.status, text };
  }

  it.each(bodies)(
    'in any field of %s %s is refused or answered, never an internal error',
    async (method, path, make) => {
      const { session } = await signUp(app.url);
      const sent = Object.keys(make()).flatMap((field) =>
        wrong.map((value) => written(path, { ...make(), [field]: value })),
      );
      const whole = ['[]', 'null', '"x"', '{', '', '{"__proto__":{"x":1}}', '{"unknown":1}'];
      for (const body of [...sent, ...whole]) {
        const { status, text } = await send(method, path, session.access_token, body);
        expect({ body: body.slice(0, 200), status: status < 500 ? 'fine' : status }).toEqual({
          body: body.slice(0, 200),
          status: 'fine',
        });
        expect(() => JSON.parse(text || '{}') as unknown).not.toThrow();
        // The address, password and phone that were sent.
        if (status >= 400) expect(text).not.toMatch(/@exemplo|Lagoa-Azul|43214321/);
      }
    },
  );

  it.each([
    ['GET', 'verify?token[]=a&type=signup'],
    ['GET', 'verify?token=a&token=b&type=recovery'],
    ['GET', 'authorize'],
    ['GET', 'authorize?provider=google&provider=apple'],
    ['GET', 'authorize?provider=%00&redirect_to=javascript:alert(1)'],
    ['GET', 'callback?state=a&state=b'],
    ['GET', 'callback?error=%00'],
    ['GET', 'user/identities/authorize?provider=google'],
    ['GET', 'reauthenticate?x=1'],
    ['POST', 'token'],
    ['POST', 'token?grant_type=password&grant_type=pkce'],
    ['POST', 'logout?scope=everything'],
    ['POST', 'logout?scope=local&scope=global'],
    ['DELETE', 'user/identities/%00'],
    ['DELETE', 'factors/%00'],
    ['PATCH', 'user'],
  ])('in the address of %s %s is refused or answered, never an internal error', async (method, path) => {
    const { session } = await signUp(app.url);
    const { status } = await send(method, path, session.access_token, undefined);
    expect(status).toBeLessThan(500);
    expect(status === 302 || status === 303 || status >= 400 || path.startsWith('reauthenticate')).toBe(true);
  });
});
