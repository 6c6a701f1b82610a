import type { Guard } from '../../platform/event-store/guard.js';
import type { ChargeEvent } from './charge.js';

type LinkEvent = Extract<ChargeEvent, { type: 'ChargeIssued' | 'ChargeLinkReplaced' }>;

/** The current payment link of each charge, by the hash of its token. */
export const chargeLinks: Guard = {
  name: 'charge-links',
  tables: ['charge_links'],
  events: ['ChargeIssued', 'ChargeLinkReplaced'] satisfies LinkEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as LinkEvent;
    switch (type) {
      case 'ChargeIssued':
      case 'ChargeLinkReplaced':
        return [
          {
            text: 'delete from charge_links where tenant_id = $1 and charge_id = $2',
            values: [tenantId, data.charge_id],
          },
          {
            text: `insert into charge_links (tenant_id, id, charge_id, token_hash)
              values ($1, $2, $3, decode($4, 'hex'))`,
            values: [tenantId, data.link_id, data.charge_id, data.token_hash],
          },
        ];
    }
  },
  violations: {},
};
