import { randomUUID } from 'node:crypto';
import type { INestApplication } from '@nestjs/common';
import { EventStore } from '../../backend/platform/event-store/event-store.js';
import { ReadYourWrites } from '../../backend/platform/http/read-your-writes.js';
import type { TestDatabase } from '../support/database.js';
import { eventually } from '../support/eventually.js';
import { addToTally, contextOf } from './platform.js';
import { AddToTally, tallied, tally } from './tally.js';

/** Functions that add to tallies with `app`, and read the resulting rows from the read tables of `database`. */
export function talliesOf(app: INestApplication, database: TestDatabase) {
  const total = async (
    table: 'tallies' | 'tally_sums' | 'tally_counts',
    tenantId: string,
  ): Promise<number | undefined> => {
    const found = await database.query<{ total: number }>(
      `select sum(total)::int as total from read.${table} where tenant_id = $1`,
      [tenantId],
    );
    return found[0]?.total;
  };

  const parked = (tenantId: string) =>
    database.query<{ projection: string; position: number; parked_error: string }>(
      "select projection, position::int, parked_error from projection_checkpoint where tenant_id = $1 and projection <> 'shared'",
      [tenantId],
    );

  const add = async (tenantId: string, tallyId: string, amount: number): Promise<void> => {
    const { position } = await addToTally(app, new AddToTally(contextOf(tenantId), tallyId, amount));
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
  };

  /** Records `count` events in one command, with amounts that count up from `first`. */
  const addMany = async (tenantId: string, count: number, first = 1): Promise<void> => {
    const [command, tallyId] = [{ context: contextOf(tenantId) }, randomUUID()];
    const { position } = await app.get(EventStore).transact(command, (tx) => {
      const amounts = Array.from({ length: count }, (_, n) => first + n);
      tx.append(
        tally,
        tallyId,
        amounts.map((amount) => tallied(new AddToTally(command.context, tallyId, amount))),
      );
      return { id: tallyId };
    });
    await eventually(() => app.get(ReadYourWrites).wait(tenantId, position), true);
  };

  return { total, parked, add, addMany };
}
