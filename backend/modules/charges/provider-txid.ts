/**
 * The `txid` of a charge's code number `made` (from 0): 35 letters and digits. A provider accepts each `txid` only
 * once.
 */
export function providerTxid(chargeId: string, made: number): string {
  return `R${chargeId.replaceAll('-', '').toUpperCase()}${made.toString(36).toUpperCase().padStart(2, '0')}`;
}

/** The charge of such a `txid`; null for any other text. */
export function chargeOfTxid(txid: string): string | null {
  const hex = /^R([\dA-F]{32})[\dA-Z]{2}$/.exec(txid)?.[1];
  return hex?.toLowerCase().replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5') ?? null;
}
