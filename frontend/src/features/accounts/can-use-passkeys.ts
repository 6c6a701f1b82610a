/**
 * Whether this browser has passkeys for this site: they belong to a domain, so an address of numbers has none. Older ones lack
 * what reads the server's options.
 */
export const canUsePasskeys: boolean =
  typeof PublicKeyCredential === 'function' &&
  'parseRequestOptionsFromJSON' in PublicKeyCredential &&
  !/^[\d.]+$|^\[/.test(location.hostname);
