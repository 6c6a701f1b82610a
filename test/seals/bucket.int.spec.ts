import { rm } from 'node:fs/promises';
import path from 'node:path';
import { addDays } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import type { Integrity } from '../../backend/modules/seals/seals.api.js';
import { IntegrityChecks, integrityChecksDue } from '../../backend/modules/seals/integrity-checks.service.js';
import { SealFiles } from '../../backend/modules/seals/seal-files.service.js';
import { SealsJob, sealsDue } from '../../backend/modules/seals/seals.job.js';
import { startApp, type TestApp } from '../support/app.js';
import { runCli } from '../support/cli.js';
import { SetClock } from '../support/clock.js';
import { type TestDatabase, testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { mailFolder } from '../support/mail.js';
import { signUp, type Trainer } from '../support/people.js';
import { s3Server } from '../support/s3-server.js';

const folder = path.join(mailFolder(), 'seals');
const clock = new SetClock(new Date());
let database: TestDatabase;
let s3: Awaited<ReturnType<typeof s3Server>>;
let app: TestApp;
let trainer: Trainer;

beforeAll(async () => {
  database = await testDatabase();
  s3 = await s3Server();
  app = await startApp({ database, clock, byHand: [sealsDue, integrityChecksDue], env: s3.env });
  app.nest.get(SealsJob).mostAheadMs = Infinity;
  trainer = await signUp(app);
  await sealOneMoreDay();
});

const files = () => app.nest.get(SealFiles);
const verify = () => runCli(database, ['seals:verify'], s3.env);

async function sealOneMoreDay(): Promise<void> {
  clock.at = addDays(clock.at, 1);
  await app.nest.get(SealsJob).run();
}

async function resultOf({ api }: Trainer) {
  const { body } = await api.post('/integrity/checks');
  const check = async () =>
    (await api.get<Integrity>('/integrity')).body.verificacoes.find(({ id }) => id === body.id);
  await eventually(async () => (await check())?.concluida_em !== null, true);
  return (await check())!.resultado!;
}

it('a check and the command compare the copy that the job has made', async () => {
  expect(await resultOf(trainer)).toMatchObject({ situacao: 'integro', copia_externa: 'conferida' });
  const { code, output } = await verify();
  expect([code, output]).toEqual([
    0,
    expect.stringContaining(`Cópia externa conferida: ${s3.env.SEALS_BUCKET}`),
  ]);
  s3.objects.set([...s3.objects.keys()][0]!, Buffer.from('x'));
  expect(await resultOf(trainer)).toMatchObject({
    situacao: 'alterado',
    achados: [expect.stringMatching(/^O lacre de .* é outro na cópia externa\.$/)],
  });
  expect((await verify()).code).toBe(1);
  s3.objects.clear();
});

it('days are sealed while the bucket is away, and copied when it is back; until then checks say so', async () => {
  s3.flaws = { status: 503 };
  const before = (await files().days()).length;
  await sealOneMoreDay();
  expect(await files().days()).toHaveLength(before + 1);
  expect(await resultOf(trainer)).toMatchObject({ situacao: 'integro', copia_externa: 'sem_resposta' });
  const { code, output } = await verify();
  expect([code, output]).toEqual([
    1,
    expect.stringContaining('A cópia externa não foi conferida: the bucket answered 503'),
  ]);
  s3.flaws = {};
  await app.nest.get(SealsJob).run();
  expect(s3.objects.size).toBe(before + 1);
});

it('one comparison serves all checks that were waiting for it', async () => {
  const checks = app.nest.get(IntegrityChecks);
  const others = await Promise.all([signUp(app), signUp(app)]);
  const lists = () => s3.requests.filter((each) => each.includes('list-type')).length;
  // As if the jobs had been lost.
  for (const { tenantId } of [trainer, ...others])
    await database.query('insert into integrity_checks (tenant_id, id) values ($1, gen_random_uuid())', [
      tenantId,
    ]);
  s3.requests.length = 0;
  await checks.run();
  expect(lists()).toBe(1);
  expect(await resultOf(trainer)).toMatchObject({ copia_externa: 'conferida' });
  expect(lists()).toBe(2);
});

it('a folder that was lost with the rows of the newest seals comes back as it was, and the chain goes on', async () => {
  await sealOneMoreDay();
  const days = await files().days();
  for (const day of days) await rm(path.join(folder, `${day}.seal`));
  await database.query('delete from seals where day >= $1', [days.at(-2)]);
  await sealOneMoreDay();
  expect((await files().days()).slice(0, -1)).toEqual(days);
  expect(await resultOf(trainer)).toMatchObject({ situacao: 'integro', copia_externa: 'conferida' });
});
