import type { Guard } from '../../platform/event-store/guard.js';
import type { TenantEvent } from './tenant.js';

type ClosingEvent = Extract<TenantEvent['type'], 'TenantClosed'>;

/** Closed tenants. Commands check this table under the tenant's lock and record no event in a closed tenant. */
export const closedTenants: Guard = {
  name: 'closed-tenants',
  tables: ['closed_tenants'],
  events: ['TenantClosed'] satisfies ClosingEvent[],
  statements({ tenantId, type }) {
    switch (type as ClosingEvent) {
      case 'TenantClosed':
        return [{ text: 'insert into closed_tenants (tenant_id) values ($1)', values: [tenantId] }];
    }
  },
  violations: {},
};
