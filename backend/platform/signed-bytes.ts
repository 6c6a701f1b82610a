import { createHmac, timingSafeEqual } from 'node:crypto';

const SIGNATURE = /^(?:sha256=)?([\da-f]{64})$/i;

/** Whether a header has the HMAC-SHA256 of the bytes with the secret, in hexadecimal. */
export function isSigned(bytes: Uint8Array, header: unknown, secret: string): boolean {
  const [, given] = SIGNATURE.exec(String(header)) ?? [];
  if (!given) return false;
  return timingSafeEqual(createHmac('sha256', secret).update(bytes).digest(), Buffer.from(given, 'hex'));
}
