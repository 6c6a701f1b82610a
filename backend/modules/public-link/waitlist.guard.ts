import { defineGuard, type Write } from '../../platform/event-store/guard.js';
import type { WaitingEvent } from './waiting.js';

type OfOne = { wait_id: string };
const endOffer = ({ wait_id }: OfOne): Write => [
  'delete from waitlist_offers where tenant_id = $1 and wait_id = $2',
  wait_id,
];
const leave = (data: OfOne): Write[] => [
  endOffer(data),
  ['delete from waitlist_entries where tenant_id = $1 and wait_id = $2', data.wait_id],
];

/** Entries in order, times held by offers, and private links by the hash of their token. */
export const waitlistGuard = defineGuard<WaitingEvent>({
  name: 'waitlist',
  tables: ['waitlist_links', 'waitlist_entries', 'waitlist_offers'],
  writes: {
    WaitlistJoined: ({ wait_id, token_hash, em }) => [
      [
        `insert into waitlist_links (tenant_id, id, token_hash) values ($1, $2, decode($3, 'hex'))`,
        wait_id,
        token_hash,
      ],
      ['insert into waitlist_entries (tenant_id, wait_id, em) values ($1, $2, $3)', wait_id, em],
    ],
    WaitlistOffered: ({ wait_id, inicio, fim, ate }) => [
      [
        'insert into waitlist_offers (tenant_id, wait_id, inicio, fim, ate) values ($1, $2, $3, $4, $5)',
        wait_id,
        inicio,
        fim,
        ate,
      ],
    ],
    WaitlistOfferSent: ({ wait_id, ate }) =>
      ate === undefined
        ? []
        : [['update waitlist_offers set ate = $3 where tenant_id = $1 and wait_id = $2', wait_id, ate]],
    WaitlistOfferEnded: (data) => [endOffer(data)],
    WaitlistBooked: leave,
    WaitlistLeft: leave,
  },
});
