import { expect, it } from 'vitest';
import type { Aggregate, DomainEvent } from '../../backend/platform/event-store/aggregate.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { FeatureRegistry } from '../../backend/platform/features.js';
import { contextOf } from '../platform/platform.js';
import { studentWithALife } from '../privacy/life.js';
import { startApp, type TestApp } from '../support/app.js';
import { testDatabase } from '../support/database.js';
import { signUp } from '../support/people.js';
import { liveADay } from './day.js';

/** Every stream of the tenant as a command that runs in this process finds it. */
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

it('what a process remembers after a life is what the log folds to', async () => {
  const [app, fresh] = [await startApp(), await startApp()];
  const { api, tenantId } = await signUp(app);
  const day = await liveADay(api);
  const { id } = await studentWithALife(api);
  const remembered = await streamsAt(app, tenantId);
  expect(remembered.size).toBeGreaterThan(15);
  expect(remembered).toEqual(await streamsAt(fresh, tenantId));

  await api.patch(`/students/${day.studentId}`, { observacoes: 'Ombro' });
  await api.post(`/students/${id}/forget`);
  const forgotten = await streamsAt(app, tenantId);
  expect(JSON.stringify([...forgotten])).not.toMatch(/Wandr|98765/);
  expect(forgotten).toEqual(await streamsAt(fresh, tenantId));
});
