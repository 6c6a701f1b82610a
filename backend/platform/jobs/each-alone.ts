import { Logger } from '@nestjs/common';
import { describeError } from '../ops/logger.js';
import { isOutOfReach } from '../projections/projection-failure.js';

const logger = new Logger('EachAlone');

/** What failed, each of which is logged already. */
class SomeFailed extends AggregateError {}

/**
 * Does a job's work for one after the other: one that fails is logged and leaves the others alone. Then the job fails too, so
 * that it is counted and tried again. Where the database is out of reach, nothing else is tried.
 */
export async function eachAlone<Item>(
  items: readonly Item[],
  idsOf: (item: Item) => Record<string, string>,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (isOutOfReach(error)) throw error;
      if (!(error instanceof SomeFailed))
        logger.error({ msg: 'work of a job failed', ...idsOf(item), err: describeError(error) });
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new SomeFailed(failures, `${failures.length} of ${items.length} failed`);
}
