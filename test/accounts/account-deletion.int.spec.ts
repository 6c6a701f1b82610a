import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CommandBus } from '@nestjs/cqrs';
import { Secret, TOTP } from 'otpauth';
import type { Me } from '../../backend/modules/accounts/accounts.api.js';
import type { NewInvite, StudentAccess } from '../../backend/modules/accounts/invites.api.js';
import { LeaveTenant } from '../../backend/modules/accounts/leaving.commands.js';
import type { DeletionPreview } from '../../backend/modules/accounts/own-data/own-data.api.js';
import { RegisterStudent } from '../../backend/modules/enrolment/enrolment.commands.js';
import type { Student } from '../../backend/modules/students/students.api.js';
import { type CommandContext, nobodyOf } from '../../backend/platform/event-store/context.js';
import { find, textOf, textOfMails } from '../privacy/everywhere.js';
import { secrets, studentWithALife } from '../privacy/life.js';
import { caughtUp, followed, rebuild, snapshot } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { Client } from '../support/client.js';
import { connect, createDatabase, testDatabase, type TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { mailFolder, nextMail } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { connectSocket } from '../support/socket.js';
import { browser, signIn } from './people.js';
import { exportOf, speaker, studentAccount } from './own-data.js';
import { protectedPerson } from './second-factor.js';

const folder = await mkdtemp(path.join(tmpdir(), 'rende-deletion-'));
atEnd(() => rm(folder, { recursive: true }));
const list = path.join(folder, 'forgotten');
const database = await testDatabase();
const app = await startApp({ env: { FORGOTTEN_FILE: list } });

const confirmacao = 'excluir';
const ask = (api: Client, body: object) =>
  api.request<{ code?: string; errors?: { pointer: string }[] }>('POST', '/api/v1/account/deletion', {
    body,
  });
const deleteAs = async ({ api, password }: Pick<Trainer, 'api' | 'password'>) =>
  expect(await ask(api, { confirmacao, senha: password })).toMatchObject({ status: 200 });
const refusedField = async (api: Client, body: object) => {
  const { status, body: problem } = await ask(api, { confirmacao, ...body });
  return [status, problem.code, problem.errors?.[0]?.pointer];
};
const gone = (db: TestDatabase = database) =>
  eventually(() => db.query('select user_id from auth.departures'), []);
const exists = async ({ userId }: { userId: string }) =>
  (await database.query('select from auth.users where id = $1', [userId])).length === 1;

/** Amounts and counts as the database has them. */
const figures = async (db: TestDatabase) => ({
  credits: await db.query('select sum(quantidade), count(*) from read.credit_entries'),
  lots: await db.query('select sum(restante), count(*) from read.credit_lot_balances'),
  months: await db.query('select * from read.finance_months order by mes'),
  money: await db.query('select sum(valor), count(*) from read.transactions'),
  sessions: await db.query('select status, credito, count(*) from read.sessions group by 1, 2 order by 1, 2'),
  students: await db.query('select count(*) from read.students'),
});

it("deleting a trainer's account makes everybody in the business unreadable everywhere and keeps the sums", async () => {
  const own = await createDatabase();
  const server = await startProcess({ database: own, env: { LOG_LEVEL: 'trace', FORGOTTEN_FILE: list } });
  const told = { nome: 'Zoroastra Quintanilha', cpf: '52998224725', telefone: '(11) 97777-6655' };
  const trainer = await signUp(server, { ...told, email: 'zoroastra@exemplo.com.br' });
  const student = await studentWithALife(trainer.api);
  await trainer.api.post('/locations', { nome: 'Casa', endereco: 'Travessa Xilofone, 9' });
  const plan = { nome: 'Pacote da Eufrosina', valor: 48_000, creditos: 8 };
  const { id: planId } = (await trainer.api.post('/plans', plan)).body;
  await trainer.api.patch(`/plans/${planId}`, { nome: 'Plano do Hermenegildo', descricao: 'com o Astolfo' });
  await trainer.api.post('/transactions', {
    tipo: 'despesa',
    descricao: 'pneu da Wandréia',
    valor: 100,
    metodo_pagamento: 'pix',
    data: '2026-01-05',
  });
  const pupil = await studentAccount(server, trainer, student.id, 'Wandréia Xistovski');
  await pupil.client.resetPasswordForEmail(trainer.email);
  await nextMail(trainer.email);
  await exportOf(trainer);
  // As the monthly mail of the seal: to the trainer, who is no person of the tenant.
  const [{ id: mailed }] = (await own.query<{ id: string }>(
    `insert into mails (id, tenant_id, kind, subject_id, done_at, outcome)
     values (gen_random_uuid(), $1, 'seal', gen_random_uuid(), now(), 'sent') returning id`,
    [trainer.tenantId],
  )) as [{ id: string }];
  await writeFile(path.join(mailFolder(), `${mailed}.txt`), `Para: ${trainer.email}`);
  // A mail that is being sent would be missing in the database but present as a file.
  await followed(own);
  const before = await figures(own);
  const socket = await connectSocket(server, trainer);
  const ended = new Promise((resolve) => socket.once('disconnect', resolve));
  expect((await trainer.api.get<DeletionPreview>('/account/deletion')).body).toEqual({
    senha: true,
    segundo_fator: false,
    negocios: [{ tenant_id: trainer.tenantId, alunos: 2 }],
    personais: [],
  });

  await deleteAs(trainer);

  expect(await ended).toBe('io server disconnect');
  expect((await trainer.api.request('GET', '/api/v1/me')).status).toBe(401);
  const refreshed = await new Client(server.url).request('POST', '/auth/v1/token?grant_type=refresh_token', {
    body: { refresh_token: trainer.refreshToken },
  });
  expect(refreshed.status).toBe(400);
  expect((await signIn(server.url, trainer)).error?.code).toBe('invalid_credentials');
  await gone(own);
  await followed(own);
  expect((await pupil.api.get<Me>('/me')).body.memberships).toEqual([]);

  const words = [
    'Zoroastra',
    'Quintanilha',
    '97777-6655',
    '977776655',
    '52998224725',
    trainer.email,
    'Xilofone',
    'pneu',
    'Eufrosina',
    'Hermenegildo',
    'Astolfo',
  ];
  const places = async () =>
    new Map([...(await textOf(own)), ...(await textOfMails(mailFolder())), ['log', server.output()]]);
  // The student's own account remains.
  const others = new Set(['auth.users', 'sample of auth.users.user_metadata']);
  const found = (now: Map<string, string>) =>
    find([...secrets, ...words], now).filter((place) => !others.has(place));
  const after = await places();
  expect(found(after)).toEqual([]);
  expect(find(words, after)).toEqual([]);
  expect(await own.query('select from tenants union all select from memberships')).toEqual([]);
  expect(await own.query('select from person_keys where wrapped_key is not null')).toEqual([]);
  expect(await figures(own)).toEqual(before);
  expect(await runCli(own, ['audit:verify'])).toEqual({ code: 0, output: '1 tenant íntegro.\n' });
  const live = await snapshot(own);
  await rebuild(own);
  expect(await snapshot(own)).toEqual(live);
  expect(found(await places())).toEqual([]);

  const again = await signUp(server, { ...told, email: trainer.email });
  expect((await again.api.get<Me>('/me')).body.membership).toMatchObject({ slug: 'zoroastra-quintanilha' });
});

it("deleting a student's account removes it from every trainer and as every student, whose trainers keep their own records", async () => {
  const [one, two] = [await signUp(app), await signUp(app)];
  const nome = 'Wandréia Xistovski';
  const trainers = [one, two, two];
  const ids: string[] = [];
  for (const { api } of trainers)
    ids.push((await api.post('/students', { nome, telefone: '11943214321' })).body.id);
  const account = await studentAccount(app, one, ids[0]!, nome);
  for (const id of ids.slice(1)) {
    const { body } = await two.api.post<{ inviteUrl: string }>(`/students/${id}/invites`);
    await two.api.get(`/students/${id}/access`);
    await account.api.post('/invites/accept', { token: body.inviteUrl.split('/').at(-1)! });
  }
  expect((await account.api.get<DeletionPreview>('/account/deletion')).body).toMatchObject({
    negocios: [],
    personais: [
      { nome: 'Ana Personal', alunos: [nome] },
      { nome: 'Ana Personal', alunos: [nome, nome] },
    ],
  });
  // Where it is interrupted after one student, the other one of the same trainer is still known.
  const interrupted: CommandContext = {
    ...nobodyOf(two.tenantId, 'America/Sao_Paulo', 'request'),
    userId: account.userId,
    role: 'aluno',
    studentId: ids[1]!,
  };
  await app.nest.get(CommandBus).execute(new LeaveTenant(interrupted));
  expect(
    await database.query('select student_id from memberships where user_id = $1 order by created_at', [
      account.userId,
    ]),
  ).toEqual([{ student_id: ids[0] }, { student_id: ids[2] }]);

  await deleteAs({ api: account.api, password: account.person.password });
  await gone();

  expect(await exists(account)).toBe(false);
  for (const [n, { api }] of trainers.entries()) {
    const id = ids[n]!;
    await eventually(async () => (await api.get<StudentAccess>(`/students/${id}/access`)).body.conta, null);
    expect((await api.get<Student>(`/students/${id}`)).body).toMatchObject({ nome, esquecido: false });
  }
  expect((await studentAccount(app, one, ids[0]!, nome)).userId).not.toBe(account.userId);
});

it('a trainer who is also a student leaves both tenants, and one with another trainer continues', async () => {
  const [other, partner] = [await signUp(app), await signUp(app)];
  const trainer = await signUp(app);
  const { id } = (await other.api.post('/students', { nome: 'Ana', telefone: '11943214321' })).body;
  const { body } = await other.api.post<{ inviteUrl: string }>(`/students/${id}/invites`);
  await other.api.get(`/students/${id}/access`);
  await trainer.api.post('/invites/accept', { token: body.inviteUrl.split('/').at(-1)! });
  await database.query("insert into memberships (tenant_id, user_id, role) values ($1, $2, 'personal')", [
    partner.tenantId,
    trainer.userId,
  ]);

  await deleteAs(trainer);
  await gone();

  expect(await database.query('select from memberships where user_id = $1', [trainer.userId])).toEqual([]);
  expect(
    await database.query('select tenant_id from closed_tenants where tenant_id = any($1)', [
      [trainer.tenantId, other.tenantId, partner.tenantId],
    ]),
  ).toEqual([{ tenant_id: trainer.tenantId }]);
  for (const { api } of [other, partner])
    await api.post('/students', { nome: 'Bia', telefone: '11943214321' });
});

describe('a deletion needs proof:', () => {
  it('the password, and the typed confirmation word', async () => {
    const trainer = await signUp(app);
    const { api, password } = trainer;
    expect(await refusedField(api, {})).toEqual([422, 'account.proof_refused', '/senha']);
    expect(await refusedField(api, { senha: 'outra-senha' })).toEqual([
      422,
      'account.proof_refused',
      '/senha',
    ]);
    expect(await refusedField(api, { senha: password, confirmacao: 'sim' })).toEqual([
      400,
      'validation',
      '/confirmacao',
    ]);
    expect(await exists(trainer)).toBe(true);
    expect((await api.get<Me>('/me')).status).toBe(200);
    expect(await readFile(list, 'utf8')).not.toContain(trainer.userId);
    await deleteAs(trainer);
    expect(await exists(trainer)).toBe(false);
    expect((await readFile(list, 'utf8')).split(trainer.userId)).toHaveLength(2);
  });

  it('a mailed code instead of the password, valid once', async () => {
    const trainer = await signUp(app);
    const client = browser(app.url);
    await client.signInWithPassword(trainer);
    await client.reauthenticate();
    const { code } = await nextMail(trainer.email);
    const wrong = code === '000000' ? '111111' : '000000';
    expect(await refusedField(trainer.api, { codigo_email: wrong })).toEqual([
      422,
      'account.proof_refused',
      '/codigo_email',
    ]);
    // Without a membership, only the end of the session can close the socket.
    await database.query('delete from memberships where user_id = $1', [trainer.userId]);
    const socket = await connectSocket(app, trainer);
    const ended = new Promise((resolve) => socket.once('disconnect', resolve));
    expect((await ask(trainer.api, { confirmacao, codigo_email: code })).status).toBe(200);
    expect(await exists(trainer)).toBe(false);
    expect(await ended).toBe('io server disconnect');
    const tokens = await database.query('select from auth.mail_tokens where owner_id = $1', [trainer.userId]);
    expect(tokens).toEqual([]);
  });

  it('also a code of the second factor, if there is one', async () => {
    const trainer = await signUp(app);
    const client = browser(app.url);
    await client.signInWithPassword(trainer);
    const { data } = await client.mfa.enroll({ factorType: 'totp', friendlyName: 'Celular' });
    const shown = (steps: number) =>
      new TOTP({ secret: Secret.fromBase32(data!.totp.secret) }).generate({
        timestamp: Date.now() + steps * 30_000,
      });
    const used = shown(0);
    const verified = await client.mfa.challengeAndVerify({ factorId: data!.id, code: used });
    const api = speaker(app, verified.data!.access_token);
    const senha = trainer.password;
    expect((await ask(trainer.api, { confirmacao, senha })).status).toBe(401);
    const refused = [422, 'account.proof_refused', '/codigo_app'];
    expect(await refusedField(api, { senha })).toEqual(refused);
    expect(await refusedField(api, { senha, codigo_app: used })).toEqual(refused);
    expect(await refusedField(api, { codigo_app: shown(1) })).toEqual([
      422,
      'account.proof_refused',
      '/senha',
    ]);
    expect(await exists(trainer)).toBe(true);
    expect((await ask(api, { confirmacao, senha, codigo_app: shown(1) })).status).toBe(200);
    expect(await exists(trainer)).toBe(false);
  });

  it('with a limited number of attempts', async () => {
    const { api } = await signUp(app);
    const answers = [];
    for (let n = 0; n < 21; n += 1) answers.push((await ask(api, { confirmacao, senha: 'errada' })).status);
    expect(answers).toEqual([...Array<number>(20).fill(422), 429]);

    const { person, session } = await protectedPerson(app.url);
    const proof = { confirmacao, senha: person.password, codigo_app: '000000' };
    const codes = [];
    for (let n = 0; n < 11; n += 1) codes.push((await ask(speaker(app, session.access_token), proof)).status);
    expect(codes).toEqual([...Array<number>(10).fill(422), 429]);
  });

  it('that is still valid when the account is deleted', async () => {
    const trainer = await signUp(app);
    const change = await connect(database.environment.DATABASE_URL);
    await change.query('begin');
    await change.query("update auth.users set password_hash = 'another' where id = $1", [trainer.userId]);
    const late = refusedField(trainer.api, { senha: trainer.password });
    const waiting = () =>
      database.query(
        `select from pg_stat_activity where datname = current_database()
           and wait_event_type = 'Lock' and query like 'select email from auth.users%'`,
      );
    await eventually(async () => (await waiting()).length, 1);

    await change.query('commit');

    expect(await late).toEqual([422, 'account.proof_refused', '/senha']);
    expect(await exists(trainer)).toBe(true);
  });
});

it('two concurrent deletions delete once', async () => {
  const trainer = await signUp(app);
  const body = { confirmacao, senha: trainer.password };
  const answers = await Promise.all([1, 2, 3].map(() => ask(trainer.api, body)));
  for (const { status } of answers) expect([200, 401]).toContain(status);
  expect(answers.map(({ status }) => status)).toContain(200);
  await gone();
  expect(
    await database.query("select from events where tenant_id = $1 and type = 'TenantClosed'", [
      trainer.tenantId,
    ]),
  ).toHaveLength(1);
  expect((await ask(trainer.api, body)).status).toBe(401);
});

it('nothing is deleted if the list of forgotten people cannot be written', async () => {
  const trainer = await signUp(app);
  await rm(list, { force: true });
  await mkdir(list);
  const body = { confirmacao, senha: trainer.password };
  expect((await ask(trainer.api, body)).status).toBe(503);
  expect((await trainer.api.get<Me>('/me')).body.memberships).toHaveLength(1);
  await rm(list, { recursive: true });
  expect((await ask(trainer.api, body)).status).toBe(200);
  expect(await readFile(list, 'utf8')).toContain(trainer.userId);
});

it('an invite that waits while the account is deleted makes no membership, and stays open', async () => {
  const [trainer, person] = [await signUp(app), await signUp(app)];
  const { id } = (await trainer.api.post('/students', { nome: 'Bia Lima', telefone: '11943214321' })).body;
  const { body } = await trainer.api.post<NewInvite>(`/students/${id}/invites`);
  const token = body.inviteUrl.split('/').at(-1)!;
  const holder = await connect(database.adminUrl);
  await holder.query('begin');
  await holder.query('select from tenant_log where tenant_id = $1 for update', [trainer.tenantId]);
  const accepting = person.api.request('POST', '/api/v1/invites/accept', { body: { token } });
  await eventually(async () => {
    const waiting = `select from pg_locks join pg_stat_activity using (pid)
        where not granted and datname = current_database()`;
    return (await database.query(waiting)).length > 0;
  }, true);
  await deleteAs(person);
  await gone();
  await holder.query('rollback');
  expect((await accepting).status).toBe(401);
  const members = 'select from memberships where user_id = $1';
  expect(await database.query(members, [person.userId])).toEqual([]);
  const { convite, conta } = (await trainer.api.get<StudentAccess>(`/students/${id}/access`)).body;
  expect([convite?.inviteUrl, conta]).toEqual([body.inviteUrl, null]);
});

it('a deletion that was interrupted is finished by the next process, and nothing is recorded in a closed tenant', async () => {
  const own = await createDatabase();
  const api = await startApp({ database: own, roles: 'api', env: { FORGOTTEN_FILE: list } });
  const trainer = await signUp(api);
  for (let n = 0; n < 110; n += 1)
    await trainer.api.post('/students', { nome: `Aluna ${n}`, telefone: '11943214321' });
  await deleteAs(trainer);
  expect((await signIn(api.url, trainer)).error?.code).toBe('invalid_credentials');
  const { tenantId, userId } = trainer;
  const context = {
    tenantId,
    userId,
    role: 'personal' as const,
    studentId: null,
    timezone: 'America/Sao_Paulo',
    requestId: 'test-request',
    device: null,
    idempotency: null,
  };
  const commands = api.nest.get(CommandBus);
  const { answer } = await commands.execute(new LeaveTenant(context));
  expect(answer.is_over).toBe(false);
  const keys = () => own.query('select from person_keys where wrapped_key is not null');
  expect(await keys()).toHaveLength(10);

  const worker = await startApp({ database: own, roles: 'worker', env: { FORGOTTEN_FILE: list } });
  await gone(own);
  expect(await keys()).toEqual([]);
  await caughtUp(own);
  expect(await own.query('select from read.students where nome is not null')).toEqual([]);
  const last = () => own.query('select position::int, type from events order by position desc limit 1');
  const closed = await last();
  expect(closed).toMatchObject([{ type: 'TenantClosed' }]);
  const fields = { nome: 'Tarde Demais', telefone: '+5511943214321', whatsapp: null, email: null };
  await expect(
    commands.execute(new RegisterStudent(context, { ...fields, plano_id: null, observacoes: null })),
  ).rejects.toMatchObject({ code: 'not_found' });
  await expect(commands.execute(new LeaveTenant(context))).rejects.toMatchObject({ code: 'not_found' });
  expect(await last()).toEqual(closed);
  await worker.close();
});
