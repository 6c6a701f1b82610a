import { createHash, createPublicKey, type JsonWebKey, randomUUID } from 'node:crypto';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { decodeJwt, UnsecuredJWT } from 'jose';
import { startApp } from '../support/app.js';
import { generateKeyPair, type TestProvider } from '../support/openid.js';
import { applicant, browser, get, leadsTo, signUp } from './people.js';
import { type ProviderName, SITE, startWithProviders } from './with-providers.js';
import { Secret, TOTP } from 'otpauth';

const { app, database, google, apple, another, begin, comeBack, proven, count } = await startWithProviders();

it('reports in its settings whether Google and Apple are configured', async () => {
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

describe.each<[ProviderName, () => TestProvider]>([
  ['google', () => google],
  ['apple', () => apple],
])('signing in with %s', (name, at) => {
  it('redirects there and back, and gives the session to the browser that began', async () => {
    const { person, user } = await proven();
    at().person = { sub: randomUUID(), email: person.email.toUpperCase(), email_verified: true };
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

    // Once more, with the verifier of another sign-in.
    await begin(client, name);
    expect((await client.exchangeCodeForSession(query.code!)).error?.code).toBe('flow_state_not_found');
  });

  it('recognises a person whose address at the provider has changed', async () => {
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

describe('a person who returns from a provider', () => {
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

  it('is not signed in to an account whose address was never confirmed', async () => {
    const { person } = await signUp(app.url);
    const query = await codeOf({ sub: randomUUID(), email: person.email, email_verified: true });
    expect(query).toMatchObject({ error: 'access_denied', error_code: 'email_exists' });
  });

  it('is not signed in with an address that the provider has not verified', async () => {
    const { person } = await proven();
    for (const email_verified of [false, 'false', undefined]) {
      const query = await codeOf({ sub: randomUUID(), email: person.email, email_verified });
      expect(query).toMatchObject({ error_code: 'provider_email_needs_verification' });
    }
    expect(await codeOf({ sub: randomUUID() })).toMatchObject({
      error_code: 'provider_email_needs_verification',
    });
  });

  it('gets the session in the redirect address if the client began without PKCE', async () => {
    const { person } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const response = await fetch(`${app.url}/auth/v1/authorize?provider=google`, { redirect: 'manual' });
    const { query, hash } = await comeBack(google, response.headers.get('location')!);
    expect(query).toEqual({});
    expect((await get(`${app.url}/api/v1/me`, hash.access_token!)).status).toBe(200);
  });
});

describe('the data that returns from a provider', () => {
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

  it('is accepted once', async () => {
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

  it('is refused after ten minutes', async () => {
    const answer = await backAtGoogle();
    await database.query("update auth.provider_flows set created_at = created_at - interval '10 minutes'");
    expect(await callback(answer)).toEqual({ status: 400, code: 'bad_oauth_state' });
  });

  it('is refused with the code of another sign-in, whose verifier and nonce differ', async () => {
    const [one, other] = [await backAtGoogle(), await backAtGoogle()];
    expect(await callback({ ...one, code: other.code! })).toMatchObject({ error_code: 'bad_oauth_callback' });
  });

  it.each(['authorize?provider=google', 'callback'])(
    'is not begun nor used up by a look at the address of %s',
    async (path) => {
      const query = path === 'callback' ? `?${new URLSearchParams(await backAtGoogle()).toString()}` : '';
      const before = await database.query('select id, used_at from auth.provider_flows order by id');
      const { status } = await fetch(`${app.url}/auth/v1/${path}${query}`, {
        method: 'HEAD',
        redirect: 'manual',
      });
      expect(status).toBe(405);
      expect(await database.query('select id, used_at from auth.provider_flows order by id')).toEqual(before);
    },
  );

  it('is refused with the name of another provider', async () => {
    const answer = await backAtGoogle();
    expect(await callback({ ...answer, iss: 'https://evil.example' })).toMatchObject({
      error_code: 'bad_oauth_callback',
    });
  });

  it("passes on the provider's error when the person cancelled", async () => {
    const { state } = await backAtGoogle();
    expect(await callback({ state: state!, error: 'access_denied', error_description: 'Desistiu' })).toEqual({
      error: 'access_denied',
      error_code: 'bad_oauth_callback',
      error_description: 'Desistiu',
    });
  });

  it('redirects only to allowed addresses', async () => {
    const { person } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const { to } = await comeBack(google, await begin(browser(app.url), 'google', 'https://evil.example/'));
    expect(to).toBe(`${SITE}/`);
    const query = new URLSearchParams({ provider: 'orkut', redirect_to: 'https://evil.example/' });
    const refused = await fetch(`${app.url}/auth/v1/authorize?${query.toString()}`, {
      redirect: 'manual',
      headers: { accept: 'text/html' },
    });
    expect(leadsTo(refused)).toMatchObject({ status: 302, to: `${SITE}/` });
  });

  it('is accepted as a form on this route only', async () => {
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

type Client = ReturnType<typeof browser>;

afterEach(() => void jest.restoreAllMocks());

describe('a linked identity', () => {
  /** auth-js gets the provider's address, the person signs in there, and this browser exchanges the returned code. */
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

  it('belongs to the session that requested it, can then sign in, and can be removed', async () => {
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
    expect(again.to).toBe(`${SITE}/cadastro`);
  });

  it('is not linked when another browser completes the sign-in', async () => {
    const { client } = await signUp(app.url);
    google.person = { sub: randomUUID(), email: applicant().email, email_verified: true };
    const { data } = await client.linkIdentity({
      provider: 'google',
      options: { skipBrowserRedirect: true },
    });

    await comeBack(google, data.url!);

    expect((await client.getUserIdentities()).data?.identities).toHaveLength(1);
  });

  it('is not linked if the session has ended meanwhile, nor without PKCE', async () => {
    const { client, session, user } = await signUp(app.url);
    google.person = { sub: randomUUID(), email: applicant().email, email_verified: true };
    const bare = await fetch(`${app.url}/auth/v1/user/identities/authorize?provider=google`, {
      headers: { authorization: `Bearer ${session.access_token}`, 'x-supabase-api-version': '2024-01-01' },
    });
    expect({ status: bare.status, ...((await bare.json()) as object) }).toMatchObject({
      status: 400,
      code: 'validation_failed',
    });
    const { data } = await client.linkIdentity({
      provider: 'google',
      options: { skipBrowserRedirect: true },
    });
    const { query } = await comeBack(google, data.url!);
    await database.query('update auth.sessions set ended_at = now() where user_id = $1', [user.id]);

    expect((await client.exchangeCodeForSession(query.code!)).error?.name).toBe('AuthSessionMissingError');

    expect(await database.query('select from auth.identities where user_id = $1', [user.id])).toEqual([]);
  });

  it('belongs to one account only', async () => {
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

  it('of the e-mail address cannot be removed', async () => {
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

  it('cannot be removed if it is the only way to sign in', async () => {
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

  it('cannot be changed before the second factor is proved', async () => {
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
    const token = await google.signed({ sub: randomUUID() });
    expect((await half.linkIdentity({ provider: 'google', token })).error).toMatchObject({
      status: 401,
      code: 'insufficient_aal',
    });
    expect((await link(client)).error).toBeNull();
    expect(decodeJwt((await client.getSession()).data.session!.access_token).aal).toBe('aal2');
  });
});

describe('an ID token', () => {
  const hashed = (nonce: string) => createHash('sha256').update(nonce).digest('hex');

  it('signs in, with the nonce whose hash it contains', async () => {
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

  const now = () => Math.floor(Date.now() / 1000);
  const pair = () => generateKeyPair('rsa', { modulusLength: 2048 });
  /** The public part of the provider's key. */
  const publicPem = async () => {
    const { keys } = (await (await fetch(`${google.issuer}/jwks`)).json()) as { keys: JsonWebKey[] };
    const key = createPublicKey({ key: keys[0]!, format: 'jwk' });
    return Buffer.from(key.export({ format: 'pem', type: 'spki' }));
  };
  const several = ['rende', 'somebody'];
  it.each<[string, () => Record<string, unknown>, string]>([
    ['for another client', () => ({ aud: 'somebody' }), 'Unacceptable audience in id_token'],
    ['for several, and handed to another one', () => ({ aud: several, azp: 'somebody' }), 'Bad ID token'],
    ['for several, and handed to nobody', () => ({ aud: several }), 'Bad ID token'],
    ['of another issuer', () => ({ iss: apple.issuer }), 'Bad ID token'],
    ['of nobody', () => ({ sub: undefined }), 'Bad ID token'],
    ['over', () => ({ exp: now() - 1 }), 'Bad ID token'],
    ['without an end', () => ({ exp: undefined }), 'Bad ID token'],
    ['not valid yet', () => ({ nbf: now() + 60 }), 'Bad ID token'],
    ['of an address that is not verified', () => ({ email_verified: false }), 'Unverified email with google'],
  ])('that is %s is refused, though its provider has signed it', async (_what, claims, message) => {
    const { person, user } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const signIn = async (said?: Record<string, unknown>) =>
      browser(app.url).signInWithIdToken({ provider: 'google', token: await google.signed(said) });

    const { error } = await signIn(claims());

    expect(error?.message).toMatch(message);
    for (const right of [undefined, { aud: several, azp: 'rende' }])
      expect((await signIn(right)).data.user?.id).toBe(user.id);
  });

  it.each<[string, () => Promise<string> | string]>([
    ['by nobody', () => new UnsecuredJWT({ ...google.person, iss: google.issuer, aud: 'rende' }).encode()],
    [
      'with the public key as a secret',
      async () => google.signed({}, { key: await publicPem(), header: { alg: 'HS256' } }),
    ],
    ['with another key', async () => google.signed({}, { key: (await pair()).privateKey })],
    [
      'with a key that is not published',
      async () => google.signed({}, { key: (await pair()).privateKey, header: { kid: 'x' } }),
    ],
  ])('that is signed %s is refused', async (_what, make) => {
    const { person } = await proven();
    google.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const { error } = await browser(app.url).signInWithIdToken({ provider: 'google', token: await make() });
    expect(error).toMatchObject({ status: 400, message: 'Bad ID token' });
  });

  it("is accepted with the provider's new key, and no longer with the previous one", async () => {
    const other = await another();
    const { person, user } = await proven();
    apple.person = { sub: randomUUID(), email: person.email, email_verified: true };
    const signIn = (token: string) => browser(other.url).signInWithIdToken({ provider: 'apple', token });
    expect((await signIn(await apple.signed())).data.user?.id).toBe(user.id);

    const { privateKey: key, publicKey } = await pair();
    apple.publish('new', publicKey);
    // Keys are fetched at most every half minute, however many unknown keys are presented.
    const later = Date.now() + 31_000;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    const fresh = (alg: string) => apple.signed({}, { key, header: { alg, kid: 'new' } });
    expect((await signIn(await fresh('RS256'))).data.user?.id).toBe(user.id);
    expect((await signIn(await fresh('PS256'))).error?.message).toBe('Bad ID token');
    expect((await signIn(await apple.signed())).error?.message).toBe('Bad ID token');
  });

  it('of a person without an account creates none: a page asks for the missing data', async () => {
    google.person = { sub: randomUUID(), email: applicant().email, email_verified: true };
    const token = await google.idToken();
    const { error } = await browser(app.url).signInWithIdToken({ provider: 'google', token });
    expect(error).toMatchObject({ status: 422, code: 'signup_disabled' });
  });

  it('of a provider that is not configured is refused', async () => {
    const { error } = await browser(app.url).signInWithIdToken({ provider: 'azure', token: 'x' });
    expect(error).toMatchObject({ status: 400, code: 'provider_disabled' });
  });
});

// Last, because Apple's former key is gone then.
it('the data that returns from a provider is refused when signed with a key that the provider does not publish', async () => {
  const other = await another();
  apple.publish(apple.issuer, (await generateKeyPair('rsa', { modulusLength: 2048 })).publicKey);
  const { person } = await proven();
  apple.person = { sub: randomUUID(), email: person.email, email_verified: true };
  const back = await apple.visit(await begin(browser(other.url), 'apple'));
  const response = await fetch(`${other.url}/auth/v1/callback`, {
    method: 'POST',
    body: new URLSearchParams('form' in back ? back.form : {}),
    redirect: 'manual',
  });
  expect(leadsTo(response).query).toMatchObject({ error_code: 'bad_oauth_callback' });
});
