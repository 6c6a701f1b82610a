import { describe, expect, it } from '@jest/globals';
import { cpf } from 'cpf-cnpj-validator';
import type { SignIns } from '../../backend/modules/accounts/account.api.js';
import type { Me } from '../../backend/modules/accounts/accounts.api.js';
import type { Profile } from '../../backend/modules/accounts/profile.api.js';
import { Secrets } from '../../backend/modules/accounts/secrets/secrets.service.js';
import { Client } from '../support/client.js';
import { connect, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { nextMail, unreadMail } from '../support/mail.js';
import { signUp as signUpTrainer } from '../support/people.js';
import { sharedApp } from '../support/shared.js';
import { connectSocket } from '../support/socket.js';
import { studentAccount } from './own-data.js';
import { anyAddress, applicant, openLink, signIn, signUp } from './people.js';

const database = await testDatabase();
const app = await sharedApp();

const speaker = (accessToken: string) =>
  new Client(app.url, { accessToken, address: anyAddress(), positions: new Map() });
const listOf = async (api: Client) => (await api.get<SignIns>('/account/sessions')).body.items;

it('a person sees the devices they are signed in on, and can end each session immediately', async () => {
  const { person, session } = await signUp(app.url);
  const phone = await signIn(app.url, person);
  const [here, there] = [speaker(session.access_token), phone.data.session!.access_token];
  const socket = await connectSocket(app, { accessToken: there });
  const disconnected = new Promise((resolve) => socket.once('disconnect', resolve));

  const before = await listOf(here);
  expect(before.map(({ atual, ativa }) => [atual, ativa])).toEqual([
    [false, true],
    [true, true],
  ]);
  for (const { endereco } of before) expect(endereco).toMatch(/^(\d+\.\d+\.\d+\.0|[\da-f:]+::)$/);
  await here.delete(`/account/sessions/${before[0]!.id}`);

  expect(await disconnected).toBe('io server disconnect');
  expect((await speaker(there).request('GET', '/api/v1/me')).status).toBe(401);
  expect((await listOf(here)).map(({ atual, ativa, encerrada_em }) => [atual, ativa, encerrada_em])).toEqual([
    [true, true, null],
    [false, false, expect.any(String)],
  ]);
});

it('a session that has ended cannot be ended', async () => {
  const { person, session } = await signUp(app.url);
  const mine = speaker(session.access_token);
  const ended = (await signIn(app.url, person)).data.session!.access_token;
  const { id } = (await listOf(speaker(ended))).find(({ atual }) => atual)!;
  await mine.delete(`/account/sessions/${id}`);
  expect((await mine.request('DELETE', `/api/v1/account/sessions/${id}`)).status).toBe(404);
});

/** While the table is locked, sends 200 requests `busy` that read it, expects `atOnce` statements to wait for it, and runs `meanwhile`. */
async function floodOf(
  table: string,
  busy: () => Promise<{ status: number }>,
  { atOnce, meanwhile }: { atOnce: number; meanwhile: () => Promise<void> },
): Promise<void> {
  const holder = await connect(database.adminUrl);
  // Counts only requests to this database: the worker may wait for the table too, and other test files lock tables as well.
  const waiters = async () =>
    (
      await database.query(
        `select from pg_locks join pg_stat_activity using (pid) where relation = $1::regclass and not granted
           and datname = current_database() and application_name = 'rende-app'`,
        [table],
      )
    ).length;
  await holder.query('begin');
  await holder.query(`lock table ${table} in access exclusive mode`);
  let answered = 0;
  const flood = Array.from({ length: 200 }, async () => {
    const { status } = await busy();
    answered += 1;
    return status;
  });
  await eventually(waiters, atOnce);

  await meanwhile();

  await eventually(async () => [await waiters(), answered], [atOnce, 0]);
  await holder.query('rollback');
  expect(new Set(await Promise.all(flood))).toEqual(new Set([200]));
}

it('200 concurrent reads of own data run three at a time, and leave connections to others', async () => {
  const [busy, { api: quiet }] = [await signUpTrainer(app), await signUpTrainer(app)];
  await floodOf('auth.users', () => busy.api.get('/account/profile'), {
    atOnce: 3,
    meanwhile: async () => {
      await quiet.post('/locations', { nome: 'Parque', endereco: 'Rua A, 1' });
      expect((await quiet.get<{ items: object[] }>('/locations')).body.items).toHaveLength(1);
    },
  });
});

it("200 concurrent reads of a student run one at a time, and leave the trainer most of the tenant's share", async () => {
  const trainer = await signUpTrainer(app);
  const { id } = (await trainer.api.post('/students', { nome: 'Ana Souza', telefone: '(11) 98765-4321' }))
    .body;
  const student = await studentAccount(app, trainer, id, 'Ana');
  await floodOf('notifications', () => student.api.get('/student/notifications/unread'), {
    atOnce: 1,
    meanwhile: async () => {
      await trainer.api.get('/students');
    },
  });
});

it("200 concurrent reads by the link to a student's area run one at a time too", async () => {
  const trainer = await signUpTrainer(app);
  const { id } = (await trainer.api.post('/students', { nome: 'Ana Souza', telefone: '(11) 98765-4321' }))
    .body;
  const { body } = await trainer.api.post<{ url: string }>(`/students/${id}/area-link`);
  const headers = { 'Rende-Link': body.url.split('/').at(-1)! };
  const byLink = new Client(app.url);
  await floodOf('read.signature_requests', () => byLink.get('/student/signature-requests', { headers }), {
    atOnce: 1,
    meanwhile: async () => {
      await trainer.api.get('/students');
    },
  });
});

describe('the own profile', () => {
  const profileOf = async (api: Client) => (await api.get<Profile>('/account/profile')).body;
  const change = (api: Client, body: object) =>
    api.request<{ code: string; errors: { pointer: string }[] }>('PUT', '/api/v1/account/profile', { body });
  const told = { nome: 'Ana Lúcia Souza', telefone: '(21) 98765-4321', data_nascimento: '1991-03-01' };
  const becomeStudent = (userId: string) =>
    database.query("update memberships set role = 'aluno', student_id = user_id where user_id = $1", [
      userId,
    ]);

  it('shows only part of the CPF, and a change is announced to all screens of the person', async () => {
    const { person, session } = await signUp(app.url);
    const here = speaker(session.access_token);
    const there = (await signIn(app.url, person)).data.session!.access_token;
    const socket = await connectSocket(app, { accessToken: there });
    // The sign-up's own hint may still be on its way.
    const heard = new Promise((resolve) =>
      socket.on('hint', (hint: { topic: string }) => {
        if (hint.topic === 'account') resolve(hint);
      }),
    );
    const { cpf: digits } = person.options.data;

    expect(await profileOf(here)).toEqual({
      nome: 'Ana Souza',
      email: person.email,
      telefone: '+5511943214321',
      data_nascimento: '1990-02-28',
      cpf: `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**`,
      tem_senha: true,
      troca_de_email: null,
    });
    expect((await change(here, told)).status).toBe(200);

    expect(await heard).toEqual({ tenantId: null, topic: 'account', position: 0 });
    expect(await profileOf(speaker(there))).toMatchObject({ ...told, telefone: '+5521987654321' });
    expect((await here.get<Me>('/me')).body.user.nome).toBe('Ana Lúcia Souza');
  });

  it('is put back only while the change stands', async () => {
    const { session } = await signUp(app.url);
    const api = speaker(session.access_token);
    const { nome, telefone, data_nascimento } = await profileOf(api);
    const back = { nome, telefone, data_nascimento, se_ainda: told };
    await change(api, told);
    await change(api, { ...told, nome: 'Ana L. Souza' });
    expect(await change(api, back)).toMatchObject({ status: 409, body: { code: 'changed_since' } });
    expect(await profileOf(api)).toMatchObject({ nome: 'Ana L. Souza', telefone: '+5521987654321' });
    await change(api, told);
    expect((await change(api, back)).status).toBe(200);
    expect(await profileOf(api)).toMatchObject({ nome, telefone, data_nascimento });
  });

  it('requires phone and birth date of trainers; students may remove theirs', async () => {
    const { session, user } = await signUp(app.url);
    const api = speaker(session.access_token);
    const nothing = { nome: 'Ana', telefone: null, data_nascimento: null };

    const refused = await change(api, nothing);
    expect(refused).toMatchObject({ status: 422, body: { code: 'profile.required_of_trainer' } });
    expect(refused.body.errors.map(({ pointer }) => pointer)).toEqual(['/telefone', '/data_nascimento']);
    await becomeStudent(user.id);
    expect((await change(api, nothing)).status).toBe(200);
    expect(await profileOf(api)).toMatchObject({ telefone: null, data_nascimento: null });
  });

  /** A person without a CPF in the profile, as students and people from a provider may be. */
  const withoutCpf = async () => {
    const signedUp = await signUp(app.url);
    await database.query('delete from auth.profiles where user_id = $1', [signedUp.user.id]);
    return { ...signedUp, api: speaker(signedUp.session.access_token) };
  };

  it('accepts a CPF once', async () => {
    const { api } = await withoutCpf();
    const tell = (digits: string) => change(api, { ...told, cpf: digits });

    expect((await tell('11144477736')).body.errors).toEqual([{ pointer: '/cpf', detail: 'CPF inválido' }]);
    const first = cpf.generate();
    expect((await tell(first)).status).toBe(200);
    expect((await tell(first)).status).toBe(200);
    expect((await tell(cpf.generate())).body.code).toBe('profile.cpf_fixed');
    expect((await change(api, { ...told, nome: 'Ana' })).status).toBe(200);
    expect(await profileOf(api)).toMatchObject({
      nome: 'Ana',
      cpf: `***.${first.slice(3, 6)}.${first.slice(6, 9)}-**`,
    });
  });

  it('does not reveal whether a CPF is known: it stays with its account, and both people get a mail', async () => {
    const other = await signUp(app.url);
    const known = other.person.options.data.cpf;
    const free = cpf.generate();
    const ownerOf = async (digits: string) =>
      (
        await database.query<{ user_id: string }>(
          'select user_id from auth.profiles where cpf_fingerprint = $1',
          [app.nest.get(Secrets).fingerprint(digits)],
        )
      ).map(({ user_id }) => user_id);
    const tell = async (digits: string) => {
      const { api, person, user } = await withoutCpf();
      const answers = [];
      for (const body of [
        { ...told, cpf: digits },
        { ...told, cpf: digits },
        { ...told, cpf: cpf.generate() },
        { ...told, nome: 'Ana' },
      ]) {
        const answer = await change(api, body);
        answers.push({ status: answer.status, code: answer.body.code });
      }
      const profile = await profileOf(api);
      const isAsTold = profile.cpf === `***.${digits.slice(3, 6)}.${digits.slice(6, 9)}-**`;
      return { person, user, said: { answers, isAsTold } };
    };

    const [ofKnown, ofFree] = [await tell(known), await tell(free)];

    expect(ofKnown.said).toEqual(ofFree.said);
    expect(ofKnown.said).toMatchObject({
      isAsTold: true,
      answers: [{ status: 200 }, { status: 200 }, { status: 409 }, { status: 200 }],
    });
    expect(await ownerOf(known)).toEqual([other.user.id]);
    expect(await ownerOf(free)).toEqual([ofFree.user.id]);
    expect((await nextMail(other.person.email)).subject).toBe('Seu CPF foi usado em outro cadastro no Rende');
    expect((await nextMail(ofKnown.person.email)).subject).toBe(
      'O CPF que você informou já está em outra conta do Rende',
    );
    expect(await unreadMail(ofFree.person.email)).toEqual([]);
    expect(await unreadMail(other.person.email)).toEqual([]);
  });

  it('gives a CPF that several people send at once to one of them', async () => {
    const people = [await withoutCpf(), await withoutCpf(), await withoutCpf()];
    const digits = cpf.generate();

    const answers = await Promise.all(people.map(({ api }) => change(api, { ...told, cpf: digits })));

    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    const fingerprint = app.nest.get(Secrets).fingerprint(digits);
    const owners = await database.query('select from auth.profiles where cpf_fingerprint = $1', [
      fingerprint,
    ]);
    expect(owners).toHaveLength(1);
  });

  it('shows which mails about a new address are not confirmed yet', async () => {
    const { person, client, session } = await signUp(app.url);
    const { email } = applicant();
    await client.updateUser({ email });
    await openLink(app, (await nextMail(person.email)).link);

    expect((await profileOf(speaker(session.access_token))).troca_de_email).toEqual({
      email,
      pedida_em: expect.any(String),
      atual_confirmado: true,
      novo_confirmado: false,
    });
  });
});
