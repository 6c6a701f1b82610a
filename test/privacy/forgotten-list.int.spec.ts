import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, expect, it } from '@jest/globals';
import type { Student } from '../../backend/modules/students/students.api.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { ForgottenList } from '../../backend/platform/event-store/forgotten-list.js';
import { startApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { connect, testDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';

let ana: string;

const adminUrl = () => (JSON.parse(process.env.RENDE_TEST_SERVER!) as { adminUrl: string }).adminUrl;
const forget = (key?: string) =>
  trainer.api.request<{ code?: string }>('POST', `/api/v1/students/${ana}/forget`, { idempotencyKey: key });
const listed = async () =>
  (await readFile(list, 'utf8')).split('\n').filter((line) => line.includes(ana) && line.endsWith('}}'))
    .length;
const read = async () => (await trainer.api.get<Student>(`/students/${ana}`)).body;

const folder = await mkdtemp(path.join(tmpdir(), 'rende-forgotten-'));
atEnd(() => rm(folder, { recursive: true }));
const list = path.join(folder, 'forgotten');
const database = await testDatabase();
const app = await startApp({ env: { FORGOTTEN_FILE: list } });
const trainer = await signUp(app);

beforeEach(async () => {
  ana = (await trainer.api.post('/students', { nome: 'Ana Souza', telefone: '11943214321' })).body.id;
});

it('the forgetting is in the list before it is in the database, so that a crash between the two loses none', async () => {
  const other = await connect(Object.assign(new URL(adminUrl()), { pathname: database.name }).href);
  await other.query('begin');
  await other.query('select from person_keys where person_id = $1 for update', [ana]);
  const answer = forget();
  await eventually(listed, 1);
  expect(await database.query(`select from events where type = 'PersonForgotten'`)).toEqual([]);
  await other.query('rollback');
  expect((await answer).status).toBe(200);
  expect(await listed()).toBe(1);
});

it('nobody is forgotten if the list cannot be written, and a retry succeeds', async () => {
  await rm(list);
  await mkdir(list);
  const key = 'the-same-key';
  expect(await forget(key)).toMatchObject({ status: 503, body: { code: 'busy' } });
  expect(await read()).toMatchObject({ nome: 'Ana Souza', esquecido: false });
  await rm(list, { recursive: true });
  expect(await forget(key)).toMatchObject({ status: 200 });
  expect(await read()).toMatchObject({ nome: 'Aluno apagado' });
  expect(await listed()).toBe(1);
});

it('a line that a full disk cut off does not damage the next one', async () => {
  await writeFile(list, '\n{"at":"2026-01-01T00:0');
  expect(await forget()).toMatchObject({ status: 200 });
  expect(await listed()).toBe(1);
});

it('an invalid list is refused at its first invalid line', async () => {
  const other = path.join(path.dirname(list), 'other');
  const config = readConfig(environmentFor(database, { FORGOTTEN_FILE: other }));
  const [whole] = (await readFile(list, 'utf8')).split('\n').filter((line) => line.endsWith('}}'));
  await writeFile(other, `\n${whole}\n\n{"at":"2026-01-01T0\n`);
  expect(await new ForgottenList(config).read()).toEqual([JSON.parse(whole!)]);
  await writeFile(other, `\n${whole}\n{"personId":"x"}\n`);
  await expect(new ForgottenList(config).read()).rejects.toThrow(
    /^A linha 3 de .* não é de uma lista de dados apagados\.$/,
  );
});

it('a refused forgetting is not in the list, one that was done is there once', async () => {
  const key = 'another-key';
  await forget(key);
  await forget(key);
  await forget();
  expect(await listed()).toBe(1);
  const stranger = await signUp(app);
  expect((await stranger.api.request('POST', `/api/v1/students/${ana}/forget`)).status).toBe(404);
  expect(await listed()).toBe(1);
});

it('the server does not start if the list cannot be written', async () => {
  await expect(startApp({ env: { FORGOTTEN_FILE: path.join(list, 'forgotten') } })).rejects.toThrow(
    /^FORGOTTEN_FILE: não foi possível gravar em .* \((ENOTDIR|EEXIST)\)\.$/,
  );
});
