import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { BlockList, isIP, isIPv4, isIPv6, type LookupFunction } from 'node:net';

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

/**
 * Whether the server may connect to it on behalf of a user: public unicast addresses. IPv4 addresses mapped into IPv6 are refused: no public server is reached by such an address.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refused.check(address, 'ipv4');
  return isIPv6(address) && global6.check(address, 'ipv6') && !refused.check(address, 'ipv6');
}

/** The address is not public: nothing was sent. */
export class AddressRefused extends Error {
  constructor() {
    super('the address is not public');
  }
}

export interface Asked extends Pick<RequestOptions, 'method' | 'headers' | 'signal'> {
  body?: Buffer | undefined;
  /** Our certificate and key, in PEM, for a server that requires them. */
  cert?: string;
  key?: string;
  /** Origin on this machine that is allowed, for tests. */
  testOrigin: string | undefined;
}

/**
 * Sends one request to an address that a user entered, without following redirects. Only public addresses are connected to: the
 * resolved address is checked when the connection is opened, and that same address is used.
 * @throws AddressRefused
 */
export function requestPublic(
  url: URL,
  { method = 'GET', body, testOrigin, ...asked }: Asked,
): Promise<IncomingMessage> {
  const isAllowed = url.origin === testOrigin;
  if (!isAllowed) refuseUnlessPublic(url);
  const options = { ...asked, method, agent: false as const, ...(!isAllowed && { lookup: publicLookUp }) };
  return new Promise((answered, failed) => {
    const request = (url.protocol === 'https:' ? overHttps : overHttp)(url, options, (response) => {
      const { remoteAddress } = response.socket;
      if (isAllowed || (remoteAddress !== undefined && isPublicAddress(remoteAddress))) answered(response);
      else request.destroy(new AddressRefused());
    });
    request.once('error', failed);
    request.end(body);
  });
}

/**
 * Names of this machine and of inner networks: without a dot, or reserved (RFC 6761, 6762, 8375; ICANN's `internal`), or in common
 * use there. A trailing dot changes nothing.
 */
const INNER_NAME =
  /^[^.]*\.?$|(^|\.)(localhost|localdomain|local|internal|intranet|lan|home|corp|home\.arpa)\.?$/i;

/**
 * What can be refused before a name is resolved: literals of addresses that are not public, and inner names.
 * @throws AddressRefused
 */
export function refuseUnlessPublic({ protocol, hostname, port }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isInner = isIP(host) === 0 ? INNER_NAME.test(host) : !isPublicAddress(host);
  if (protocol !== 'https:' || port !== '' || isInner) throw new AddressRefused();
}

/**
 * Queries the name servers directly: `dns.lookup` would block one of the few threads of libuv, which also hash passwords and
 * read files.
 */
export const nameServers = new Resolver({ timeout: 2_000, tries: 2 });

/** Resolves a name. @throws AddressRefused unless all of its addresses are public */
const publicLookUp: LookupFunction = (hostname, options, done) => {
  publicAddressesOf(hostname).then(
    (addresses) => {
      if (options.all) return done(null, addresses);
      const [{ address, family }] = addresses;
      done(null, address, family);
    },
    (error: NodeJS.ErrnoException) => done(error, ''),
  );
};

async function publicAddressesOf(hostname: string): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [four, six] = await Promise.allSettled([
    nameServers.resolve4(hostname),
    nameServers.resolve6(hostname),
  ]);
  const found = [
    ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  const [first, ...others] = found;
  if (!first) throw (four as PromiseRejectedResult).reason;
  if (!found.every(({ address }) => isPublicAddress(address))) throw new AddressRefused();
  return [first, ...others];
}
