import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import { decodeJwt, jwtVerify } from 'jose';
import { Secret, TOTP } from 'otpauth';
import { startApp, type TestApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { CLIENT_SECRET, startProvider, type TestProvider } from '../support/openid.js';
import { applicant, browser, get, openLink, signUp } from './people.js';

const SITE = 'https://rende.example';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

let app: TestApp;
let database: TestDatabase;
let google: TestProvider;
let apple: TestProvider;
beforeAll(async () => {
  database = await createDatabase();
  const callback = `${SITE}/auth/v1/callback`;
  [google, apple] = await Promise.all([startProvider(callback), startProvider(callback)]);
  app = await startApp({
    database,
    env: {
      SITE_URL: SITE,
      GOOGLE_CLIENT_ID: 'rende',
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      GOOGLE_ISSUER: google.issuer,
      APPLE_CLIENT_ID: 'rende',
      APPLE_TEAM_ID: 'EQUIPE1234',
      APPLE_KEY_ID: 'CHAVE12345',
      APPLE_PRIVATE_KEY: (privateKey.export({ format: 'pem', type: 'pkcs8' }) as string).replaceAll(
        '\n',
        '\\n',
      ),
      APPLE_ISSUER: apple.issuer,
    },
  });
});

type Client = ReturnType<typeof browser>;
type Name = 'google' | 'apple';

/** Where auth-js sends the browser, and where the server sends it on. */
async function begin(client: Client, provider: Name, redirectTo = `${SITE}/`): Promise<string> {
  const { data } = await client.signInWithOAuth({
    provider,
    options: { redirectTo, skipBrowserRedirect: true },
  });
  const response = await fetch(data.url!, { redirect: 'manual' });
  expect(response.status).toBe(302);
  return response.headers.get('location')!;
}

/** Signs in at the provider and comes back, up to the page. */
async function comeBack(provider: TestProvider, address: string) {
  const back = await provider.visit(address);
  if ('url' in back) return openLink(app, back.url.href);
  const response = await fetch(`${app.url}/auth/v1/callback`, {
    method: 'POST',
    body: new URLSearchParams(back.form),
    redirect: 'manual',
  });
  const to = new URL(response.headers.get('location')!);
  return {
    status: response.status,
    to: to.origin + to.pathname,
    query: Object.fromEntries(to.searchParams),
    hash: Object.fromEntries(new URLSearchParams(to.hash.slice(1))),
  };
}

/** Somebody whose address has been shown to be theirs, as a mail does it. */
async function proven() {
  const person = await signUp(app.url);
  await database.query('update auth.users set email_proven = true where id = $1', [person.user.id]);
  return person;
}

const count = async (table: string) => (await database.query(`select from ${table}`)).length;

it('says in its settings that Google and Apple are on, and where they are not configured that they are not', async () => {
  const settings = async (url: string) =>
    ((await (await fetch(`${url}/auth/v1/settings`)).json()) as { external: object }).external;
  expect(await settings(app.url)).toMatchObject({ google: true, apple: true });

  const bare = await startApp({ database });
  expect(await settings(bare.url)).toMatchObject({ google: false, apple: false });
  const ask = (provider: string, accept = 'application/json') =>
    fetch(`${bare.url}/auth/v1/authorize?provider=${provider}&redirect_to=/`, {
      redirect: 'manual',
      headers: { accept, 'x-supabase-api-version': '2024-01-01' },
    });
  for (const [provider, message] of [
    ['google', 'Unsupported provider: provider is not enabled'],
    ['orkut', 'Unsupported provider: Provider orkut could not be found'],
  ] as const) {
    const response = await ask(provider);
    expect(response.status).toBe(400);
    expect(await response.json()).toEqual({ code: 'validation_failed', message });
  }
  const page = await ask('google', 'text/html,application/xhtml+xml');
  expect(page.status).toBe(302);
  expect(page.headers.get('location')).toContain('error_code=validation_failed');
});

describe.each<[Name, () => TestProvider]>([
  ['google', () => google],
  ['apple', () => apple],
])('signing in with %s', (name, at) => {
  it('goes there and back, and gives the session to the browser that began', async () => {
    const { person, user } = await proven();
    at().person = { sub: randomUUID(), email: person.email.toUpperCase(), email_verified: true };
    at().checkSecret =
      name === 'apple'
        ? async (secret) => {
            const { payload, protectedHeader } = await jwtVerify(secret, publicKey, {
              issuer: 'EQUIPE1234',
              subject: 'rende',
              audience: apple.issuer,
            });
            return protectedHeader.kid === 'CHAVE12345' && payload.exp! - payload.iat! <= 300;
          }
        : undefined;
    const client = browser(app.url);
    const address = await begin(client, name, `${SITE}/?de=longe`);
    const asked = Object.fromEntries(new URL(address).searchParams);
    expect(asked).toMatchObject({
      client_id: 'rende',
      redirect_uri: `${SITE}/auth/v1/callback`,
      response_type: 'code',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
    });

    const { status, to, query, hash } = await comeBack(at(), address);

    expect({ status, to, hash }).toEqual({ status: 302, to: `${SITE}/`, hash: {} });
    expect(query).toEqual({ de: 'longe', code: expect.any(String) });
    expect((await browser(app.url).exchangeCodeForSession(query.code!)).data.session).toBeNull();
    const { data, error } = await client.exchangeCodeForSession(query.code!);
    expect(error).toBeNull();
    expect(data.user?.id).toBe(user.id);
    expect(data.user?.app_metadata).toEqual({ provider: 'email', providers: ['email', name] });
    expect(decodeJwt(data.session!.access_token).amr).toEqual([
      { method: 'oauth', timestamp: expect.any(Number) },
    ]);
    expect((await get(`${app.url}/api/v1/me`, data.session!.access_token)).status).toBe(200);
  });

  it('finds the person again whose address there has changed', async () => {
    const { person, user } = await proven();
    const sub = randomUUID();
    for (const email of [person.email, applicant().email]) {
      at().person = { sub, email, email_verified: true };
      const client = browser(app.url);
      const { query } = await comeBack(at(), await begin(client, name));
      expect((await client.exchangeCodeForSession(query.code!)).data.user?.id).toBe(user.id);
    }
  });
});

describe('whoever comes back', () => {
  const codeOf = async (person: TestProvider['person']) => {
    google.person = person;
    const before = [await count('auth.users'), await count('auth.identities'), await count('auth.sessions')];
    const client = browser(app.url);
    const { query } = await comeBack(google, await begin(client, 'google'));
    expect([await count('auth.users'), await count('auth.identities'), await count('auth.sessions')]).toEqual(
      before,
    );
    return query;
  };

  it('does not get into an account whose address nobody has shown to be theirs', async () => {
    const { person } = await signUp(app.url);
    const query = await codeOf({ sub: randomUUID(), email: person.email, email_verified: true });
    expect(query).toMatchObject({ error: 'access_denied', error_code: 'email_exists' });
  });

  it('with an address that the provider has not verified gets in nowhere', async () => {
    const { person } = await proven();
    for (const email_verified of [false, 'false', undefined]) {
      const query = await codeOf({ sub: randomUUID(), email: person.email, email_verified });
      expect(query).toMatchObject({ error_code: 'provider_email_needs_verification' });
    }
    expect(await codeOf({ sub: randomUUID() })).toMatchObject({
      error_code: 'provider_email_needs_verification',
    });
  });

  it('without an account is told so', async () => {
    const query = await codeOf({ sub: randomUUID(), email: applicant().email, email_verified: true });
    expect(query).toMatchObject({ error: 'access_denied', error_code: 'signup_disabled' });
  });

  it('gets the session in the address where the client began without PKCE', async () => {
    const { person } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const response = await fetch(`${app.url}/auth/v1/authorize?provider=google`, { redirect: 'manual' });
    const { query, hash } = await comeBack(google, response.headers.get('location')!);
    expect(query).toEqual({});
    expect((await get(`${app.url}/api/v1/me`, hash.access_token!)).status).toBe(200);
  });
});

describe('what comes back', () => {
  const callback = async (query: Record<string, string>) => {
    const response = await fetch(`${app.url}/auth/v1/callback?${new URLSearchParams(query).toString()}`, {
      redirect: 'manual',
      headers: { 'x-supabase-api-version': '2024-01-01' },
    });
    const location = response.headers.get('location');
    return location
      ? Object.fromEntries(new URL(location).searchParams)
      : { status: response.status, code: ((await response.json()) as { code: string }).code };
  };
  const backAtGoogle = async () => {
    const { person } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const back = await google.visit(await begin(browser(app.url), 'google'));
    return Object.fromEntries(('url' in back ? back.url : new URL('')).searchParams);
  };

  it('counts once', async () => {
    const answer = await backAtGoogle();
    expect(await callback(answer)).toEqual({ code: expect.any(String) });
    expect(await callback(answer)).toEqual({ status: 400, code: 'flow_state_already_used' });
  });

  it.each([
    ['no state', {}],
    ['a forged state', { state: 'A'.repeat(43) }],
    ['nonsense', { state: 'nonsense', code: 'x' }],
  ])('is refused with %s', async (_what, query) => {
    expect(await callback(query)).toEqual({ status: 400, code: 'bad_oauth_state' });
  });

  it('is refused when it comes after ten minutes', async () => {
    const answer = await backAtGoogle();
    await database.query("update auth.provider_flows set created_at = created_at - interval '10 minutes'");
    expect(await callback(answer)).toEqual({ status: 400, code: 'bad_oauth_state' });
  });

  it('is refused with the code of another way there: neither verifier nor nonce is its own', async () => {
    const [one, other] = [await backAtGoogle(), await backAtGoogle()];
    expect(await callback({ ...one, code: other.code! })).toMatchObject({ error_code: 'bad_oauth_callback' });
  });

  it('is refused with the name of another provider', async () => {
    const answer = await backAtGoogle();
    expect(await callback({ ...answer, iss: 'https://evil.example' })).toMatchObject({
      error_code: 'bad_oauth_callback',
    });
  });

  it('says what the provider said when the person gave up', async () => {
    const { state } = await backAtGoogle();
    expect(await callback({ state: state!, error: 'access_denied', error_description: 'Desistiu' })).toEqual({
      error: 'access_denied',
      error_code: 'bad_oauth_callback',
      error_description: 'Desistiu',
    });
  });

  it('leads only where the site leads', async () => {
    const { person } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const { to } = await comeBack(google, await begin(browser(app.url), 'google', 'https://evil.example/'));
    expect(to).toBe(`${SITE}/`);
  });

  it('is a form at this one place only', async () => {
    for (const path of ['auth/v1/otp', 'auth/v1/token?grant_type=password', 'api/v1/students']) {
      const { session } = await signUp(app.url);
      const response = await fetch(`${app.url}/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${session.access_token}` },
        body: new URLSearchParams({ email: 'a@b.com' }),
      });
      expect(response.status).toBe(415);
    }
    const twice = await fetch(`${app.url}/auth/v1/callback`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'state=a&state=b',
    });
    expect(twice.status).toBe(400);
  });
});

describe('a linked identity', () => {
  /** auth-js asks where to go, the person goes there, and this browser exchanges what comes back. */
  async function link(client: Client, sub = randomUUID()) {
    google.person = { sub, email: applicant().email, email_verified: true };
    const { data, error } = await client.linkIdentity({
      provider: 'google',
      options: { redirectTo: `${SITE}/ajustes`, skipBrowserRedirect: true },
    });
    if (error) return { error };
    const { query } = await comeBack(google, data.url);
    return client.exchangeCodeForSession(query.code!);
  }

  it('belongs to the session that asked, signs in from then on, and is taken away again', async () => {
    const { client, session, user } = await signUp(app.url);
    const sub = randomUUID();

    const linked = await link(client, sub);

    expect(linked.error).toBeNull();
    const { data } = await client.getUserIdentities();
    expect(data?.identities.map(({ provider, id }) => [provider, id])).toEqual([
      ['email', user.id],
      ['google', sub],
    ]);
    const after = (await client.getSession()).data.session!;
    expect(decodeJwt(after.access_token).session_id).toBe(decodeJwt(session.access_token).session_id);
    const other = browser(app.url);
    const { query } = await comeBack(google, await begin(other, 'google'));
    expect((await other.exchangeCodeForSession(query.code!)).data.user?.id).toBe(user.id);

    expect((await client.unlinkIdentity(data!.identities[1]!)).error).toBeNull();
    expect((await client.getUserIdentities()).data?.identities).toHaveLength(1);
    const again = await comeBack(google, await begin(browser(app.url), 'google'));
    expect(again.query.error_code).toBe('signup_disabled');
  });

  it('is not linked by somebody who was only talked into going there', async () => {
    const { client } = await signUp(app.url);
    google.person = { sub: randomUUID(), email: applicant().email, email_verified: true };
    const { data } = await client.linkIdentity({
      provider: 'google',
      options: { skipBrowserRedirect: true },
    });

    await comeBack(google, data.url!);

    expect((await client.getUserIdentities()).data?.identities).toHaveLength(1);
  });

  it('is one person’s alone', async () => {
    const [one, other] = [await signUp(app.url), await signUp(app.url)];
    const sub = randomUUID();
    await link(one.client, sub);

    expect((await link(other.client, sub)).error).toMatchObject({
      status: 422,
      code: 'identity_already_exists',
    });
    expect((await link(one.client, sub)).error).toBeNull();
    const { data } = await one.client.getUserIdentities();
    expect(data?.identities).toHaveLength(2);
    const stolen = await other.client.unlinkIdentity(data!.identities[1]!);
    expect(stolen.error).toMatchObject({ status: 422, code: 'identity_not_found' });
  });

  it('leaves the address itself, by which mails let its owner in', async () => {
    const { client } = await signUp(app.url);
    const email = (await client.getUserIdentities()).data!.identities[0]!;

    expect((await client.unlinkIdentity(email)).error).toMatchObject({
      status: 422,
      code: 'single_identity_not_deletable',
    });
    await link(client);
    expect((await client.unlinkIdentity(email)).error?.code).toBe('email_conflict_identity_not_deletable');
    expect((await client.unlinkIdentity({ ...email, identity_id: 'nonsense' })).error).toMatchObject({
      status: 404,
      code: 'validation_failed',
    });
  });

  it('stays where it is the last way in of somebody without a password', async () => {
    const { client, user } = await signUp(app.url);
    await link(client);
    await database.query('update auth.users set password_hash = null where id = $1', [user.id]);
    const identities = async () => (await client.getUserIdentities()).data!.identities;

    const refused = await client.unlinkIdentity((await identities())[1]!);
    expect(refused.error).toMatchObject({ status: 422, code: 'single_identity_not_deletable' });
    await link(client);
    expect((await client.unlinkIdentity((await identities())[1]!)).error).toBeNull();
    expect(await identities()).toHaveLength(2);
  });

  it('is not changed before the second factor is shown', async () => {
    const { client, person } = await signUp(app.url);
    await link(client);
    const google_ = (await client.getUserIdentities()).data!.identities[1]!;
    const { data } = await client.mfa.enroll({ factorType: 'totp' });
    const code = new TOTP({ secret: Secret.fromBase32(data!.totp.secret) }).generate();
    await client.mfa.challengeAndVerify({ factorId: data!.id, code });
    const half = browser(app.url);
    await half.signInWithPassword({ email: person.email, password: person.password });

    expect((await half.unlinkIdentity(google_)).error).toMatchObject({
      status: 401,
      code: 'insufficient_aal',
    });
    expect((await link(half)).error).toMatchObject({ status: 401, code: 'insufficient_aal' });
    expect((await link(client)).error).toBeNull();
    expect(decodeJwt((await client.getSession()).data.session!.access_token).aal).toBe('aal2');
  });
});

describe('an ID token', () => {
  const hashed = (nonce: string) => createHash('sha256').update(nonce).digest('hex');

  it('signs in, with the nonce whose hash it carries', async () => {
    const { person, user } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const nonce = randomUUID();
    const token = await google.idToken(hashed(nonce));

    const { data, error } = await browser(app.url).signInWithIdToken({ provider: 'google', token, nonce });

    expect(error).toBeNull();
    expect(data.user?.id).toBe(user.id);
    for (const [wrong, message] of [
      [randomUUID(), 'Nonces mismatch'],
      [undefined, 'Passed nonce and nonce in id_token should either both exist or not.'],
    ]) {
      const credentials = { provider: 'google', token, ...(wrong && { nonce: wrong }) };
      const refused = await browser(app.url).signInWithIdToken(credentials);
      expect(refused.error).toMatchObject({ status: 400, message });
    }
  });

  it('links to the user of a session', async () => {
    const { client, user } = await signUp(app.url);
    google.person = { sub: randomUUID(), email: applicant().email, email_verified: true };

    const { data, error } = await client.linkIdentity({ provider: 'google', token: await google.idToken() });

    expect(error).toBeNull();
    expect(data.user?.id).toBe(user.id);
    expect(data.user?.identities?.map(({ provider }) => provider)).toEqual(['email', 'google']);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['of another provider', () => apple.idToken()],
    ['nonsense', () => 'nonsense'],
    [
      'changed',
      async () => (await google.idToken()).replace(/\.(.)/, (_dot, first) => `.${first === 'e' ? 'f' : 'e'}`),
    ],
  ])('that is %s is refused, and changes nothing', async (_what, make) => {
    google.person = apple.person = { sub: randomUUID(), email: applicant().email, email_verified: true };
    const before = [await count('auth.identities'), await count('auth.sessions')];
    const { error } = await browser(app.url).signInWithIdToken({ provider: 'google', token: await make() });
    expect(error).toMatchObject({ status: 400, message: 'Bad ID token' });
    expect([await count('auth.identities'), await count('auth.sessions')]).toEqual(before);
  });

  it('of a provider that is not there is refused', async () => {
    const { error } = await browser(app.url).signInWithIdToken({ provider: 'azure', token: 'x' });
    expect(error).toMatchObject({ status: 400, code: 'provider_disabled' });
  });
});
