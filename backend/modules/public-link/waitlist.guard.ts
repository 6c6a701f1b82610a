import type { Guard } from '../../platform/event-store/guard.js';
import type { WaitingEvent } from './waiting.js';

/** Entries in order, times held by offers, and private links by the hash of their token. */
export const waitlistGuard: Guard = {
  name: 'waitlist',
  tables: ['waitlist_links', 'waitlist_entries', 'waitlist_offers'],
  events: [
    'WaitlistJoined',
    'WaitlistOffered',
    'WaitlistOfferSent',
    'WaitlistOfferEnded',
    'WaitlistBooked',
    'WaitlistLeft',
  ] satisfies WaitingEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as WaitingEvent;
    const values = [tenantId, data.wait_id];
    const offerEnds = { text: 'delete from waitlist_offers where tenant_id = $1 and wait_id = $2', values };
    switch (type) {
      case 'WaitlistJoined':
        return [
          {
            text: `insert into waitlist_links (tenant_id, id, token_hash) values ($1, $2, decode($3, 'hex'))`,
            values: [...values, data.token_hash],
          },
          {
            text: 'insert into waitlist_entries (tenant_id, wait_id, em) values ($1, $2, $3)',
            values: [...values, data.em],
          },
        ];
      case 'WaitlistOffered':
        return [
          {
            text: 'insert into waitlist_offers (tenant_id, wait_id, inicio, fim, ate) values ($1, $2, $3, $4, $5)',
            values: [...values, data.inicio, data.fim, data.ate],
          },
        ];
      case 'WaitlistOfferSent':
        if (data.ate === undefined) return [];
        return [
          {
            text: 'update waitlist_offers set ate = $3 where tenant_id = $1 and wait_id = $2',
            values: [...values, data.ate],
          },
        ];
      case 'WaitlistOfferEnded':
        return [offerEnds];
      case 'WaitlistBooked':
      case 'WaitlistLeft':
        return [
          offerEnds,
          { text: 'delete from waitlist_entries where tenant_id = $1 and wait_id = $2', values },
        ];
      case 'WaitlistOfferNotMailed':
      case 'WaitlistOfferUnsent':
      case 'WaitlistSkipped':
      case 'WaitlistUnskipped':
        return [];
    }
  },
  violations: {},
};
