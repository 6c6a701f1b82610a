import { createHash, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { CommandContext } from '../../backend/platform/event-store/context.js';
import { ReadYourWrites } from '../../backend/platform/http/read-your-writes.js';
import { Purges } from '../../backend/platform/jobs/purges.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, contextOf, forgetTally, openTenant, startPlatform } from './platform.js';
import { AddToTally, createTallyTables } from './tally.js';

const database = await testDatabase();
await createTallyTables(database);
const app = await startPlatform(database);

const bodyHash = (body: string) => createHash('sha256').update(body).digest('hex');

async function rows(tenantId: string): Promise<{ total: number; versions: number[]; note: string | null }[]> {
  return database.query(
    'select total::int, versions, note from read.tallies where tenant_id = $1 order by id',
    [tenantId],
  );
}

describe('a command', () => {
  it('appends without gaps and in one order, also for concurrent commands', async () => {
    const tenantId = await openTenant(app);
    const tallyId = randomUUID();
    await Promise.all(
      Array.from({ length: 50 }, () => addToTally(app, new AddToTally(contextOf(tenantId), tallyId, 1))),
    );
    const events = await database.query<{ position: string; version: number }>(
      'select position, version from events where tenant_id = $1 order by position',
      [tenantId],
    );
    const oneToFifty = Array.from({ length: 50 }, (_, index) => index + 1);
    expect(events.map(({ position }) => Number(position))).toEqual(oneToFifty);
    expect(events.map(({ version }) => version)).toEqual(oneToFifty);
  });

  it('has its effect once under one Idempotency-Key, and the same answer', async () => {
    const tenantId = await openTenant(app);
    const tallyId = randomUUID();
    const idempotency = { key: 'k', scope: 'POST /tallies', bodyHash: bodyHash('{}') };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        addToTally(app, new AddToTally(contextOf(tenantId, idempotency), tallyId, 5)),
      ),
    );
    const same = { answer: { id: tallyId, sum: 5 }, position: 1 };
    expect(answers.filter(({ events }) => events)).toEqual([{ ...same, events: ['Tallied'] }]);
    expect(answers.filter(({ events }) => !events)).toEqual(Array.from({ length: 19 }, () => same));
  });

  it('is refused with the key of a command with another body', async () => {
    const tenantId = await openTenant(app);
    const tallyId = randomUUID();
    const idempotency = { key: 'k', scope: 'POST /tallies', bodyHash: bodyHash('{}') };
    await addToTally(app, new AddToTally(contextOf(tenantId, idempotency), tallyId, 5));
    const other = { ...idempotency, bodyHash: bodyHash('{"amount":6}') };
    await expect(
      addToTally(app, new AddToTally(contextOf(tenantId, other), tallyId, 6)),
    ).rejects.toMatchObject({
      code: 'idempotency.key_reused',
    });
  });

  it('is a new command if another user or another route has the same key, or two days have passed', async () => {
    const tenantId = await openTenant(app);
    const tallyId = randomUUID();
    const idempotency = { key: 'k', scope: 'POST /tallies', bodyHash: bodyHash('{}') };
    const context = contextOf(tenantId, idempotency);
    const sum = async (more: Partial<CommandContext>) =>
      (await addToTally(app, new AddToTally({ ...context, ...more }, tallyId, 5))).answer.sum;
    expect(await sum({})).toBe(5);
    expect(await sum({ userId: randomUUID() })).toBe(10);
    expect(await sum({ idempotency: { ...idempotency, scope: 'POST /others' } })).toBe(15);
    const pass = (hours: number) =>
      database.query('update idempotency_keys set recorded_at = recorded_at - make_interval(hours => $1)', [
        hours,
      ]);
    await pass(47);
    expect(await sum({})).toBe(5);
    await pass(2);
    expect(await sum({})).toBe(20);
    expect(await sum({})).toBe(20);
  });

  it('leaves its answer in the database for two days', async () => {
    const [tenantId, tallyId] = [await openTenant(app), randomUUID()];
    for (const [key, hours] of [
      ['old', 49],
      ['young', 47],
    ] as const) {
      const idempotency = { key, scope: 'POST /tallies', bodyHash: bodyHash('{}') };
      await addToTally(app, new AddToTally(contextOf(tenantId, idempotency), tallyId, 5));
      await database.query(
        `update idempotency_keys set recorded_at = recorded_at - make_interval(hours => $2)
         where tenant_id = $1 and key = $3`,
        [tenantId, hours, key],
      );
    }
    await app.get(Purges).run();
    const left = await database.query('select key from idempotency_keys where tenant_id = $1', [tenantId]);
    expect(left).toEqual([{ key: 'young' }]);
  });

  it('that violates a guard is refused and writes nothing', async () => {
    const tenantId = await openTenant(app);
    const tallyId = randomUUID();
    await expect(addToTally(app, new AddToTally(contextOf(tenantId), tallyId, -1))).rejects.toMatchObject({
      code: 'tally.below_zero',
    });
    expect(await database.query('select from events where tenant_id = $1', [tenantId])).toHaveLength(0);
    const { position } = await addToTally(app, new AddToTally(contextOf(tenantId), tallyId, 1));
    expect(position).toBe(1);
  });

  it('of an unknown tenant is refused', async () => {
    await expect(
      addToTally(app, new AddToTally(contextOf(randomUUID()), randomUUID(), 1)),
    ).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  it('is visible to a read that waits for its position', async () => {
    const tenantId = await openTenant(app);
    const { position } = await addToTally(app, new AddToTally(contextOf(tenantId), randomUUID(), 7));
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
    expect(await rows(tenantId)).toMatchObject([{ total: 7, versions: [1] }]);
  });

  it('that is never projected delays a read only for a limited time', async () => {
    const tenantId = await openTenant(app);
    expect(await app.get(ReadYourWrites).wait(tenantId, 99)).toBe(false);
  });
});

describe('personal data', () => {
  it('is encrypted in the log and in clear in the read table', async () => {
    const tenantId = await openTenant(app);
    const { position } = await addToTally(
      app,
      new AddToTally(contextOf(tenantId), randomUUID(), 1, 'Ana Maria'),
    );
    const [event] = await database.query<{ data: { note: string } }>(
      'select data from events where tenant_id = $1',
      [tenantId],
    );
    expect(event!.data.note).toMatch(/^aes1:/);
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
    expect(await rows(tenantId)).toMatchObject([{ note: 'Ana Maria' }]);
  });

  it('of a forgotten person is null, and later data about the person is not stored', async () => {
    const tenantId = await openTenant(app);
    const tallyId = randomUUID();
    await addToTally(app, new AddToTally(contextOf(tenantId), tallyId, 1, 'Ana Maria'));
    await forgetTally(app, tenantId, tallyId);
    const { position, answer } = await addToTally(
      app,
      new AddToTally(contextOf(tenantId), tallyId, 1, 'Ana again'),
    );
    expect(answer.sum).toBe(2);
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
    expect(await rows(tenantId)).toMatchObject([{ total: 2, note: null }]);
    const events = await database.query<{ note: string | null }>(
      "select data->>'note' as note from events where tenant_id = $1 order by position",
      [tenantId],
    );
    expect(events.at(-1)!.note).toBeNull();
  });
});

describe('the log', () => {
  it('refuses updates and deletes', async () => {
    await expect(database.query('update events set type = type')).rejects.toThrow('never changed');
    await expect(database.query('delete from events')).rejects.toThrow('never changed');
    await expect(database.query('truncate events')).rejects.toThrow('never changed');
  });
});
