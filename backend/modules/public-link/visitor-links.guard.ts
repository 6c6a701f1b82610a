import type { Guard } from '../../platform/event-store/guard.js';
import type { VisitEvent } from './visit.js';

/** Finds visitors' private links by the hash of their token. */
export const visitorLinks: Guard = {
  name: 'visitor-links',
  tables: ['visitor_links'],
  events: ['VisitorBooked'] satisfies VisitEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as VisitEvent;
    switch (type) {
      case 'VisitorBooked':
        return [
          {
            text: `insert into visitor_links (tenant_id, id, token_hash) values ($1, $2, decode($3, 'hex'))`,
            values: [tenantId, data.visit_id, data.token_hash],
          },
        ];
      case 'VisitMoved':
      case 'VisitAssigned':
      case 'VisitReassigned':
      case 'VisitLapsed':
      case 'VisitDeclined':
        return [];
    }
  },
  violations: {},
};
