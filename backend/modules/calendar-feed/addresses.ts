import { Problem } from '../../platform/http/problem.js';
import type { FormerFeed } from './calendar-feed.api.js';

/** `token_hash` is the SHA-256 of the address's token, in hexadecimal: the token itself is never kept. */
export interface Address {
  feed_id: string;
  token_hash: string;
}

/** The secret address of a calendar, and those that it had before. */
export interface Addresses<Kept extends Address = Address> {
  /** In force; null while there is none. */
  current: Kept | null;
  /** The newest last. */
  former: readonly Kept[];
}

/** Former addresses that can be brought back. */
const REMEMBERED = 20;

/** `next` is in force from now on, or none. */
export function replaced<Kept extends Address>(
  { current, former }: Addresses<Kept>,
  next: Kept | null,
): Addresses<Kept> {
  const before = current ? [...former, current].slice(-REMEMBERED) : former;
  return { current: next, former: before.filter(({ feed_id }) => feed_id !== next?.feed_id) };
}

/**
 * The address that is to be in force again; null where it is. @throws Problem 404 for one that never was, 409 where another one
 * than `no_lugar_de` is in force
 */
export function formerAddress<Kept extends Address>(
  state: Addresses<Kept>,
  { id, no_lugar_de }: FormerFeed,
): Kept | null {
  const { current, former } = state;
  if (current?.feed_id === id) return null;
  const address = former.find(({ feed_id }) => feed_id === id);
  if (!address) throw new Problem('calendar_feed.not_found');
  if (no_lugar_de !== undefined) refuseOther(state, no_lugar_de);
  return address;
}

/** @throws Problem 409 where another address is in force than the one that was seen, or none */
export function refuseOther({ current }: Addresses, seen: string | null): void {
  if ((current?.feed_id ?? null) !== seen)
    throw new Problem('calendar_feed.changed', {
      detail: 'O link do calendário mudou em outra janela. Confira como está agora.',
    });
}
