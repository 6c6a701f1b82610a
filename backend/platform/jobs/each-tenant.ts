import { TZDate } from '@date-fns/tz';
import type { Database } from '../database/database.js';
import { eachAlone } from './each-alone.js';

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
