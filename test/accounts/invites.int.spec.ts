import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { addDays, subSeconds } from 'date-fns';
import type { Me } from '../../backend/modules/accounts/accounts.api.js';
import type {
  Accepted,
  Invite,
  NewInvite,
  PayerAccess,
  StudentAccess,
} from '../../backend/modules/accounts/invites.api.js';
import type { ToldContactList } from '../../backend/modules/told-contacts/told-contacts.api.js';
import { TERMS_VERSION } from '../../backend/modules/general-terms/general-terms.api.js';
import { Secrets } from '../../backend/modules/accounts/secrets/secrets.service.js';
import { startApp } from '../support/app.js';
import { Client } from '../support/client.js';
import { SetClock } from '../support/clock.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail } from '../support/mail.js';
import { caughtUp } from '../proof/read-tables.js';
import { signUp as signUpTrainer } from '../support/people.js';
import { expectRebuildToEqualLive } from '../support/rebuild.js';
import { connectSocket } from '../support/socket.js';
import { anyAddress, browser, signIn } from './people.js';
import { expectPreview, writtenPage } from '../support/written-page.js';
import { toldOf } from '../support/history.js';

const begin = new Date();
const clock = new SetClock(begin);
const SITE_URL = 'https://rende.example';

const database = await testDatabase();
const app = await startApp({ clock, env: { SITE_URL } });
const trainer = await signUpTrainer(app, { nome: 'Carla Dias' });

const anonymous = () => new Client(app.url, { accessToken: '', address: anyAddress(), positions: new Map() });
const speaker = (accessToken: string) =>
  new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });

async function student(nome = 'Bia Lima'): Promise<string> {
  return (await trainer.api.post('/students', { nome, whatsapp: '(11) 94321-4321' })).body.id;
}

async function invite(studentId: string): Promise<NewInvite & { token: string }> {
  const { body } = await trainer.api.post<NewInvite>(`/students/${studentId}/invites`);
  // Requests with the link do not wait for projections; the trainer's reads do.
  await trainer.api.get(`/students/${studentId}/access`);
  return { ...body, token: body.inviteUrl.split('/').at(-1)! };
}

const invited = (convite: string, more: object = {}) => ({
  email: `${randomUUID()}@exemplo.com.br`,
  password: 'Lagoa-Azul-42',
  options: { data: { convite, nome: 'Bia Lima', ...more } },
});

/** A person without an account opens a link. */
async function join(token: string, person = invited(token)) {
  const client = browser(app.url);
  const { data, error } = await client.signUp(person);
  return {
    person,
    error,
    user: data.user,
    api: speaker(data.session?.access_token ?? ''),
    token: data.session?.access_token ?? '',
  };
}

const access = async (id: string) => (await trainer.api.get<StudentAccess>(`/students/${id}/access`)).body;
const statusOf = async (token: string) =>
  (await anonymous().request('GET', `/api/v1/invites/${token}`)).status;
const memberships = async (api: Client) => (await api.get<Me>('/me')).body.memberships;
const notValid = { code: 'invites.not_valid', title: 'Convite inválido ou expirado', status: 404 };

describe('an invite', () => {
  it('is a link with the names that its page shows, valid for seven days', async () => {
    const id = await student();
    const { token, inviteUrl, expires_at } = await invite(id);

    expect(inviteUrl).toMatch(/^https:\/\/rende\.example\/convite\/[\w-]{43}$/);
    expect(expires_at).toBe(addDays(begin, 7).toISOString());
    expect((await anonymous().get<Invite>(`/invites/${token}`)).body).toEqual({
      personal: { nome: 'Carla Dias' },
      student: { nome: 'Bia Lima' },
      expires_at,
    });
    expect(await access(id)).toEqual({
      convite: { id: expect.any(String), inviteUrl, expires_at },
      conta: null,
      area: null,
    });
  });

  it('opens a page that names the trainer and whom it is for, and leads to the account', async () => {
    const { token } = await invite(await student());
    const page = await writtenPage(app, `/convite/${token}?fbclid=abc`);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'content-type': 'text/html; charset=utf-8',
    });
    const description = 'Convite para Bia · Crie sua conta para agendar suas aulas';
    expectPreview(page, token, 'Carla Dias convidou você', description);
    expect(page.text).toContain(`href="/aceitar/${token}"`);
    expect(page.text).toContain(`href="/auth?destino=%2Faceitar%2F${token}"`);
    expect(page.words).toMatch(/uso único, válido até \w{3}\., \d+ de \w{3}\. de \d{4}, \d+:\d\d/);
    expect(page.text).not.toMatch(/Lima|94321/);
  });

  it('opens a page that says that it was used, or that it is not valid', async () => {
    const [used, cancelled, expired] = [await student(), await student(), await student()];
    const tokens = { used: await invite(used), cancelled: await invite(cancelled) };
    await join(tokens.used.token);
    await trainer.api.delete(`/students/${cancelled}/invites`);
    const old = await invite(expired);
    await access(used);
    const own = await writtenPage(app, `/convite/${tokens.used.token}`);
    expect([own.status, own.headers.get('cache-control')]).toEqual([409, 'no-store']);
    expect(own.words).toContain('Este convite já foi usado');
    expect(own.text).toContain(`href="/aceitar/${tokens.used.token}">Entrar<`);
    await eventually(() => statusOf(tokens.used.token), 409);
    const before = clock.at;
    clock.at = addDays(before, 8);
    const lost = [tokens.cancelled.token, old.token, 'abc', 'a'.repeat(5000), '', 'a%00b'];
    const pages = await Promise.all(lost.map((token) => writtenPage(app, `/convite/${token}`)));
    clock.at = before;
    for (const { status, words, text } of pages) {
      expect([status, words]).toEqual([404, expect.stringContaining('Convite inválido ou expirado')]);
      expect(text).toContain('href="/auth"');
    }
  });

  it('is stored as a hash only, also in the log and in the stored answer', async () => {
    const { token } = await invite(await student());
    const idempotencyKey = randomUUID();
    const other = await signUpTrainer(app);
    await other.api.post('/invites/accept', { token }, { idempotencyKey });

    const texts = await database.query<{ text: string }>(
      `select to_jsonb(t)::text as text from student_invites t union all select to_jsonb(t)::text from events t
       union all select to_jsonb(t)::text from idempotency_keys t union all select to_jsonb(t)::text from read.history t`,
    );
    expect(texts.length).toBeGreaterThan(5);
    expect(
      texts.filter(({ text }) => text.includes(token) || text.includes(Buffer.from(token).toString('hex'))),
    ).toEqual([]);
  });

  it('creates an account with a membership as this student only', async () => {
    const id = await student();
    const { token } = await invite(id);

    const { user, api, person } = await join(
      token,
      invited('', { convite: token, telefone: '(11) 94321-4321', termos: TERMS_VERSION }),
    );

    const [mine] = await memberships(api);
    expect(mine).toMatchObject({ tenant_id: trainer.tenantId, role: 'aluno', student_id: id });
    expect(user!.user_metadata).toEqual({ nome: 'Bia Lima' });
    const [profile] = await database.query<{ sealed: Buffer }>(
      'select sealed from auth.profiles where user_id = $1',
      [user!.id],
    );
    const told = app.nest.get(Secrets).open(profile!.sealed, user!.id).toString('utf8');
    expect(JSON.parse(told)).toEqual({
      telefone: '+5511943214321',
      termos: TERMS_VERSION,
      termos_em: clock.now().toISOString(),
    });
    expect((await api.request('GET', '/api/v1/students')).status).toBe(403);
    expect((await signIn(app.url, person)).error).toBeNull();
    const tenants = await database.query('select from memberships where user_id = $1', [user!.id]);
    expect(tenants).toHaveLength(1);
    expect(await access(id)).toEqual({
      convite: null,
      area: null,
      conta: { nome: 'Bia Lima', desde: expect.any(String) },
    });
  });

  it('creates the account once the address is confirmed, if confirmation is on', async () => {
    const id = await student();
    const [first, second] = [await invite(id), await invite(id)];
    // Its worker may also process jobs of other tests.
    const careful = await startApp({ clock, env: { SITE_URL, MAILER_AUTOCONFIRM: 'false' } });
    const [bia, late] = [invited(first.token), invited(second.token)];
    const [client, other] = [browser(careful.url), browser(careful.url)];
    expect((await client.signUp(bia)).data.session).toBeNull();
    expect((await other.signUp(late)).data.session).toBeNull();
    expect((await access(id)).conta).toBeNull();

    const { data } = await client.verifyOtp({
      email: bia.email,
      token: (await nextMail(bia.email)).code,
      type: 'email',
    });
    expect(await memberships(speaker(data.session!.access_token))).toMatchObject([{ student_id: id }]);

    const { code } = await nextMail(late.email);
    const refused = await other.verifyOtp({ email: late.email, token: code, type: 'email' });
    expect(refused.error).toMatchObject({ status: 422, code: 'invite_not_valid' });
    const gone = await browser(careful.url).signUp(invited(first.token));
    expect(gone.error).toMatchObject({ status: 422, code: 'invite_not_valid', message: notValid.title });
  });

  it('is accepted with an existing account, in addition to its other memberships', async () => {
    const id = await student();
    const { token } = await invite(id);
    const other = await signUpTrainer(app);
    const idempotencyKey = randomUUID();

    const first = await other.api.post<Accepted>('/invites/accept', { token }, { idempotencyKey });
    const again = await other.api.post<Accepted>('/invites/accept', { token }, { idempotencyKey });
    const anew = await other.api.post<Accepted>('/invites/accept', { token });

    expect(first.body).toEqual({ tenant_id: trainer.tenantId, student_id: id });
    expect([again.body, anew.body]).toEqual([first.body, first.body]);
    expect((await memberships(other.api)).map(({ role }) => role)).toEqual(['personal', 'aluno']);
  });

  it('cannot be accepted by its own trainer', async () => {
    const { token } = await invite(await student());
    const refused = await trainer.api.request<{ code: string }>('POST', '/api/v1/invites/accept', {
      body: { token },
    });
    expect([refused.status, refused.body.code]).toEqual([409, 'invites.already_member']);
    expect(await statusOf(token)).toBe(200);
  });

  it('is accepted by one of ten concurrent requests, with and without accounts', async () => {
    const id = await student();
    const { token } = await invite(id);
    const others = await Promise.all(Array.from({ length: 5 }, () => signUpTrainer(app)));

    const outcomes = await Promise.all([
      ...others.map(
        async ({ api }) => (await api.request('POST', '/api/v1/invites/accept', { body: { token } })).status,
      ),
      ...Array.from({ length: 5 }, async () => (await join(token)).error?.status ?? 200),
    ]);

    expect(outcomes.filter((status) => status === 200)).toHaveLength(1);
    expect(outcomes.every((status) => [200, 404, 422].includes(status))).toBe(true);
    const rows = await database.query('select from memberships where student_id = $1', [id]);
    expect(rows).toHaveLength(1);
    const users = await database.query(
      'select from auth.users u where not exists (select from memberships m where m.user_id = u.id)',
    );
    expect(users).toEqual([]);
  });

  it('is refused with the same answer when it was used, cancelled or forged', async () => {
    const used = await invite(await student());
    await join(used.token);
    const id = await student();
    const cancelled = await invite(id);
    await trainer.api.delete(`/students/${id}/invites`);
    expect(await access(id)).toEqual({ convite: null, conta: null, area: null });

    for (const token of [used.token, cancelled.token, randomUUID(), `${used.token}x`, '%00', '..%2f']) {
      const looked = await anonymous().request<{ code: string }>('GET', `/api/v1/invites/${token}`);
      expect([400, 404]).toContain(looked.body.code === 'invites.used' ? 404 : looked.status);
      expect((await join(token)).error?.status).toBe(422);
    }
    const other = await signUpTrainer(app);
    for (const token of [used.token, cancelled.token, randomUUID()]) {
      const refused = await other.api.request<object>('POST', '/api/v1/invites/accept', { body: { token } });
      expect(refused.body).toMatchObject(notValid);
    }
  });

  it('accepts only a valid CPF that nobody else has, if one is given', async () => {
    const { token } = await invite(await student());
    const wrong = await join(token, invited(token, { cpf: '123.456.789-10' }));
    expect(wrong.error).toMatchObject({ status: 400, message: 'CPF inválido' });
    expect((await join(token, invited(token, { role: 'personal' }))).error?.status).toBe(400);
    expect((await join(token, { ...invited(token), email: trainer.email })).error).toMatchObject({
      status: 422,
      code: 'user_already_exists',
    });
    expect(await statusOf(token)).toBe(200);
  });

  it('cannot be created for a student who is archived, has an account or belongs to another trainer', async () => {
    const archived = await student();
    const open = await invite(archived);
    await trainer.api.post(`/students/${archived}/archive`);
    const has = await student();
    await join((await invite(has)).token);
    const stranger = await signUpTrainer(app);
    const ask = async (api: Client, id: string) =>
      (await api.request<{ code: string }>('POST', `/api/v1/students/${id}/invites`)).body.code;

    expect(await ask(trainer.api, archived)).toBe('students.archived');
    expect(await ask(trainer.api, has)).toBe('invites.already_accepted');
    expect(await ask(stranger.api, has)).toBe('students.not_found');
    expect(await statusOf(open.token)).toBe(404);
    expect((await join(open.token)).error?.code).toBe('invite_not_valid');
  });
});

describe('an account that is several students of one trainer', () => {
  async function family() {
    const [ana, beto] = [await student('Ana Reis'), await student('Beto Reis')];
    const parent = await join((await invite(ana)).token);
    await parent.api.post('/invites/accept', { token: (await invite(beto)).token });
    return { ana, beto, ...parent };
  }
  const as = (student: string) => ({
    headers: { 'Rende-Tenant': trainer.tenantId, 'Rende-Student': student },
  });
  const mostra = async (id: string) =>
    (
      await database.query<{ mostra: boolean }>('select mostra from read.partner_names where id = $1', [id])
    )[0]?.mostra ?? null;

  it('has a membership for each, with its name, and says in every request which one it is', async () => {
    const { ana, beto, api } = await family();
    expect(await memberships(api)).toMatchObject([
      { tenant_id: trainer.tenantId, student_id: ana, aluno: 'Ana Reis' },
      { tenant_id: trainer.tenantId, student_id: beto, aluno: 'Beto Reis' },
    ]);
    const unsaid: Record<string, string>[] = [{}, { 'Rende-Tenant': trainer.tenantId }];
    for (const headers of unsaid) {
      const refused = await api.request<{ code: string }>('GET', '/api/v1/student/credits', { headers });
      expect([refused.status, refused.body.code]).toEqual([400, 'accounts.student_required']);
    }
    await trainer.api.post(`/students/${beto}/credits/adjust`, { quantidade: 3, motivo: 'presente' });
    await caughtUp(database);
    const saldo = async (id: string) =>
      (await api.get<{ saldo: number }>('/student/credits', as(id))).body.saldo;
    expect([await saldo(ana), await saldo(beto)]).toEqual([0, 3]);
    expect((await api.get<Me>('/me', as(beto))).body.membership).toMatchObject({ student_id: beto });
  });

  it('reads and changes nothing of another student, of this trainer or of another, by naming the id', async () => {
    const { api } = await family();
    const other = await signUpTrainer(app);
    const theirs = (await other.api.post('/students', { nome: 'Caio', telefone: '11943214321' })).body.id;
    const sibling = await student('Duda Reis');
    await join((await invite(sibling)).token);
    const before = await database.query('select count(*) from events');
    const foreign: Record<string, string>[] = [
      ...[sibling, theirs, randomUUID(), ''].map((id) => as(id).headers),
      { 'Rende-Student': sibling },
      { 'Rende-Tenant': other.tenantId, 'Rende-Student': theirs },
    ];
    for (const headers of foreign) {
      const isTheirs = headers['Rende-Tenant'] === other.tenantId;
      const code = isTheirs ? 'accounts.tenant_not_found' : 'accounts.student_not_found';
      const looked = await api.request<{ code: string }>('GET', '/api/v1/student/credits', { headers });
      const changed = await api.request<{ code: string }>('PUT', '/api/v1/student/partner-name', {
        headers,
        body: { mostra: true },
      });
      for (const { status, body } of [looked, changed]) expect([status, body.code]).toEqual([404, code]);
    }
    expect(await database.query('select count(*) from events')).toEqual(before);
  });

  it('changes the student whom it names, also with a key that was used for the other one', async () => {
    const { ana, beto, api } = await family();
    const idempotencyKey = randomUUID();
    const show = (id: string) =>
      api.put('/student/partner-name', { mostra: true }, { ...as(id), idempotencyKey });
    await show(ana);
    await caughtUp(database);
    expect([await mostra(ana), await mostra(beto)]).toEqual([true, null]);
    expect((await show(beto)).body.id).toBe(beto);
    await caughtUp(database);
    expect([await mostra(ana), await mostra(beto)]).toEqual([true, true]);
  });

  it('keeps the one whose access has not ended, and gets the other again', async () => {
    const { ana, beto, api } = await family();
    await trainer.api.delete(`/students/${ana}/access`);
    expect(await memberships(api)).toMatchObject([{ student_id: beto }]);
    // Only one is left to mean, and whose access has ended is not meant by it.
    await api.get('/student/credits', as(beto));
    expect((await api.request('GET', '/api/v1/student/credits')).status).toBe(200);
    expect((await api.request('GET', '/api/v1/student/credits', as(ana))).status).toBe(404);
    await api.post('/invites/accept', { token: (await invite(ana)).token });
    expect((await memberships(api)).map(({ aluno }) => aluno)).toEqual(['Beto Reis', 'Ana Reis']);
    await trainer.api.post(`/students/${beto}/forget`);
    expect(await memberships(api)).toMatchObject([{ student_id: ana }]);
  });
});

describe('access', () => {
  it('ended by the trainer ends at once, the socket included, and can be given again', async () => {
    const id = await student();
    const bia = await join((await invite(id)).token);
    const socket = await connectSocket(app, { accessToken: bia.token });
    const disconnected = new Promise((resolve) => socket.once('disconnect', resolve));

    await trainer.api.delete(`/students/${id}/access`);

    expect(await disconnected).toBe('io server disconnect');
    expect(await memberships(bia.api)).toEqual([]);
    const { token } = await invite(id);
    await bia.api.post('/invites/accept', { token });
    expect(await memberships(bia.api)).toMatchObject([{ student_id: id }]);
    const words = async () => {
      return await toldOf(trainer.api, `student:${id}`);
    };
    await eventually(words, [
      'Aceitou o convite',
      'Gerou um link de convite',
      'Encerrou o acesso do aluno',
      'Aceitou o convite',
      'Gerou um link de convite',
      'Cadastrou Bia Lima',
    ]);
  });

  it('and links end when the student is forgotten', async () => {
    const [has, open] = [await student(), await student()];
    const bia = await join((await invite(has)).token);
    const { token } = await invite(open);

    await trainer.api.post(`/students/${has}/forget`);
    await trainer.api.post(`/students/${open}/forget`);

    expect(await memberships(bia.api)).toEqual([]);
    expect(await statusOf(token)).toBe(404);
  });

  it('prevents removing the student', async () => {
    const id = await student();
    await join((await invite(id)).token);
    const { status, body } = await trainer.api.request<{ code: string }>('DELETE', `/api/v1/students/${id}`);
    expect([status, body.code]).toEqual([409, 'students.in_use']);
  });

  it('is announced to the trainer by one mail, of which nothing remains when the student is forgotten', async () => {
    const own = await signUpTrainer(app);
    const [bia, ana] = await Promise.all(
      ['Bia Lima', 'Ana Reis'].map(
        async (nome) => (await own.api.post('/students', { nome, whatsapp: '(11) 94321-4321' })).body.id,
      ),
    );
    const accepted = async (id: string) => {
      const { inviteUrl } = (await own.api.post<NewInvite>(`/students/${id}/invites`)).body;
      const { error } = await join(inviteUrl.split('/').at(-1)!);
      expect(error).toBeNull();
    };
    const mails = () =>
      database.query<{ outcome: string; person_id: string }>(
        "select outcome, person_id from mails where tenant_id = $1 and kind = 'accounts.invite-accepted' order by created_at",
        [own.tenantId],
      );

    await accepted(bia!);
    const mail = await nextMail(own.email);
    expect(mail.subject).toBe('Bia Lima aceitou seu convite');
    expect(mail.text).toContain(`Abrir o cadastro:\nhttps://rende.example/alunos/edit/${bia}`);
    await eventually(mails, [{ outcome: 'sent', person_id: bia! }]);

    await accepted(ana!);
    expect((await nextMail(own.email)).subject).toBe('Ana Reis aceitou seu convite');
    await own.api.post(`/students/${bia}/forget`);
    await eventually(mails, [{ outcome: 'sent', person_id: ana! }]);
  });

  it('is the same after a rebuild', async () => {
    await caughtUp(database);
    await expectRebuildToEqualLive(app, 'student-access');
  });
});

it('after seven days an invite is not valid any more', async () => {
  const id = await student();
  const { token } = await invite(id);
  clock.at = subSeconds(addDays(begin, 7), 1);
  expect(await statusOf(token)).toBe(200);

  clock.at = addDays(begin, 7);
  expect(await statusOf(token)).toBe(404);
  expect((await join(token)).error?.code).toBe('invite_not_valid');
  expect((await access(id)).convite).toBeNull();
});

describe('the invite of a payer', () => {
  const register = async (nome: string, ...students: string[]) => {
    const { id } = (await trainer.api.post('/payers', { nome, whatsapp: '(11) 94321-4321' })).body;
    for (const student_id of students) await choose(student_id, id);
    return id;
  };
  const choose = (student_id: string, payer_id: string | null) =>
    trainer.api.put(`/students/${student_id}/payer`, { payer_id });
  const accessOf = async (payer: string) =>
    (await trainer.api.get<PayerAccess>(`/payers/${payer}/access`)).body;
  const inviteOf = async (payer: string) => {
    const { inviteUrl } = (await trainer.api.post<NewInvite>(`/payers/${payer}/invites`)).body;
    expect((await accessOf(payer)).convite?.inviteUrl).toBe(inviteUrl);
    return inviteUrl.split('/').at(-1)!;
  };
  const reached = async (api: Client) =>
    (await memberships(api)).flatMap(({ student_id }) => student_id ?? []).toSorted();
  const accountsOf = async (payer: string) => (await accessOf(payer)).alunos.map(({ conta }) => conta);

  it('is one, by which one account is all students whom the payer pays for and who have none', async () => {
    const [ana, bia, caio, duda] = [
      await student('Ana Souza'),
      await student('Bia Souza'),
      await student('Caio Souza'),
      await student('Duda Lima'),
    ];
    await join((await invite(caio)).token);
    const payer = await register('Carla Souza', ana, bia, caio);
    const token = await inviteOf(payer);
    // It is not the student's own.
    expect((await access(ana)).convite).toBeNull();
    expect((await anonymous().get<Invite>(`/invites/${token}`)).body).toMatchObject({
      student: { nome: 'Carla Souza' },
      alunos: ['Ana', 'Bia'],
    });
    const { words } = await writtenPage(app, `/convite/${token}`);
    expect(words).toContain('Convite para Carla');
    expect(words).toContain('as aulas de Ana e Bia');
    const { api } = await join(token, invited(token, { nome: 'Carla Souza' }));
    expect(await reached(api)).toEqual([ana, bia].toSorted());
    await eventually(() => accountsOf(payer), ['do_pagador', 'do_pagador', 'de_outra_pessoa']);
    // Who is paid for later joins by another invite, into the same account.
    await choose(duda, payer);
    await eventually(() => accountsOf(payer), ['do_pagador', 'do_pagador', 'de_outra_pessoa', null]);
    const next = await inviteOf(payer);
    await api.post<Accepted>('/invites/accept', { token: next });
    expect(await reached(api)).toEqual([ana, bia, duda].toSorted());
    // Nothing is asked about the students' names, which are not the account's.
    const told = (await trainer.api.get<ToldContactList>('/told-contacts')).body.items;
    expect(told.filter(({ id }) => id === ana)).toEqual([]);
    await trainer.api.delete(`/payers/${payer}`);
    expect(await reached(api)).toEqual([ana, bia, duda].toSorted());
    await expectRebuildToEqualLive(app, 'student-access');
  });

  it('is cancelled alone, and is none for who does not pay any more', async () => {
    const ana = await student('Ana Souza');
    const payer = await register('Carla Souza', ana);
    const [own, cancelled] = [await invite(ana), await inviteOf(payer)];
    await trainer.api.delete(`/payers/${payer}/invites`);
    expect(await accessOf(payer)).toMatchObject({ convite: null });
    expect([await statusOf(cancelled), await statusOf(own.token)]).toEqual([404, 200]);
    const former = await inviteOf(payer);
    await choose(ana, null);
    await access(ana);
    expect(await statusOf(former)).toBe(404);
    expect((await join(former)).error).not.toBeNull();
    expect((await access(ana)).conta).toBeNull();
    const refused = await trainer.api.request<{ code: string }>('POST', `/api/v1/payers/${payer}/invites`);
    expect([refused.status, refused.body.code]).toEqual([409, 'invites.nobody_left']);
  });

  it('goes with the student whose it is, and there is another one for those who are still paid for', async () => {
    const [first, second] = [await student('Ana Souza'), await student('Bia Souza')].toSorted();
    const payer = await register('Carla Souza', first!, second!);
    const gone = await inviteOf(payer);
    await choose(first!, null);
    expect(await accessOf(payer)).toMatchObject({ convite: null, alunos: [{ id: second, conta: null }] });
    expect(await statusOf(gone)).toBe(404);
    expect(await statusOf(await inviteOf(payer))).toBe(200);
  });

  it('is not said to be used by who has the link that was not', async () => {
    for (const isPayers of [true, false]) {
      const ana = await student('Ana Souza');
      const [own, payers] = [await invite(ana), await inviteOf(await register('Carla Souza', ana))];
      const [used, other] = isPayers ? [payers, own.token] : [own.token, payers];
      await join(used);
      await eventually(async () => [await statusOf(used), await statusOf(other)], [409, 404]);
    }
  });

  it('is said where it keeps two records from being merged; the account stays that of the payer with the record that stays', async () => {
    const [ana, twin] = [await student('Ana Souza'), await student('Ana S.')];
    const payer = await register('Carla Souza', ana);
    const token = await inviteOf(payer);
    const merge = () =>
      trainer.api.request<{ detail?: string }>('POST', `/api/v1/students/${twin}/merge`, {
        body: { com: ana },
      });
    expect((await merge()).body.detail).toContain('na página de quem paga');
    await join(token, invited(token, { nome: 'Carla Souza' }));
    expect((await merge()).status).toBe(200);
    await eventually(() => accountsOf(payer), ['do_pagador']);
  });
});
