import { asPrinted, CODE_ALPHABET } from '../../platform/typed-code.js';

/** Characters of tenant, position and hash, five bits each. */
const [TENANT, POSITION, HASH] = [5, 5, 6];

/** An event in the log of a tenant, with its hash in hexadecimal. */
export interface LogPlace {
  tenantId: string;
  position: number;
  hash: string;
}

/**
 * A short name of an event that a person can type, such as `L-7F2A-B9KD-22QM-4XWC`: the beginning of the tenant's id, the position, and
 * the beginning of the hash, which nobody can guess and no changed event has.
 */
export function sealCodeOf({ tenantId, position, hash }: LogPlace): string {
  const tenant = firstBits(tenantId.replaceAll('-', ''), TENANT);
  const code = `${written(tenant, TENANT)}${written(BigInt(position), POSITION)}${written(firstBits(hash, HASH), HASH)}`;
  return `L-${code.replace(/.{4}(?=.)/g, '$&-')}`;
}

/** The same of the newest event that a dossier follows from: its letter says that the code is verified as a dossier's. */
export const dossierCodeOf = (place: LogPlace): string => sealCodeOf(place).replace(/^L/, 'D');

/** The same of the newest event that a seal holds. */
export const headCodeOf = (place: LogPlace): string => sealCodeOf(place).replace(/^L/, 'H');

/**
 * Among which tenants, at which position and with which first digits of its hash (none for a month's) the event of a typed code is;
 * null for no such code.
 */
export function searchedBy(
  typed: string,
): { from: string; to: string; position: number; hash: string } | null {
  const [, letter, code] = /^([LDHM])([A-HJ-NP-Z2-9]{16})$/.exec(asPrinted(typed)) ?? [];
  if (!code) return null;
  const rest = BigInt(128 - 5 * TENANT);
  const from = read(code.slice(0, TENANT)) << rest;
  return {
    from: uuidOf(from),
    to: uuidOf(from | ((1n << rest) - 1n)),
    position: Number(read(code.slice(TENANT, TENANT + POSITION))),
    hash: letter === 'M' ? '' : (read(code.slice(-HASH)) >> 2n).toString(16).padStart(7, '0'),
  };
}

/** As many of the first bits of a hexadecimal text as these characters hold. */
function firstBits(hex: string, characters: number): bigint {
  const digits = Math.ceil((5 * characters) / 4);
  return BigInt(`0x${hex.slice(0, digits)}`) >> BigInt(4 * digits - 5 * characters);
}

const written = (bits: bigint, characters: number): string =>
  Array.from({ length: characters }, (_, n) => {
    const at = (bits >> BigInt(5 * (characters - 1 - n))) & 31n;
    return CODE_ALPHABET[Number(at)]!;
  }).join('');

const read = (code: string): bigint =>
  [...code].reduce((bits, character) => (bits << 5n) | BigInt(CODE_ALPHABET.indexOf(character)), 0n);

const uuidOf = (bits: bigint): string =>
  bits
    .toString(16)
    .padStart(32, '0')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
