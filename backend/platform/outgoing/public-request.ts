import { lookup as lookUp, type LookupAddress } from 'node:dns';
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

interface Asked extends Pick<RequestOptions, 'method' | 'headers' | 'signal'> {
  body?: Buffer | undefined;
  /** Origin on this machine that is let through, for tests. */
  testOrigin: string | undefined;
}

/**
 * One request to an address that a person gave, without following redirects. Only public addresses are connected to: what a
 * name resolves to is checked where the connection is made, and that very address is used.
 * @throws AddressRefused
 */
export function requestPublic(
  url: URL,
  { method = 'GET', headers, signal, body, testOrigin }: Asked,
): Promise<IncomingMessage> {
  const isAllowed = url.origin === testOrigin;
  if (!isAllowed) refuseUnlessPublic(url);
  const options = {
    ...{ method, headers, signal, agent: false as const },
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
 * An address that is written out is not looked up, so it is checked here.
 * @throws AddressRefused
 */
export function refuseUnlessPublic({ protocol, hostname, port }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, '');
  const isRefused = protocol !== 'https:' || port !== '' || (isIP(host) !== 0 && !isPublicAddress(host));
  if (isRefused) throw new AddressRefused();
}

/** What a name resolves to, as far as one may connect to it: all of it has to be public. */
const publicLookUp: LookupFunction = (hostname, options, done) => {
  lookUp(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
    if (error) return done(error, '');
    const isPublic = addresses.length > 0 && addresses.every(({ address }) => isPublicAddress(address));
    if (!isPublic) return done(new AddressRefused(), '');
    if (options.all) return done(null, addresses);
    const [{ address, family }] = addresses as [LookupAddress];
    done(null, address, family);
  });
};
