import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { Secrets } from '../../backend/modules/accounts/secrets/secrets.service.js';
import { type ShownTerms, TERMS_VERSION } from '../../backend/modules/general-terms/general-terms.api.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail, unreadMail } from '../support/mail.js';
import { sharedApp } from '../support/shared.js';
import { anyAddress, applicant, browser, get, signIn, signUp } from './people.js';

/** The object with its values removed, to compare the shape of answers. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf);
  if (typeof value !== 'object' || value === null) return typeof value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, shapeOf(inner)]));
}

const database = await testDatabase();
const app = await sharedApp();

const TABLES = [
  'auth.users',
  'auth.profiles',
  'auth.sessions',
  'tenants',
  'memberships',
  'tenant_log',
  'events',
  '(select tenant_id from projection_checkpoint)',
  'person_keys',
];

/** Everything that sign-up writes, as text, without what reactions may still record for tenants of other files. */
async function written(): Promise<Record<string, string[]>> {
  const tables = TABLES.map(async (table) => {
    const rows = await database.query<{ row: string }>(
      `select t::text as row from ${table} t where coalesce(to_jsonb(t) ->> 'tenant_id', '') <> all($1)`,
      [database.others ?? []],
    );
    return [table, rows.map(({ row }) => row).sort()];
  });
  return Object.fromEntries(await Promise.all(tables)) as Record<string, string[]>;
}

/** How many accounts have the CPF. */
async function ownersOf(cpf: string): Promise<number> {
  const fingerprint = app.nest.get(Secrets).fingerprint(cpf);
  return (await database.query('select from auth.profiles where cpf_fingerprint = $1', [fingerprint])).length;
}

describe('signing up', () => {
  it('creates a trainer with a tenant, and answers a session', async () => {
    const { person, session, user } = await signUp(app.url, applicant({ nome: 'Bruna Alencar Sá' }));

    expect(user).toMatchObject({
      email: person.email,
      role: 'authenticated',
      user_metadata: { nome: 'Bruna Alencar Sá' },
    });
    const { status, body } = await get(`${app.url}/api/v1/me`, session.access_token);
    expect(status).toBe(200);
    const membership = {
      tenant_id: expect.any(String),
      nome: 'Bruna Alencar Sá',
      slug: 'bruna-alencar-sa',
      role: 'personal',
      student_id: null,
      aluno: null,
      timezone: 'America/Sao_Paulo',
    };
    expect(body).toEqual({
      user: { id: user.id, email: person.email, nome: 'Bruna Alencar Sá' },
      membership,
      memberships: [membership],
    });
  });

  it("begins the tenant's log with an event without personal data", async () => {
    const { session, user } = await signUp(app.url);
    const { body } = await get(`${app.url}/api/v1/me`, session.access_token);
    const { tenant_id } = body.membership as { tenant_id: string };

    const events = await database.query('select * from events where tenant_id = $1', [tenant_id]);
    expect(events).toEqual([
      expect.objectContaining({
        position: '1',
        stream_id: `tenant:${tenant_id}`,
        type: 'TenantOpened',
        data: { owner_user_id: user.id, timezone: 'America/Sao_Paulo', currency: 'BRL' },
        meta: expect.objectContaining({ actor: user.id, command: 'SignUp' }),
      }),
    ]);
    expect(
      await database.query('select from projection_checkpoint where tenant_id = $1', [tenant_id]),
    ).toHaveLength(1);
  });

  it('keeps CPF, birth date and phone out of token and browser, and encrypted in the database', async () => {
    const { person, client, session } = await signUp(app.url);
    const { cpf } = person.options.data;
    const words = [cpf, '1990-02-28', '943214321'];
    const secret = new RegExp(
      [...words, ...words.map((word) => Buffer.from(word).toString('hex'))].join('|'),
    );

    expect(client.stored()).toContain(person.email);
    expect(client.stored()).not.toMatch(secret);
    expect(decodeJwt(session.access_token).user_metadata).toEqual({ nome: 'Ana Souza' });
    const tables = await written();
    expect(tables['auth.users']!.join()).toContain(person.email);
    for (const rows of Object.values(tables)) expect(rows.join('\n')).not.toMatch(secret);
    expect([tables.events, tables.tenant_log, tables.tenants].join()).not.toMatch(/Ana Souza|exemplo\.com/);
  });

  it('records the version of the terms that was agreed to, with its time, and makes no account for another', async () => {
    const before = await written();
    const { error } = await browser(app.url).signUp(applicant({ termos: '2024-01-01' }));
    expect(error).toMatchObject({ status: 400, code: 'validation_failed' });
    expect(await written()).toEqual(before);

    const { session, user } = await signUp(app.url, applicant({ termos: TERMS_VERSION }));
    const token = session.access_token;
    const terms = async () => (await get(`${app.url}/api/v1/general-terms`, token)).body;
    await eventually(async () => ((await terms()) as ShownTerms).aceite?.versao, TERMS_VERSION);
    const agreement = async () => {
      const [profile] = await database.query<{ sealed: Buffer }>(
        'select sealed from auth.profiles where user_id = $1',
        [user.id],
      );
      const told = app.nest.get(Secrets).open(profile!.sealed, user.id).toString('utf8');
      const { termos, termos_em } = JSON.parse(told) as Record<string, unknown>;
      return [termos, termos_em];
    };
    const agreed = [TERMS_VERSION, expect.stringMatching(/^\d{4}-\d{2}-\d{2}T.*Z$/)];
    expect(await agreement()).toEqual(agreed);
    // Changing the profile keeps it.
    const changed = await fetch(`${app.url}/api/v1/account/profile`, {
      method: 'PUT',
      headers: {
        'Content-Type': 'application/json',
        Authorization: `Bearer ${token}`,
        'Idempotency-Key': user.id,
      },
      body: JSON.stringify({ nome: 'Ana Lima', telefone: '11943214321', data_nascimento: '1990-02-28' }),
    });
    expect(changed.status).toBe(200);
    expect(await agreement()).toEqual(agreed);
  });

  it('refuses a known address in any spelling, and changes nothing', async () => {
    const { person } = await signUp(app.url);
    const before = await written();

    const { error } = await browser(app.url).signUp({
      ...applicant(),
      email: ` ${person.email.toUpperCase()} `,
    });

    expect(error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
      message: 'User already registered',
    });
    expect(await written()).toEqual(before);
  });

  it('does not reveal that a CPF is known, nor does the profile; both people get a mail', async () => {
    const { person } = await signUp(app.url);
    const { cpf } = person.options.data;
    const ask = (data: object, email: string) =>
      fetch(`${app.url}/auth/v1/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress() },
        body: JSON.stringify({ email, password: 'Lagoa-Azul-42', data }),
      });
    const told = applicant().options.data;
    const [known, free] = [applicant().email, applicant().email];

    const answers = [
      await ask({ ...told, cpf: cpf.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4') }, known),
      await ask(told, free),
    ];

    const shapes = await Promise.all(
      answers.map(async ({ status, headers, json }, at) => ({
        status,
        headers: [...headers.keys()].sort(),
        body: shapeOf(await json.call(answers[at])),
      })),
    );
    expect(shapes[0]).toEqual(shapes[1]);
    expect(shapes[0]!.status).toBe(200);
    const profileOf = async (email: string) => {
      const { data } = await signIn(app.url, { email, password: 'Lagoa-Azul-42' });
      return (await get(`${app.url}/api/v1/account/profile`, data.session!.access_token)).body.cpf;
    };
    const masked = (digits: string) => `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**`;
    expect([await profileOf(known), await profileOf(free)]).toEqual([masked(cpf), masked(told.cpf)]);
    expect((await nextMail(person.email)).subject).toBe('Seu CPF foi usado em outro cadastro no Rende');
    expect((await nextMail(known)).subject).toBe('O CPF que você informou já está em outra conta do Rende');
    expect(await ownersOf(cpf)).toBe(1);

    await ask({ ...told, cpf }, applicant().email);
    expect(await ownersOf(cpf)).toBe(1);
    const toOwner = await database.query(
      "select from mails where kind = 'accounts.cpf_claimed' and person_id = $1",
      [
        (
          await database.query<{ id: string }>('select id from auth.users where email = $1', [person.email])
        )[0]!.id,
      ],
    );
    expect(toOwner).toHaveLength(1);
    expect(await unreadMail(free)).toEqual([]);
  });

  it('gives an address, or a CPF, to one of three concurrent sign-ups', async () => {
    const person = applicant();
    const sameAddress = await Promise.all(
      [person, applicant(), applicant()].map((each) =>
        browser(app.url).signUp({ ...each, email: person.email }),
      ),
    );
    expect(sameAddress.map(({ error }) => error?.status ?? 200).sort()).toEqual([200, 422, 422]);

    const { cpf } = applicant().options.data;
    const sameCpf = await Promise.all([1, 2, 3].map(() => browser(app.url).signUp(applicant({ cpf }))));
    expect(sameCpf.map(({ error }) => error)).toEqual([null, null, null]);
    expect(await ownersOf(cpf)).toBe(1);
  });

  it('gives people of the same name different slugs, also concurrently', async () => {
    await Promise.all(Array.from({ length: 5 }, () => signUp(app.url, applicant({ nome: 'Carla Nunes' }))));

    const rows = await database.query<{ slug: string }>(
      "select slug from tenants where slug like 'carla-nunes%'",
    );
    const slugs = rows.map(({ slug }) => slug).sort();
    expect(slugs).toHaveLength(5);
    expect(slugs[0]).toBe('carla-nunes');
  });

  it.each([
    ['abcde', 422, 'weak_password', ['length']],
    ['PASSWORD1', 422, 'weak_password', ['pwned']],
    ['AnaSouza1990', 422, 'weak_password', ['characters']],
    ['a'.repeat(129), 400, 'validation_failed', undefined],
    ['', 400, 'validation_failed', undefined],
  ])('refuses the password %j', async (password, status, code, reasons) => {
    const { error } = await browser(app.url).signUp({ ...applicant(), password });

    expect(error).toMatchObject({ status, code });
    expect((error as { reasons?: string[] }).reasons).toEqual(reasons);
  });

  it.each([
    [{ cpf: '12345678910' }, 'CPF inválido'],
    [{ role: 'admin' }, 'Campo desconhecido'],
  ])('refuses %j in words, and writes nothing', async (data, message) => {
    const before = await written();

    const { error } = await browser(app.url).signUp(applicant(data));

    expect(error).toMatchObject({ status: 400, code: 'validation_failed', message });
    expect(await written()).toEqual(before);
  });

  it('refuses a person without an address, and phones', async () => {
    const { options, password } = applicant();
    const send = (body: object) =>
      fetch(`${app.url}/auth/v1/signup`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ password, data: options.data, ...body }),
      }).then(async (response) => ({ status: response.status, ...((await response.json()) as object) }));

    expect(await send({})).toMatchObject({ status: 422, error_code: 'anonymous_provider_disabled' });
    expect(await send({ phone: '+5511943214321' })).toMatchObject({
      status: 400,
      error_code: 'phone_provider_disabled',
    });
    expect(await send({ email: 'ana' })).toMatchObject({
      status: 400,
      msg: 'Unable to validate email address: invalid format',
    });
  });

  it('limits attempts per address', async () => {
    const address = anyAddress();
    const { person } = await signUp(app.url, applicant(), address);
    const statuses: (number | undefined)[] = [];
    for (let i = 0; i < 10; i += 1) {
      const { error } = await browser(app.url, address).signUp({ ...applicant(), email: person.email });
      statuses.push(error?.status);
    }

    expect(statuses).toEqual([...Array<number>(9).fill(422), 429]);
  });
});
