import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import { startApp } from '../support/app.js';
import { createDatabase, type TestDatabase } from '../support/database.js';
import { describeWithRedis } from '../support/needs.js';
import { signUp, type Trainer } from '../support/people.js';
import { startProcess } from '../support/process.js';
import { redis } from '../support/redis.js';
import { rounds } from '../support/rounds.js';
import { caughtUp, rebuild, snapshot } from './read-tables.js';

const TENANTS = rounds(8, 16);
const WRITERS = 8;
const ROUNDS = rounds(3, 20);
/** How many workers must have been killed before the writers may stop. */
const KILLS = rounds(1, 12);
/** After so many, workers are left alone: on a slow machine, starting new ones would leave no time for anything else. */
const MOST_KILLS = rounds(2, 30);

/** The latest name of each student of one tenant. */
type Names = Map<string, string>;

async function write(trainer: Trainer, names: Names, round: number): Promise<void> {
  const nome = `Aluno ${round}`;
  const { body } = await trainer.api.post('/students', { nome, telefone: '(11) 98765-4321' });
  names.set(body.id, nome);
  await trainer.api.post(`/students/${body.id}/credits/adjust`, { quantidade: 3, motivo: `ajuste ${round}` });
  for (let change = 1; change <= 3; change += 1) {
    names.set(body.id, `${nome}, mudança ${change}`);
    await trainer.api.patch(`/students/${body.id}`, { nome: names.get(body.id) });
  }
  await trainer.api.post(`/students/${body.id}/credits/consume`, { motivo: `uso ${round}` });
}

/** Number of killed workers, and whether the writers have stopped. */
interface Killing {
  kills: number;
  isOver: boolean;
}

/** Keeps two workers running and repeatedly kills a random one, at most until the writers have stopped. */
async function killWorkers(
  database: TestDatabase,
  redisUrl: string | undefined,
  killing: Killing,
): Promise<void> {
  const start = () => startProcess({ database, redisUrl, roles: 'worker' });
  const workers = await Promise.all([start(), start()]);
  while (!killing.isOver && killing.kills < MOST_KILLS) {
    await delay(randomInt(50, 400));
    const index = randomInt(2);
    await workers[index]!.end('SIGKILL');
    killing.kills += 1;
    workers[index] = await start();
  }
}

/** Runs 8 writers on 16 tenants while workers are killed; then expects that every event was projected once, in order. */
async function prove(redisUrl?: string): Promise<void> {
  const database = await createDatabase();
  const app = await startApp({ database, redisUrl, roles: 'api' });
  const trainers: { trainer: Trainer; names: Names }[] = [];
  for (let n = 0; n < TENANTS; n += 1) trainers.push({ trainer: await signUp(app), names: new Map() });

  const killing: Killing = { kills: 0, isOver: false };
  const killed = killWorkers(database, redisUrl, killing);
  let rounds = 0;
  try {
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        for (let round = 0; round < ROUNDS || killing.kills < KILLS; round += 1) {
          const { trainer, names } = trainers[randomInt(TENANTS)]!;
          await write(trainer, names, round);
          rounds += 1;
        }
      }),
    );
    await rebuild(database);
    await caughtUp(database);
  } finally {
    killing.isOver = true;
    await killed;
  }

  const [counts] = await database.query<{ events: number; projected: number; distinct: number }>(
    `select (select count(*)::int from events where type in ('CreditsAdjusted', 'CreditConsumed')) as events,
       (select count(*)::int from read.credit_entries) as projected,
       (select count(distinct (tenant_id, position))::int from read.credit_entries) as distinct`,
  );
  expect(counts!.events).toBe(2 * rounds);
  expect(counts).toEqual({ events: counts!.events, projected: counts!.events, distinct: counts!.events });

  const names = await database.query<{ id: string; nome: string }>('select id, nome from read.students');
  expect(new Map(names.map(({ id, nome }) => [id, nome]))).toEqual(
    new Map(trainers.flatMap(({ names: given }) => [...given])),
  );

  const live = await snapshot(database);
  await rebuild(database);
  expect(await snapshot(database)).toEqual(live);
}

it('projects every event exactly once, in order, while workers are killed, on the Postgres backend', async () => {
  await prove();
});

describeWithRedis('On Redis', () => {
  it('projects every event exactly once, in order, while workers are killed', async () => {
    const { url } = await redis();
    await prove(url);
  });
});
