import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { startApp } from '../support/app.js';
import { generateKeyPair, type TestProvider } from '../support/openid.js';
import { applicant, browser, get, leadsTo, signUp } from './people.js';
import { type ProviderName, SITE, startWithProviders } from './with-providers.js';

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

  it('is refused when signed with a key that the provider does not publish', async () => {
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
