import { Logger } from '@nestjs/common';
import { describeError } from '../ops/logger.js';
import { isOutOfReach } from '../projections/projection-failure.js';
import { TZDate } from '@date-fns/tz';
import type { Database } from '../database/database.js';

const logger = new Logger('EachAlone');

/** The failures of several items, each of which was logged. */
class SomeFailed extends AggregateError {}

/**
 * Runs a job's work for each item in turn. An item that fails is logged and does not stop the others; at the end the job fails,
 * so that it is counted and retried. If the database cannot be reached, the remaining items are skipped.
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

interface DueTenants {
  /** Selects `tenant_id` and `timezone`. */
  select: string;
  values: unknown[];
}

/** Runs a job's work for each of these tenants, as `eachAlone` does. */
export async function eachTenant(
  database: Database,
  { select, values }: DueTenants,
  work: (tenantId: string, timezone: string) => Promise<unknown>,
): Promise<void> {
  const tenants = await database.lookUp<{ tenant_id: string; timezone: string }>(select, values);
  await eachAlone(
    tenants,
    ({ tenant_id: tenantId }) => ({ tenantId }),
    ({ tenant_id, timezone }) => work(tenant_id, timezone),
  );
}

/** The same, for tenants in whose zone it is an hour at which mails are sent that nobody waits for. */
export const eachTenantByDay = (
  database: Database,
  now: Date,
  due: DueTenants,
  work: (tenantId: string, timezone: string) => Promise<unknown>,
): Promise<void> =>
  eachTenant(database, due, async (tenantId, timezone) => {
    const hour = new TZDate(now, timezone).getHours();
    if (hour >= 9 && hour < 20) await work(tenantId, timezone);
  });
