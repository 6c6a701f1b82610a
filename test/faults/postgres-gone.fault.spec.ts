import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { rounds } from '../support/rounds.js';
import { heardLive } from './harness/signs-of-life.js';
import { openStage, type Stage } from './harness/stage.js';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage({ apis: 1, workers: 1 });
});

const states = (path: string) =>
  Promise.all(
    [...stage.apis, ...stage.workers].map(async ({ opsUrl }) => (await fetch(`${opsUrl}${path}`)).status),
  );
const all = (status: number) =>
  Array.from({ length: stage.apis.length + stage.workers.length }, () => status);

it('connections that are cut one by one cause no loss', async () => {
  await stage.underLoad(async (load) => {
    for (let turn = 0; turn < rounds(4, 12); turn += 1) {
      const cut = await stage.database.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where application_name like 'rende-%' order by state = 'idle', random() limit 4`,
      );
      expect(cut.length).toBeGreaterThan(0);
      await load.acknowledged(10);
    }
  });
});

it('a killed backend, which makes Postgres drop every connection and recover, causes no loss', async () => {
  await stage.underLoad(async (load) => {
    for (let turn = 0; turn < rounds(1, 3); turn += 1) {
      const [backend] = await stage.database.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name = 'rende-app' order by state = 'idle' limit 1`,
      );
      process.kill(backend!.pid, 'SIGKILL');
      await load.acknowledged(40);
    }
  });
});

it('without Postgres every answer is 503 with Retry-After, and everything works again when it is back', async () => {
  const { history, database, trainers, apis } = stage;
  const answers = () => history.commands.flatMap(({ attempts }) => attempts.filter(({ status }) => status));
  for (let turn = 0; turn < rounds(1, 2); turn += 1) {
    await stage.underLoad(async (load) => {
      await load.acknowledged(30);
      await database.crash();
      const before = answers().length;
      await eventually(() => Promise.resolve(answers().length > before + 60), true);
      const [last] = answers().slice(-1);
      expect(last).toMatchObject({ status: 503, body: { code: 'busy' } });
      expect(await states('/health/live')).toEqual(all(200));
      expect(await states('/health/ready')).toEqual(all(503));
      await database.restart();
      await load.acknowledged(30);
    });
    await eventually(() => states('/health/ready'), all(200));
    for (const api of apis) await heardLive(api, trainers[0]!, history);
  }
  const unanswered = history.commands.flatMap(({ attempts }) => attempts.filter(({ status }) => !status));
  expect(unanswered).toEqual([]);
});
