import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { SealsJob, sealsDue } from '../../backend/modules/seals/seals.job.js';
import { startApp } from '../support/app.js';
import { atEnd } from '../support/cleanup.js';
import { runCli } from '../support/cli.js';
import { testDatabase } from '../support/database.js';
import { startProcess } from '../support/process.js';
import { openWire } from './harness/wire.js';

it('a worker killed between the file of a seal and its row leaves one seal, which the next one notes', async () => {
  const database = await testDatabase();
  const folder = await mkdtemp(path.join(tmpdir(), 'rende-seals-'));
  atEnd(() => rm(folder, { recursive: true }));
  const env = { SEALS_FOLDER: folder };
  const noted = async () =>
    (await database.query<{ day: string }>('select day::text from seals')).map(({ day }) => day);

  const wire = await openWire(database);
  const held = wire.hold('before', ({ sql }) => sql.startsWith('insert into seals'));
  const worker = await startProcess({ database: wire.database, roles: 'worker', becomesReady: false, env });
  await held;
  await worker.end('SIGKILL');
  const [name, ...others] = await readdir(folder);
  expect([others, await noted()]).toEqual([[], []]);
  const content = await readFile(path.join(folder, name!), 'utf8');

  const app = await startApp({ database, byHand: [sealsDue], env });
  await app.nest.get(SealsJob).run();
  expect(await noted()).toEqual([name!.slice(0, 10)]);
  expect(await readdir(folder)).toEqual([name]);
  expect(await readFile(path.join(folder, name!), 'utf8')).toBe(content);
  expect(await runCli(database, ['seals:verify'], env)).toMatchObject({ code: 0 });
});
