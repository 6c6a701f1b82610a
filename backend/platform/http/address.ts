import { isIPv4, isIPv6 } from 'node:net';

/**
 * The address by which rate limits count a caller: for IPv6 a network, by default its /64, which belongs to one customer. Empty
 * for a closed connection.
 */
export function addressKey(address: string | undefined, bits: 48 | 56 | 64 = 64): string {
  const plain = plainAddress(address);
  if (!isIPv6(plain)) return plain;
  const [one, two, three, four] = groupsOf(plain);
  if (bits === 48) return `${one}:${two}:${three}::/48`;
  const last = bits === 64 ? four : (Number.parseInt(four!, 16) & 0xff00).toString(16);
  return `${one}:${two}:${three}:${last}::/${bits}`;
}

/** The network of an address: an IPv6 /48, the largest prefix that one customer gets, or the IPv4 address itself. */
export const networkKey = (address: string | undefined): string => addressKey(address, 48);

/** The address in the anonymised form that may be stored: IPv4 with the last octet 0, IPv6 to its /48; null for an invalid address. */
export function anonymousAddress(address: string | undefined): string | null {
  const plain = plainAddress(address);
  if (isIPv4(plain)) return plain.replace(/\d+$/, '0');
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 3).join(':')}::` : null;
}

/** Unwraps IPv4 addresses mapped into IPv6 (dual-stack sockets) and removes the zone of a link-local address. */
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
