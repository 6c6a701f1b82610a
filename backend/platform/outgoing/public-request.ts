import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type IncomingMessage, request as overHttp, type RequestOptions } from 'node:http';
import { request as overHttps } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-addresses.js';

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
  const options = {
    ...{ ...asked, method, agent: false as const },
    ...(!isAllowed && { lookup: publicLookUp }),
  };
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
