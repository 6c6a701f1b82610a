import { Problem } from '../../platform/http/problem.js';
import type { FormerFeed } from './calendar-links.api.js';

/** `token_hash` is the SHA-256 of the address's token, in hexadecimal; the token itself is never stored. */
export interface Address {
  feed_id: string;
  token_hash: string;
}

/** The current and former secret addresses of a calendar. */
export interface Addresses<Kept extends Address = Address> {
  /** The current address; null if there is none. */
  current: Kept | null;
  /** Former addresses, newest last. */
  former: readonly Kept[];
}

/** How many former addresses can be restored. */
const REMEMBERED = 20;

export function replaced<Kept extends Address>(
  { current, former }: Addresses<Kept>,
  next: Kept | null,
): Addresses<Kept> {
  const before = current ? [...former, current].slice(-REMEMBERED) : former;
  return { current: next, former: before.filter(({ feed_id }) => feed_id !== next?.feed_id) };
}

/**
 * The address that is to become the current one: null for none, undefined if nothing changes.
 * @throws Problem 404 for an unknown address, 409 if the current one is not `no_lugar_de`
 */
export function formerAddress<Kept extends Address>(
  state: Addresses<Kept>,
  { id, no_lugar_de }: FormerFeed,
): Kept | null | undefined {
  const { current, former } = state;
  if ((current?.feed_id ?? null) === id) return undefined;
  const address = id === null ? null : former.find(({ feed_id }) => feed_id === id);
  if (address === undefined) throw new Problem('calendar_feed.not_found');
  if (no_lugar_de !== undefined) refuseOther(state, no_lugar_de);
  return address;
}

/** @throws Problem 409 if the current address is not the one that was shown */
export function refuseOther({ current }: Addresses, seen: string | null): void {
  if ((current?.feed_id ?? null) !== seen)
    throw new Problem('calendar_feed.changed', {
      detail: 'O link do calendário mudou em outra janela. Confira como está agora.',
    });
}
