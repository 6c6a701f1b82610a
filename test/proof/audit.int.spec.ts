import { expect, it } from '@jest/globals';
import { AppModule } from '../../backend/app.module.js';
import { readConfig } from '../../backend/platform/config/env.js';
import { createPool } from '../../backend/platform/database/pools.js';
import { Audit } from '../../backend/platform/event-store/audit.js';
import { EventCodec } from '../../backend/platform/event-store/event-codec.js';
import { GuardRebuild } from '../../backend/platform/event-store/guard-rebuild.js';
import { PersonalData } from '../../backend/platform/event-store/personal-data.js';
import { featuresOf } from '../../backend/platform/features.js';
import { sharedApp } from '../support/shared.js';
import { atEnd } from '../support/cleanup.js';
import { testDatabase } from '../support/database.js';
import { environmentFor } from '../support/environment.js';
import { signUp, type Trainer } from '../support/people.js';
import { liveADay } from './day.js';

const features = featuresOf(AppModule);

const database = await testDatabase();
const app = await sharedApp();
const pool = createPool(database.environment.DATABASE_OWNER_URL, {
  max: 1,
  searchPath: 'public,read',
  applicationName: 'test',
});
const owner = await pool.connect();
atEnd(async () => {
  owner.release();
  await pool.end();
});

const codec = () => new EventCodec(features, new PersonalData(readConfig(environmentFor(database))));
const guards = () => new GuardRebuild(features, codec());
const verify = async ({ tenantId }: Trainer) =>
  (await new Audit(guards(), codec()).verify(owner, [tenantId])).map(({ position, message }) => ({
    position,
    message,
  }));

/** Changes the log as only a superuser can. */
async function tamper(text: string, values: unknown[]): Promise<void> {
  await database.query(`alter table events disable trigger user`);
  await database.query(text, values);
  await database.query(`alter table events enable trigger user`);
}

async function trainerAfterADay(): Promise<Trainer> {
  const trainer = await signUp(app);
  await liveADay(trainer.api);
  expect(await verify(trainer)).toEqual([]);
  return trainer;
}

/** For the tests that repair what they break. */
const trainer = await trainerAfterADay();

it('finds one flipped byte', async () => {
  const second = 'where tenant_id = $1 and position = 2';
  const [before] = await database.query<{ data: object }>(`select data from events ${second}`, [
    trainer.tenantId,
  ]);
  await tamper(`update events set data = data || '{"valor": 48001}' ${second}`, [trainer.tenantId]);
  expect(await verify(trainer)).toEqual([{ position: 2, message: 'o evento não confere com o seu hash' }]);
  await tamper(`update events set data = $2 ${second}`, [trainer.tenantId, before!.data]);
  expect(await verify(trainer)).toEqual([]);
});

it('finds one deleted event', async () => {
  const other = await trainerAfterADay();
  await tamper('delete from events where tenant_id = $1 and position = 3', [other.tenantId]);
  expect(await verify(other)).toMatchObject([{ message: 'falta o evento da posição 3' }]);
});

it('finds the last event deleted', async () => {
  const other = await trainerAfterADay();
  await tamper(
    'delete from events where tenant_id = $1 and position = (select max(position) from events where tenant_id = $1)',
    [other.tenantId],
  );
  expect(await verify(other)).toMatchObject([{ message: expect.stringMatching(/^o log vai até/) }]);
});

it('finds a wrong snapshot, and rewriting the guards repairs it', async () => {
  const student = { nome: 'Ana Clara', telefone: '(11) 98765-4321' };
  const { id } = (await trainer.api.post('/students', student)).body;
  for (let turn = 0; turn < 10; turn += 1)
    await trainer.api.post(`/students/${id}/credits/adjust`, { quantidade: 1, motivo: 'Cortesia' });
  expect(await verify(trainer)).toEqual([]);
  await database.query(
    `update snapshots set state = jsonb_set(state, '{lots,0,remaining}', '2') where tenant_id = $1`,
    [trainer.tenantId],
  );
  expect(await verify(trainer)).toMatchObject([{ message: expect.stringContaining(`credit-account:${id}`) }]);
  await guards().rebuild(owner, trainer.tenantId);
  expect(await verify(trainer)).toEqual([]);
});

it.each([
  ['credit_lots', 'update credit_lots set remaining = remaining + 1 where tenant_id = $1'],
  [
    'session_slots',
    `update session_slots set during = tstzrange(lower(during), upper(during) + interval '1 minute') where tenant_id = $1`,
  ],
])('finds a wrong row of %s, and rewriting the guards repairs it', async (table, text) => {
  await database.query(text, [trainer.tenantId]);
  expect(await verify(trainer)).toMatchObject([{ message: expect.stringContaining(table) }]);
  await guards().rebuild(owner, trainer.tenantId);
  expect(await verify(trainer)).toEqual([]);
});
