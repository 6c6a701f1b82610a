import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { INestApplication } from '@nestjs/common';
import { defineLookUp } from '../../backend/platform/event-store/command-transaction.js';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { Problem } from '../../backend/platform/http/problem.js';
import { HintBus, type TenantHints } from '../../backend/platform/realtime/hint-bus.js';
import { openWire } from '../faults/harness/wire.js';
import { testDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, contextOf, forgetTally, openTenant, startPlatform } from './platform.js';
import { AddToTally, createTallyTables, type Tally, tally } from './tally.js';

const database = await testDatabase();
await createTallyTables(database);
const wire = await openWire(database);
/** `one` reaches the database over the wire. */
const [one, other] = [await startPlatform(wire.database), await startPlatform(database)];

const add = (app: INestApplication, tenantId: string, tallyId: string, amount = 1, note?: string) =>
  addToTally(app, new AddToTally(contextOf(tenantId), tallyId, amount, note));

/** Reads the tally with a command that changes nothing. */
async function look(app: INestApplication, tenantId: string, tallyId: string): Promise<Tally> {
  class LookAtTally {
    readonly context = contextOf(tenantId);
  }
  let seen: Tally;
  await app.get(EventStore).transact(new LookAtTally(), async (tx) => {
    seen = await tx.load(tally, tallyId);
    return {};
  });
  return seen!;
}

async function tenantWithTally(): Promise<[tenantId: string, tallyId: string]> {
  const [tenantId, tallyId] = [await openTenant(one), randomUUID()];
  await add(one, tenantId, tallyId);
  return [tenantId, tallyId];
}

/** Whether a process over the wire reads under the lock while it does this. */
async function reads(work: () => Promise<unknown>): Promise<boolean> {
  let hasRead = false;
  void wire.transaction(({ sql }) => sql.includes('lock_log')).then(() => (hasRead = true));
  await work();
  return hasRead;
}

async function notes(tenantId: string): Promise<(string | null)[]> {
  const events = await database.query<{ note: string | null }>(
    "select data->>'note' as note from events where tenant_id = $1 and type = 'Tallied' order by position",
    [tenantId],
  );
  return events.map(({ note }) => note);
}

describe('what a process remembers of a log', () => {
  it('is enough for its next command, until another process has written', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    const addNow = () => add(one, tenantId, tallyId);
    expect([await reads(addNow), await reads(addNow)]).toEqual([false, false]);
    await add(other, tenantId, tallyId);
    expect([await reads(addNow), await reads(addNow)]).toEqual([true, false]);
  });

  it('is not used after a command that forgot a person, or wrote another table', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    await add(one, tenantId, tallyId, 1, 'Ana Maria');
    await forgetTally(one, tenantId, tallyId);
    const addNow = () => add(one, tenantId, tallyId);
    expect([await reads(addNow), await reads(addNow)]).toEqual([true, false]);
    class Close {
      readonly context = contextOf(tenantId);
    }
    // Such as the one that closes a tenant.
    await one.get(EventStore).transact(new Close(), (tx) => {
      tx.inTransaction((query) => query('select', []));
      return {};
    });
    expect(await reads(addNow)).toBe(true);
  });
});

describe('commands of two processes', () => {
  it('that take turns write one log', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    const sums: number[] = [];
    for (const app of [one, one, other, other, one, other, one, one]) {
      const { answer, position } = await add(app, tenantId, tallyId);
      expect(position).toBe(answer.sum);
      sums.push(answer.sum);
    }
    expect(sums).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it('that write at once lose nothing and count nothing twice', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, turn) => add(turn % 2 ? one : other, tenantId, tallyId)),
    );
    const sums = answers.map(({ answer }) => answer.sum).toSorted((a, b) => a - b);
    expect(sums).toEqual(Array.from({ length: 60 }, (_, index) => index + 2));
  });

  it('are refused or accepted by what the other process has written', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    await add(other, tenantId, tallyId, 5);
    expect(await look(one, tenantId, tallyId)).toMatchObject({ sum: 6 });
    await add(other, tenantId, tallyId, -5);
    await expect(add(one, tenantId, tallyId, -4)).rejects.toMatchObject({ code: 'tally.below_zero' });
    expect(await add(one, tenantId, tallyId)).toMatchObject({ answer: { sum: 2 }, position: 4 });
  });

  it('do not wait for one that another process refused before it had read', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    class Refuse {
      readonly context = contextOf(tenantId);
    }
    const refusal = () => {
      throw new Problem('not_found');
    };
    await expect(one.get(EventStore).transact(new Refuse(), refusal)).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await add(other, tenantId, tallyId)).toMatchObject({ position: 2 });
  });

  it('find the log as it was after a guard refused', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    await expect(add(one, tenantId, tallyId, -2)).rejects.toMatchObject({ code: 'tally.below_zero' });
    expect(await add(one, tenantId, tallyId)).toMatchObject({ answer: { sum: 2 }, position: 2 });
  });

  it('read streams and rows at once', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    const limits = defineLookUp<{ remaining: number }, []>(
      'select remaining from tally_limits where tenant_id = $1',
    );
    class Survey {
      readonly context = contextOf(tenantId);
    }
    let seen: unknown;
    await one.get(EventStore).transact(new Survey(), async (tx) => {
      seen = await Promise.all([tx.load(tally, randomUUID()), tx.lookUp(limits)]);
      return {};
    });
    expect(seen).toEqual([tally.initialState, [{ remaining: 1 }]]);
    expect(await look(one, tenantId, tallyId)).toMatchObject({ sum: 1 });
  });

  it('find the streams of their own tenant', async () => {
    const [[mine, tallyId], yours] = [await tenantWithTally(), await openTenant(one)];
    for (let turn = 0; turn < 3; turn += 1) {
      await add(one, mine, tallyId, 1, 'meu');
      await add(one, yours, tallyId, 10, 'seu');
    }
    expect([await look(one, mine, tallyId), await look(one, yours, tallyId)]).toEqual([
      { sum: 4, note: 'meu' },
      { sum: 30, note: 'seu' },
    ]);
    expect(await look(other, mine, tallyId)).toEqual({ sum: 4, note: 'meu' });
  });
});

describe('an Idempotency-Key', () => {
  const idempotency = { key: 'k', scope: 'POST /tallies', bodyHash: 'f'.repeat(64) };
  const addOnce = (app: INestApplication, tenantId: string, tallyId: string, body = idempotency) =>
    addToTally(app, new AddToTally(contextOf(tenantId, body), tallyId, 2));

  it.each(['this process', 'another process'])('that %s has answered has one effect', async (where) => {
    const [tenantId, tallyId] = await tenantWithTally();
    const { events, ...same } = await addOnce(where === 'this process' ? one : other, tenantId, tallyId);
    expect(events).toEqual(['Tallied']);
    const repeated = [await addOnce(one, tenantId, tallyId), await addOnce(one, tenantId, tallyId)];
    expect(repeated).toEqual([same, same]);
    expect(await look(one, tenantId, tallyId)).toMatchObject({ sum: 3 });
    const reused = addOnce(one, tenantId, tallyId, { ...idempotency, bodyHash: '0'.repeat(64) });
    await expect(reused).rejects.toMatchObject({ code: 'idempotency.key_reused' });
  });

  it('answers for a command whose connection broke before its answer came', async () => {
    const [tenantId, tallyId] = await tenantWithTally();
    const held = wire.hold('after', ({ sql }) => sql.includes('record_command'));
    const lost = expect(addOnce(one, tenantId, tallyId)).rejects.toThrow();
    await held;
    // Only that connection, because another broken one must not make a later command fail.
    await database.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and application_name = 'rende-app' order by query_start desc limit 1`,
    );
    await lost;
    expect(await addOnce(one, tenantId, tallyId)).toMatchObject({ answer: { sum: 3 }, position: 2 });
    expect(await add(one, tenantId, tallyId)).toMatchObject({ answer: { sum: 4 }, position: 3 });
  });
});

describe('a forgotten person', () => {
  it.each(['this process', 'another process'])(
    'is not found after %s forgot them, and later data about them is not stored',
    async (where) => {
      const [tenantId, tallyId] = await tenantWithTally();
      await add(one, tenantId, tallyId, 1, 'Ana Maria');
      await forgetTally(where === 'this process' ? one : other, tenantId, tallyId);
      expect(await look(one, tenantId, tallyId)).toEqual({ sum: 2, note: null });
      for (let turn = 0; turn < 2; turn += 1) {
        await add(one, tenantId, tallyId, 1, 'Ana again');
        expect(await look(one, tenantId, tallyId)).toEqual({ sum: 3 + turn, note: null });
      }
      expect(await notes(tenantId)).toEqual([null, expect.stringMatching(/^aes1:/), null, null]);
    },
  );
});

describe('hints of one process', () => {
  const several = (many: number) => ({
    tenantId: randomUUID(),
    position: many,
    topics: new Set(Array.from({ length: many }, (_, n) => `topic-${n}`)),
    students: new Map(Array.from({ length: many }, () => [randomUUID(), new Set(['sessions', 'credits'])])),
    allStudents: new Set(['availability']),
  });

  it.each([1, 100])('reach the other, %i topics and students of a tenant at once', async (many) => {
    const projected = [several(many), { ...several(many), changesLive: true }, several(many)];
    const own: TenantHints[] = [];
    const heard: TenantHints[] = [];
    const isOurs = ({ tenantId }: TenantHints) => projected.some((each) => each.tenantId === tenantId);
    one.get(HintBus).onHints((hints) => isOurs(hints) && own.push(hints));
    other.get(HintBus).onHints((hints) => isOurs(hints) && heard.push(hints));
    one.get(HintBus).projected(projected);
    await eventually(() => Promise.resolve(heard.length), 3);
    expect(heard).toEqual(own);
    expect(own.map(({ changesLive }) => changesLive)).toEqual([false, true, false]);
  });
});
