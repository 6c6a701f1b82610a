import { isIPv4, isIPv6 } from 'node:net';

/** An address as one caller: an IPv6 customer owns a whole /64. A connection that is gone has none. */
export function addressKey(address: string | undefined): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain;
}

/** The network of an address: the /48 that an IPv6 customer may have, and an IPv4 address itself. */
export function networkKey(address: string | undefined): string {
  const plain = plainAddress(address);
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 3).join(':')}::/48` : plain;
}

/** What may be kept of an address: IPv4 with a last part of 0, IPv6 to its /48; null for what is no address. */
export function anonymousAddress(address: string | undefined): string | null {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return plain.replace(/\d+$/, '0');
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 3).join(':')}::` : null;
}

/** IPv4 also where a socket for both kinds shows it inside IPv6, and without the zone of a link. */
function plainAddress(address = ''): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address.split('%', 1)[0]!;
}

/** The eight groups, without leading zeros. */
function groupsOf(address: string): string[] {
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros =
    tail === undefined ? [] : Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0');
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16).toString(16));
}
