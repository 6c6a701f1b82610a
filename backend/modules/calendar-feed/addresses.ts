import { Problem } from '../../platform/http/problem.js';

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

/** The address that is to be in force again; null where it is. @throws Problem 404 for one that never was */
export function formerAddress<Kept extends Address>(
  { current, former }: Addresses<Kept>,
  id: string,
): Kept | null {
  if (current?.feed_id === id) return null;
  const address = former.find(({ feed_id }) => feed_id === id);
  if (!address) throw new Problem('calendar_feed.not_found');
  return address;
}
