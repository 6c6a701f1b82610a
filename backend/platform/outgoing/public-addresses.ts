/** Decides to which addresses the server may connect on behalf of a user: public unicast addresses. */
import { BlockList, isIPv4, isIPv6 } from 'node:net';

/** IANA's special-purpose registry, and multicast. */
const reserved4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];
/**
 * Special ranges within 2000::/3 (nothing outside of it is public): Teredo and others of 2001::/23, documentation,
 * 6to4.
 */
const reserved6: readonly [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const refused = new BlockList();
for (const [network, prefix] of reserved4) refused.addSubnet(network, prefix, 'ipv4');
for (const [network, prefix] of reserved6) refused.addSubnet(network, prefix, 'ipv6');
const global6 = new BlockList();
global6.addSubnet('2000::', 3, 'ipv6');

/** IPv4 addresses mapped into IPv6 are refused: no public server is reached by such an address. */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  return isIPv6(address) && global6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}
