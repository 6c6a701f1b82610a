import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { snapshot, caughtUp } from '../proof/read-tables.js';
import { startApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { openDatabase } from '../support/opening.js';
import { signUp } from '../support/people.js';
import { startProcess } from '../support/process.js';

const WRONG = /^RENDE_MASTER_KEY não é a chave deste banco: .*\n$/;
const other = { RENDE_MASTER_KEY: randomBytes(32).toString('base64') };

const fingerprints = (database: TestDatabase) => database.query('select fingerprint from master_key');

it('a database is opened with its own master key only, by the server and by every command', async () => {
  const database = await createDatabase();
  const app = await startApp({ database });
  const { api, tenantId } = await signUp(app);
  await api.post('/students', { nome: 'Ana Souza', telefone: '11943214321' });
  await caughtUp(database);
  await app.close();
  const rows = await snapshot(database);

  // The database has no fingerprint yet, like one of an older version: persons' keys show that the master key is wrong.
  expect(await fingerprints(database)).toEqual([]);
  const wrong = { code: 1, output: expect.stringMatching(WRONG) };
  expect(await runCli(database, ['projections:rebuild', 'all'], other)).toEqual(wrong);
  expect(await fingerprints(database)).toEqual([]);
  expect(await runCli(database, ['audit:verify'])).toMatchObject({ code: 0 });
  expect(await fingerprints(database)).toHaveLength(1);

  const commands = [
    ['projections:rebuild', 'all'],
    ['guards:rebuild', tenantId],
    ['audit:verify'],
    ['keys:rotate'],
    ['backup', path.join(tmpdir(), 'rende-never-written.backup')],
  ];
  for (const words of commands) expect(await runCli(database, words, other)).toEqual(wrong);
  await expect(startProcess({ database, env: other })).rejects.toThrow('RENDE_MASTER_KEY não é a chave');
  expect(await snapshot(database)).toEqual(rows);
  await openDatabase(database);
});

it('a rebuild that cannot read the log of a tenant leaves its rows as they were, and fails', async () => {
  const database = await createDatabase();
  const app = await startApp({ database });
  const { api } = await signUp(app);
  await api.post('/students', { nome: 'Ana Souza', telefone: '11943214321' });
  await caughtUp(database);
  await app.close();
  const rows = await snapshot(database);
  expect(await runCli(database, ['audit:verify'])).toMatchObject({ code: 0 });
  await database.query('alter table person_keys disable trigger keys_are_only_destroyed');
  await database.query(`update person_keys set wrapped_key =
    set_byte(wrapped_key, length(wrapped_key) - 1, get_byte(wrapped_key, length(wrapped_key) - 1) # 1)`);

  const { code, output } = await runCli(database, ['projections:rebuild', 'all']);

  expect(output).toContain('students: 1 tenant com falha, para os quais ficam as linhas de antes.\n');
  expect(code).toBe(1);
  expect(await snapshot(database)).toEqual(rows);
});

it('an empty database belongs to the first master key that it is opened with', async () => {
  const database = await createDatabase();
  await openDatabase(database);
  expect((await runCli(database, ['audit:verify'], other)).output).toMatch(WRONG);
});

it('a database without persons and fingerprint recognises its master key by the key that signs tokens', async () => {
  const database = await createDatabase();
  const app = await startApp({ database });
  await signUp(app);
  await app.close();
  await database.query('delete from person_keys');
  expect(await fingerprints(database)).toEqual([]);

  expect((await runCli(database, ['audit:verify'], other)).output).toMatch(WRONG);
  await expect(openDatabase(database, other)).rejects.toThrow('RENDE_MASTER_KEY não é a chave');
  expect(await fingerprints(database)).toEqual([]);
  await openDatabase(database);
  expect(await fingerprints(database)).toHaveLength(1);
});
