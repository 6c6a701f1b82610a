import { beforeAll, it } from '@jest/globals';
import { caughtUp } from '../proof/read-tables.js';
import type { TestDatabase } from '../support/database.js';
import { projectedSoFar } from './harness/signs-of-life.js';
import { openStage, type Stage } from './harness/stage.js';
import { openWire, type Statement, type Wire } from './harness/wire.js';

/** A database whose Postgres ends an idle transaction after three seconds instead of fifteen. */
const impatient = (database: TestDatabase): TestDatabase => {
  const address = new URL(database.environment.DATABASE_PROJECTOR_URL);
  address.searchParams.set('idle_in_transaction_session_timeout', '3000');
  return { ...database, environment: { ...database.environment, DATABASE_PROJECTOR_URL: address.href } };
};

/** The first of these follows the reads of a batch: all writes of a batch, and its commit, are sent together. */
const isWrite = ({ sql, index }: Statement) =>
  index > 0 && /^(insert|update|delete|with batch)/.test(sql) && !sql.includes('reaction');

let stage: Stage;
let wire: Wire;

beforeAll(async () => {
  stage = await openStage({ apis: 1, workers: 0 });
  wire = await openWire(stage.database);
  stage.workers.push(await stage.start('worker', { database: impatient(wire.database) }));
});

it('a worker that freezes in the middle of a batch is replaced, and does no harm when it thaws', async () => {
  const [frozen] = stage.workers;
  await stage.underLoad(async (load) => {
    await load.acknowledged(30);
    const held = await wire.hold('before', isWrite);
    process.kill(frozen!.pid, 'SIGSTOP');
    stage.workers.push(await stage.start('worker'));
    // Another worker can take over the claimed tenants only after Postgres has ended the frozen worker's transaction.
    await projectedSoFar(stage.database);
    held.release();
    process.kill(frozen!.pid, 'SIGCONT');
    await load.acknowledged(30);
  });
});

it('a worker that freezes while it sends a batch is replaced as well', async () => {
  const [thawed] = stage.workers;
  // Between statements of one round trip, Postgres counts no idle time, so only the transaction's own limit ends it.
  await stage.database.query("alter role rende_projector set transaction_timeout = '5s'");
  await stage.workers.pop()!.end('SIGKILL');
  const frozen = await stage.start('worker', { database: wire.database });
  stage.workers[0] = frozen;
  await thawed!.end('SIGKILL');
  await stage.underLoad(async (load) => {
    await load.acknowledged(30);
    const held = await wire.hold('behind', isWrite);
    process.kill(frozen.pid, 'SIGSTOP');
    stage.workers.push(await stage.start('worker'));
    await projectedSoFar(stage.database);
    held.release();
    process.kill(frozen.pid, 'SIGCONT');
    await load.acknowledged(30);
  });
});

it('the thawed worker works on alone', async () => {
  await stage.workers.pop()!.end('SIGKILL');
  await stage.underLoad(async (load) => {
    await load.acknowledged(30);
    await projectedSoFar(stage.database);
  });
  await caughtUp(stage.database);
});
