import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { cpf } from 'cpf-cnpj-validator';
import { decodeJwt } from 'jose';
import type { NewInvite } from '../../backend/modules/accounts/invites.api.js';
import { Purges } from '../../backend/platform/jobs/purges.js';
import { Client } from '../support/client.js';
import { nextMail } from '../support/mail.js';
import { anyAddress, applicant, browser, get, signUpByMail } from './people.js';
import { type ProviderName, SITE, startWithProviders } from './with-providers.js';

type Browser = ReturnType<typeof browser>;

interface Answer {
  access_token: string;
  refresh_token: string;
  user: { id: string };
  code?: string;
  message?: string;
  errors?: { pointer: string; detail: string }[];
}

const providers = await startWithProviders({
  MAILER_AUTOCONFIRM: 'false',
  REDIRECT_URLS: 'https://app.example/',
});
const { app, database, begin, comeBack, count } = providers;

/** The PKCE verifier that auth-js stores for the return. */
function verifierOf(client: Browser): string {
  const stored = new Map(JSON.parse(client.stored()) as [string, string][]);
  return JSON.parse(stored.get('supabase.auth.token-code-verifier')!) as string;
}

/** The request of the page. */
async function ask(path: string, client: Browser, ticket: string, data?: object, address = anyAddress()) {
  const response = await fetch(`${app.url}/auth/v1/signup/${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-supabase-api-version': '2024-01-01',
      'x-forwarded-for': address,
    },
    body: JSON.stringify({ ticket, code_verifier: verifierOf(client), ...(data && { data }) }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

const told = () => applicant().options.data;

/** A person without an account signs in at a provider and returns to the page that asks for the missing data. */
async function arrive({
  at = 'google',
  client = browser(app.url),
  email = applicant().email,
  sub = randomUUID(),
  redirectTo = `${SITE}/`,
}: { at?: ProviderName; client?: Browser; email?: string; sub?: string; redirectTo?: string } = {}) {
  providers[at].person = { sub, email, email_verified: true, name: 'Ana Souza' };
  const { to, query, hash } = await comeBack(providers[at], await begin(client, at, redirectTo), {
    user: JSON.stringify({ name: { firstName: 'Ana', lastName: 'Souza' }, email }),
  });
  expect({ to, query }).toEqual({ to: `${SITE}/cadastro`, query: {} });
  return { at, client, email, sub, ticket: hash.ticket!, destino: hash.destino };
}

type Arrived = Awaited<ReturnType<typeof arrive>>;
const signUp = ({ client, ticket }: Arrived, data: object = told(), address?: string) =>
  ask('provider', client, ticket, data, address);

const accounts = async (email: string) =>
  (await database.query('select from auth.users where email = $1', [email])).length;

describe.each<ProviderName>(['google', 'apple'])('a new person who comes from %s', (at) => {
  it('enters the missing data on our page, and gets account, tenant and session', async () => {
    const arrived = await arrive({ at, redirectTo: `${SITE}/agenda?dia=1` });
    const { client, email, sub, ticket } = arrived;
    expect(arrived.destino).toBe('/agenda?dia=1');
    expect(await accounts(email)).toBe(0);
    expect(await ask('provider/person', client, ticket)).toEqual({
      status: 200,
      body: { provider: at, email, nome: 'Ana Souza' },
    });

    const { status, body } = await signUp(arrived, { ...told(), nome: 'Ana de Souza' });

    expect(status).toBe(200);
    const { data, error } = await client.setSession(body);
    expect(error).toBeNull();
    expect(data.user).toMatchObject({
      email,
      email_confirmed_at: expect.any(String),
      user_metadata: { nome: 'Ana de Souza' },
      app_metadata: { providers: ['email', at] },
    });
    expect(decodeJwt(body.access_token).amr).toEqual([{ method: 'oauth', timestamp: expect.any(Number) }]);
    const me = await get(`${app.url}/api/v1/me`, body.access_token);
    expect(me.body).toMatchObject({ user: { nome: 'Ana de Souza' }, membership: { role: 'personal' } });
    const opened = await database.query(
      `select from events where type = 'TenantOpened' and data ->> 'owner_user_id' = $1`,
      [body.user.id],
    );
    expect(opened).toHaveLength(1);

    providers[at].person = { sub, email, email_verified: true };
    const again = browser(app.url);
    const { query } = await comeBack(providers[at], await begin(again, at));
    expect((await again.exchangeCodeForSession(query.code!)).data.user?.id).toBe(body.user.id);

    // The provider has verified the address: another provider with the same verified address leads to the same account.
    const other = at === 'google' ? 'apple' : 'google';
    providers[other].person = { sub: randomUUID(), email, email_verified: true };
    const there = await comeBack(providers[other], await begin(again, other));
    expect((await again.exchangeCodeForSession(there.query.code!)).data.user?.id).toBe(body.user.id);
  });
});

describe('the page’s ticket', () => {
  it('is accepted once, in however many tabs it is open', async () => {
    const arrived = await arrive();
    const answers = await Promise.all([1, 2, 3].map(() => signUp(arrived)));
    expect(answers.map(({ status }) => status).sort()[0]).toBe(200);
    expect(answers.filter(({ status }) => status === 404 || status === 422)).toHaveLength(2);
    expect(await accounts(arrived.email)).toBe(1);

    expect(await signUp(arrived)).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
    expect((await ask('provider/person', arrived.client, arrived.ticket)).status).toBe(404);
  });

  it('is refused in another browser, and when forged', async () => {
    const [{ ticket, email }, other] = [await arrive(), await arrive()];
    for (const path of ['provider/person', 'provider']) {
      const data = path === 'provider' ? told() : undefined;
      const stolen = await ask(path, other.client, ticket, data);
      expect(stolen).toMatchObject({ status: 400, body: { code: 'bad_code_verifier' } });
      expect(JSON.stringify(stolen.body)).not.toContain(email);
      for (const forged of ['A'.repeat(43), 'nonsense', '']) {
        const refused = await ask(path, other.client, forged, data);
        expect(refused).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
      }
    }
    expect(await accounts(email)).toBe(0);
  });

  it('of an earlier tab is void once the same browser began again; the later one is valid', async () => {
    const client = browser(app.url);
    const [first, second] = [await arrive({ client }), await arrive({ client })];
    expect(await signUp(first)).toMatchObject({ status: 400, body: { code: 'bad_code_verifier' } });
    expect((await signUp(second)).status).toBe(200);
  });

  it('is issued once per return', async () => {
    const client = browser(app.url);
    providers.google.person = { sub: randomUUID(), email: applicant().email, email_verified: true };
    const back = await providers.google.visit(await begin(client, 'google'));
    const { pathname, search } = 'url' in back ? back.url : new URL(SITE);
    const open = () => fetch(app.url + pathname + search, { redirect: 'manual' });
    expect((await open()).status).toBe(302);
    expect((await open()).status).toBe(400);
  });

  it('is valid for an hour; an unfinished sign-up blocks nobody, is encrypted, and is purged', async () => {
    const arrived = await arrive();
    const rows = await database.query<{ row: string }>('select f::text as row from auth.provider_flows f');
    for (const { row } of rows) {
      expect(row).not.toContain(arrived.email);
      expect(row).not.toContain(Buffer.from(arrived.email).toString('hex'));
    }
    const { user } = await signUpByMail(app.url, { ...applicant(), email: arrived.email });
    expect(user.email).toBe(arrived.email);

    const late = await arrive();
    await database.query("update auth.provider_flows set used_at = used_at - interval '1 hour'");
    expect(await signUp(late)).toMatchObject({ status: 404, body: { code: 'flow_state_not_found' } });
    await database.query("update auth.provider_flows set created_at = created_at - interval '70 minutes'");
    await app.nest.get(Purges).run();
    expect(await count('auth.provider_flows')).toBe(0);
  });
});

describe('the entered data', () => {
  it('is refused if the address was taken meanwhile, without linking or creating anything', async () => {
    const arrived = await arrive();
    const { user } = await signUpByMail(app.url, { ...applicant(), email: arrived.email });
    const before = [await count('auth.identities'), await count('auth.sessions'), await count('tenants')];

    expect(await signUp(arrived)).toMatchObject({
      status: 422,
      body: { code: 'user_already_exists', message: 'User already registered' },
    });

    expect([await count('auth.identities'), await count('auth.sessions'), await count('tenants')]).toEqual(
      before,
    );
    // The owner, who confirmed the address by mail, can still sign in.
    providers.google.person = { sub: arrived.sub, email: arrived.email, email_verified: true };
    const { query } = await comeBack(providers.google, await begin(arrived.client, 'google'));
    const { data } = await arrived.client.exchangeCodeForSession(query.code!);
    expect(data.user?.id).toBe(user.id);
  });

  it('removes unconfirmed sign-ups of others for the address', async () => {
    const arrived = await arrive();
    const other = browser(app.url);
    await other.signUp({ ...applicant(), email: arrived.email });
    const { code } = await nextMail(arrived.email);

    expect((await signUp(arrived)).status).toBe(200);

    const late = await other.verifyOtp({ email: arrived.email, token: code, type: 'signup' });
    expect(late.error).toMatchObject({ status: 403, code: 'otp_expired' });
  });

  it('is validated as at every sign-up, and can be corrected', async () => {
    const known = cpf.generate();
    await signUpByMail(app.url, applicant({ cpf: known }));
    const arrived = await arrive();
    for (const [field, value] of [
      ['cpf', '11111111111'],
      ['data_nascimento', '2999-01-01'],
      ['telefone', '1133334444'],
      ['nome', 'A'],
      ['role', 'personal'],
    ] as const) {
      const { status, body } = await signUp(arrived, { ...told(), [field]: value });
      expect({ field, status, code: body.code }).toEqual({ field, status: 400, code: 'validation_failed' });
    }
    expect(await accounts(arrived.email)).toBe(0);
    expect((await signUp(arrived, { ...told(), cpf: known })).status).toBe(200);
    expect((await nextMail(arrived.email)).subject).toBe(
      'O CPF que você informou já está em outra conta do Rende',
    );
  });

  it('is rate-limited', async () => {
    const arrived = await arrive();
    const data = { nome: 'Bia Lima', convite: 'A'.repeat(43) };
    const address = anyAddress();
    const statuses: number[] = [];
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await signUp(arrived, data, address)).status);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });
});

describe('a person who was invited', () => {
  it('becomes the student of the link, and only needs a name', async () => {
    const trainer = await signUpByMail(app.url, applicant({ nome: 'Carla Dias' }));
    const api = new Client(app.url, {
      accessToken: trainer.session.access_token,
      address: anyAddress(),
      positions: new Map(),
    });
    const { body: student } = await api.post('/students', { nome: 'Bia Lima', whatsapp: '(11) 94321-4321' });
    const { body: invite } = await api.post<NewInvite>(`/students/${student.id}/invites`);
    const convite = new URL(invite.inviteUrl).pathname.split('/').at(-1)!;
    const arrived = await arrive({ redirectTo: invite.inviteUrl });
    expect(arrived.destino).toBe(`/convite/${convite}`);
    const forged = await signUp(arrived, { convite: 'A'.repeat(43), nome: 'Bia Lima' });
    expect(forged).toMatchObject({ status: 422, body: { code: 'invite_not_valid' } });

    const { status, body } = await signUp(arrived, { convite, nome: 'Bia Lima' });

    expect(status).toBe(200);
    const me = await get(`${app.url}/api/v1/me`, body.access_token);
    expect(me.body).toMatchObject({
      user: { email: arrived.email, nome: 'Bia Lima' },
      memberships: [{ nome: 'Carla Dias', role: 'aluno', student_id: student.id }],
    });
    const late = await signUp(await arrive(), { convite, nome: 'Bia Lima' });
    expect(late).toMatchObject({ status: 422, body: { code: 'invite_not_valid' } });
  });
});

describe('a client without such a page', () => {
  it.each([
    [
      'that is another site',
      `&redirect_to=https://app.example/&code_challenge_method=s256&code_challenge=${'c'.repeat(43)}`,
    ],
    ['that began without PKCE', ''],
  ])('%s is told that there is no account', async (_what, query) => {
    providers.google.person = { sub: randomUUID(), email: applicant().email, email_verified: true };
    const there = await fetch(`${app.url}/auth/v1/authorize?provider=google${query}`, { redirect: 'manual' });
    const back = await comeBack(providers.google, there.headers.get('location')!);
    expect(back.query).toMatchObject({ error: 'access_denied', error_code: 'signup_disabled' });
  });
});
