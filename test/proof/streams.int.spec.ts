import { expect, it } from '@jest/globals';
import { creditAccount } from '../../backend/modules/credits/credit-account.js';
import type { Aggregate, DomainEvent } from '../../backend/platform/event-store/aggregate.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { LOOK_UP } from '../../backend/platform/event-store/stream-reader.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import { contextOf } from '../platform/platform.js';
import { studentWithALife } from '../privacy/life.js';
import type { TestApp } from '../support/app.js';
import { liveADay } from './day.js';
import { sharedApp } from '../support/shared.js';
import { testDatabase } from '../support/database.js';
import { rowsRead } from '../support/plan.js';
import { signUp } from '../support/people.js';

/** The state of every stream of the tenant, as a command loads it. */
async function streamsAt({ nest }: TestApp, tenantId: string): Promise<Map<string, unknown>> {
  const { aggregates } = nest.get(FeatureRegistry).all;
  const streams = await (
    await testDatabase()
  ).query<{ stream_id: string }>('select distinct stream_id from events where tenant_id = $1', [tenantId]);
  class LookAtAll {
    readonly context = contextOf(tenantId);
  }
  const found = new Map<string, unknown>();
  await nest.get(EventStore).transact(new LookAtAll(), async (tx) => {
    for (const { stream_id } of streams) {
      const [name, id] = stream_id.split(':');
      const aggregate = aggregates.find((each) => each.name === name);
      found.set(stream_id, await tx.load(aggregate as Aggregate<unknown, DomainEvent>, id!));
    }
    return {};
  });
  return found;
}

const app = await sharedApp();

it('what a process remembers is what the log says', async () => {
  const { api, tenantId } = await signUp(app);
  await liveADay(api);
  await studentWithALife(api);
  const { memory } = app.nest.get(EventStore);
  const { head, streams } = memory.recall(tenantId)!;
  expect(head.position).toBeGreaterThan(50);
  // A stream without events is remembered as empty.
  const remembered = new Map(
    [...streams].flatMap(([id, { version, state }]) => (version === 0 ? [] : [[id, state] as const])),
  );
  expect(remembered.size).toBeGreaterThan(15);
  memory.forget(tenantId);
  const read = await streamsAt(app, tenantId);
  expect(remembered).toEqual(new Map([...remembered.keys()].map((id) => [id, read.get(id)])));
});

it('no stream that a command loads contains personal data of a forgotten student', async () => {
  const { api, tenantId } = await signUp(app);
  const { id } = await studentWithALife(api);
  const before = await streamsAt(app, tenantId);
  expect(before.size).toBeGreaterThan(10);
  expect(JSON.stringify([...before])).toMatch(/Wandr/);

  await api.post(`/students/${id}/forget`);
  const after = await streamsAt(app, tenantId);
  expect([...after.keys()]).toEqual(expect.arrayContaining([...before.keys()]));
  expect(JSON.stringify([...after])).not.toMatch(/Wandr|98765-?1234/);
});

it('a long account is read from its last snapshot on, and completely if the snapshot is of a newer version', async () => {
  const database = await testDatabase();
  const trainer = await signUp(app);
  const { id } = (await trainer.api.post('/students', { nome: 'Ana Clara', telefone: '(11) 98765-4321' }))
    .body;
  const addOne = async (): Promise<number> => {
    const adjustment = { quantidade: 1, motivo: 'Cortesia' };
    return (await trainer.api.post<{ saldo: number }>(`/students/${id}/credits/adjust`, adjustment)).body
      .saldo;
  };
  const change = (assignment: string) => {
    // So that the next command reads it.
    app.nest.get(EventStore).memory.forget(trainer.tenantId);
    return database.query(`update snapshots set ${assignment} where tenant_id = $1 returning version`, [
      trainer.tenantId,
    ]);
  };

  for (let saldo = 1; saldo <= 11; saldo += 1) expect(await addOne()).toBe(saldo);
  const lookUp = [trainer.tenantId, [`credit-account:${id}`], [creditAccount.fold], []];
  // Two rows: the snapshot and the eleventh event.
  expect(await rowsRead(database, trainer.tenantId, LOOK_UP, lookUp)).toBe(2);

  // Put an impossible balance into the snapshot, which shows whether the snapshot or the log was read.
  expect(await change(`state = jsonb_set(state, '{lots,0,remaining}', '5')`)).toEqual([{ version: 10 }]);
  expect(await addOne()).toBe(12 + 4);
  await change('fold = fold + 1');
  for (let saldo = 13; saldo <= 22; saldo += 1) expect(await addOne()).toBe(saldo);
  expect(await change('fold = fold')).toEqual([{ version: 10 }]);
});
