import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns';
import { beforeAll, expect, it } from '@jest/globals';
import { recordADay } from '../proof/day.js';
import { caughtUp } from '../proof/read-tables.js';
import type { TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { signUp } from '../support/people.js';
import { rounds } from '../support/rounds.js';
import { projectedSoFar } from './harness/signs-of-life.js';
import { openStage, type Stage } from './harness/stage.js';
import { openWire, type Statement, type Wire } from './harness/wire.js';

const SESSIONS = 12;
const TRAINERS = rounds(2, 4);
/** At how many statements of a batch workers are killed, besides the last one. */
const PLACES = rounds(1, 12);
/** How many workers are killed one after the other at the same place. */
const KILLS = rounds(1, 2);

/** A database whose Postgres ends an idle transaction after three seconds instead of fifteen. */
const impatient = (database: TestDatabase): TestDatabase => {
  const address = new URL(database.environment.DATABASE_PROJECTOR_URL);
  address.searchParams.set('idle_in_transaction_session_timeout', '3000');
  return { ...database, environment: { ...database.environment, DATABASE_PROJECTOR_URL: address.href } };
};

/** The first of these follows the reads of a batch: all writes of a batch, and its commit, are sent together. */
const isWrite = ({ sql, index }: Statement) =>
  index > 0 && /^(insert|update|delete|with batch)/.test(sql) && !sql.includes('reaction');

const isMove = ({ sql }: Statement) => sql.startsWith('update projection_checkpoint');

let stage: Stage;
/** That of the worker that freezes. */
let wire: Wire;

/** A time zone in which it is now evening, so that tomorrow's reminders are due. */
function eveningZone(): string {
  const ahead = (20 - new Date().getUTCHours() + 24) % 24;
  return ahead <= 12 ? `Etc/GMT-${ahead}` : `Etc/GMT+${24 - ahead}`;
}

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
});

it('workers killed before and after writing a reminder leave one reminder and one mail for each session', async () => {
  const trainer = await signUp(stage.apis[0]!);
  const zone = eveningZone();
  await stage.database.query('update tenants set timezone = $2 where tenant_id = $1', [
    trainer.tenantId,
    zone,
  ]);
  const midnight = new TZDate(addDays(new TZDate(new Date(), zone), 1), zone);
  midnight.setHours(0, 0, 0, 0);
  const at = (hour: number) => new Date(midnight.getTime() + hour * 3_600_000).toISOString();
  for (let hour = 6; hour < 6 + SESSIONS; hour += 1) {
    // One address gets few mails a day.
    const { body: student } = await trainer.api.post('/students', {
      nome: 'Ana',
      telefone: '11943214321',
      email: `ana${hour}@exemplo.com.br`,
    });
    await trainer.api.post('/sessions', {
      student_id: student.id,
      inicio: at(hour),
      fim: at(hour + 1),
      permitir_conflito: true,
    });
  }

  const count = async (sql: string) =>
    (
      await stage.database.query<{ n: number }>(`select count(*)::int as n from ${sql}`, [trainer.tenantId])
    )[0]!.n;
  const prepared = () => count(`events where tenant_id = $1 and type = 'ReminderPrepared'`);
  const mails = () => count(`mails where tenant_id = $1 and kind = 'reminders.session'`);
  const isPreparation = ({ sql }: { sql: string }) => sql.includes('into reminder_tokens');
  const isMail = ({ sql }: { sql: string }) => sql.startsWith('insert into mails');

  for (const [place, matches] of [
    ['after', isPreparation],
    ['before', isMail],
  ] as const) {
    // The jobs of a killed worker count as running for a while: delete them; schedules without a job are written again.
    await stage.database.query(`delete from bullmq.job where queue in ('schedules', 'reactions')`);
    const wire = await openWire(stage.database);
    const held = wire.hold(place, matches);
    const worker = await stage.start('worker', { database: wire.database, becomesReady: false });
    await held;
    await worker.end('SIGKILL');
  }
  expect(await mails()).toBe(0);
  await stage.database.query(`delete from bullmq.job where queue in ('schedules', 'reactions')`);
  stage.workers.push(await stage.start('worker'));
  await eventually(mails, SESSIONS);
  expect(await prepared()).toBe(SESSIONS);
  expect(await count(`read.reminders where tenant_id = $1`)).toBe(SESSIONS);
  expect(await mails()).toBe(SESSIONS);
});

it('workers killed at any statement of a batch, one after the other, leave it to the next one, which projects every event once', async () => {
  await stage.workers.pop()!.end('SIGTERM');
  const wire = await openWire(stage.database);
  await liveDays();
  await forgetJobs();
  // The batch with sessions, because tenants that only signed up have little to project.
  const transaction = wire.transaction(({ sql }) => sql.includes('into sessions'));
  const worker = await stage.start('worker', { database: wire.database });
  const batch = await transaction;
  await eventually(behind, 0);
  await worker.end('SIGTERM');

  await liveDays();
  const events = await behind();
  expect(batch.length).toBeGreaterThan(20);
  for (let place = 1; place <= PLACES; place += 1)
    await killBefore(Math.floor((place * batch.length) / (PLACES + 1)));
  for (let turn = 0; turn < 2; turn += 1) await killBefore(batch.length - 1);
  expect(await behind()).toBe(events);

  stage.workers.push(await stage.start('worker'));
  await eventually(behind, 0);
});

// The check of its end is also that of the two tests before it.
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

/** Freezes a worker at a write of a batch, starts another one, and lets the first go on once the other has projected everything. */
const replaceFrozen = (frozen: { pid: number }, place: Parameters<Wire['hold']>[0]) =>
  stage.underLoad(async (load) => {
    await load.acknowledged(30);
    const held = await wire.hold(place, isWrite);
    process.kill(frozen.pid, 'SIGSTOP');
    stage.workers.push(await stage.start('worker'));
    // Another worker can take over the claimed tenants only after Postgres has ended the frozen worker's transaction.
    await projectedSoFar(stage.database);
    held.release();
    process.kill(frozen.pid, 'SIGCONT');
    await load.acknowledged(30);
  });

it('a worker that freezes in the middle of a batch is replaced, and does no harm when it thaws', async () => {
  await stage.workers.pop()!.end('SIGTERM');
  wire = await openWire(stage.database);
  const frozen = await stage.start('worker', { database: impatient(wire.database) });
  stage.workers.push(frozen);
  await replaceFrozen(frozen, 'before');
});

it('a worker that freezes while it sends a batch is replaced as well', async () => {
  const [thawed] = stage.workers;
  // Between statements of one round trip, Postgres counts no idle time, so only the transaction's own limit ends it.
  await stage.database.query("alter role rende_projector set transaction_timeout = '5s'");
  await stage.workers.pop()!.end('SIGKILL');
  const frozen = await stage.start('worker', { database: wire.database });
  stage.workers[0] = frozen;
  await thawed!.end('SIGKILL');
  await replaceFrozen(frozen, 'behind');
});

it('the thawed worker works on alone', async () => {
  await stage.workers.pop()!.end('SIGKILL');
  await stage.underLoad(async (load) => {
    await load.acknowledged(30);
    await projectedSoFar(stage.database);
  });
  await caughtUp(stage.database);
});
