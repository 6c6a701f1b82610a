import { beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../support/eventually.js';
import { startProcess } from '../support/process.js';
import { describeWithDisk, type SmallDisk, smallDisk } from './harness/small-disk.js';
import { openStage, type Stage } from './harness/stage.js';

const MEGABYTES = 320;

let disk: SmallDisk;
let stage: Stage;

/** What was answered to each try so far, in order. */
const statuses = () => stage.history.commands.flatMap(({ attempts }) => attempts.map(({ status }) => status));

/** Resolves when so many more tries were answered 503. */
async function refusedMore(count: number): Promise<void> {
  const refused = () => statuses().filter((status) => status === 503).length;
  const end = refused() + count;
  await eventually(() => Promise.resolve(refused() >= end), true);
}

const isUp = () =>
  stage.database.query('select 1').then(
    () => true,
    () => false,
  );

/** Postgres goes on by itself, unless it had to stop: what it cannot note, it cannot do. */
async function freed(): Promise<void> {
  await disk.free();
  if (!(await isUp())) await stage.database.restart();
}

describeWithDisk('a full disk', () => {
  beforeAll(async () => {
    disk = smallDisk(MEGABYTES);
    stage = await openStage({ postgres: { parent: disk.folder } });
  }, 60_000);

  it('has commands refused with 503 while reads go on, and is forgotten once there is space', async () => {
    await stage.underLoad(async (load) => {
      await load.acknowledged(30);
      await disk.fill();
      await refusedMore(50);
      if (await isUp()) {
        for (const { api } of stage.trainers)
          expect((await api.request('GET', '/api/v1/students')).status).toBe(200);
      }
      await freed();
      await load.acknowledged(50);
    });
  }, 60_000);

  it('that ends Postgres, which cannot note what it does, loses nothing that was acknowledged', async () => {
    await stage.underLoad(async (load) => {
      await load.acknowledged(30);
      await disk.fill();
      const notes = `select pg_logical_emit_message(false, 'fault', repeat('x', 1000000)) from generate_series(1, 200)`;
      await expect(stage.database.query(notes)).rejects.toThrow();
      await refusedMore(20);
      await freed();
      await load.acknowledged(50);
    });
  }, 60_000);

  it('leaves the process alone whose log it takes no more of', async () => {
    const api = await startProcess({
      database: stage.database,
      roles: 'api',
      log: '/dev/full',
      env: { LOG_LEVEL: 'trace' },
    });
    stage.apis.push(api);
    await stage.underLoad((load) => load.acknowledged(30));
    expect(await api.end('SIGTERM')).toBe(0);
    stage.apis.pop();
  }, 60_000);
});
