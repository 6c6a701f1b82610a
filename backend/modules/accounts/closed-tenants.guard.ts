import type { Guard } from '../../platform/event-store/guard.js';

/** Businesses that are over. Commands look here under the tenant's lock, and record nothing in what is closed. */
export const closedTenants: Guard = {
  name: 'closed-tenants',
  tables: ['closed_tenants'],
  events: ['TenantClosed'],
  statements: ({ tenantId }) => [
    { text: 'insert into closed_tenants (tenant_id) values ($1)', values: [tenantId] },
  ],
  violations: {},
};
