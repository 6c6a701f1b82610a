import { beforeAll, expect, it } from '@jest/globals';
import { recordADay } from '../proof/day.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { openStage, type Stage } from './harness/stage.js';
import { openWire, type Statement, type Wire } from './harness/wire.js';

const TRAINERS = 4;
/** At how many statements of a batch workers are killed, besides the last one. */
const PLACES = rounds(1, 12);
/** How many workers are killed one after the other at the same place. */
const KILLS = rounds(1, 2);

const isMove = ({ sql }: Statement) => sql.startsWith('update projection_checkpoint');

let stage: Stage;
/** The statements of a worker's first batch, in order. */
let batch: string[];

/** Creates trainers who each recorded a day with all kinds of events. */
async function liveDays(): Promise<void> {
  for (let n = 0; n < TRAINERS; n += 1) await recordADay((await signUp(stage.apis[0]!)).api);
}

const behind = async () =>
  (
    await stage.database.query<{ events: number }>(
      `select sum(l.position - c.position)::int as events from tenant_log l join projection_checkpoint c using (tenant_id)
       where c.projection = 'shared'`,
    )
  )[0]!.events;

/** Deletes the jobs, so that the sweep of the next worker projects all tenants in one batch. */
const forgetJobs = () => stage.database.query("delete from bullmq.job where queue = 'projections'");

/** Starts a worker on a wire that stops it at a given statement. */
async function workerHeld(...place: Parameters<Wire['hold']>) {
  await forgetJobs();
  const wire = await openWire(stage.database);
  const held = wire.hold(...place);
  const process = await stage.start('worker', { database: wire.database, becomesReady: false });
  return { process, held: held.then(() => process) };
}

/** Kills a worker before this statement of its first batch. */
async function killBefore(statement: number): Promise<void> {
  const worker = await workerHeld('before', ({ index }) => index === statement);
  await (await worker.held).end('SIGKILL');
}

beforeAll(async () => {
  stage = await openStage({ apis: 1, workers: 0 });
  const wire = await openWire(stage.database);
  await liveDays();
  await forgetJobs();
  // The batch with sessions, because tenants that only signed up have little to project.
  const transaction = wire.transaction(({ sql }) => sql.includes('into sessions'));
  const worker = await stage.start('worker', { database: wire.database });
  batch = await transaction;
  await eventually(behind, 0);
  await worker.end('SIGTERM');
});

it('workers killed at any statement of a batch, one after the other, leave it to the next one, which projects every event once', async () => {
  await liveDays();
  const events = await behind();
  expect(batch.length).toBeGreaterThan(20);
  for (let place = 1; place <= PLACES; place += 1)
    await killBefore(Math.floor((place * batch.length) / (PLACES + 1)));
  for (let turn = 0; turn < 2; turn += 1) await killBefore(batch.length - 1);
  expect(await behind()).toBe(events);

  stage.workers.push(await stage.start('worker'));
  await stage.check();
});

it('batches of workers killed after the commit and before its answer are not projected again', async () => {
  await stage.workers.pop()!.end('SIGTERM');
  for (let turn = 0; turn < KILLS; turn += 1) {
    await liveDays();
    const events = await behind();
    // The commit is sent together with the statement before it. The batch has the first tenants that the worker learned of.
    const worker = await workerHeld('after', isMove);
    await worker.held;
    await eventually(async () => (await behind()) < events, true);
    await worker.process.end('SIGKILL');
  }
  stage.workers.push(await stage.start('worker'));
  await stage.underLoad((load) => load.acknowledged(50));
});
