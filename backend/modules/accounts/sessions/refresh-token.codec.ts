import { createHash, createHmac, timingSafeEqual } from 'node:crypto';

/**
 * Refresh tokens in the format of the reference server's algorithm 2: base64url of
 * version (0) ‖ session id (16 bytes) ‖ counter (LEB128) ‖ HMAC-SHA256/128 of those ‖ first 4 bytes of their SHA-256.
 * Nothing about a token is stored: the session's row holds the key and the counter of the newest one.
 */
export interface RefreshToken {
  sessionId: string;
  counter: number;
  /** Whether the token was signed with this session key. */
  isSignedWith(key: Buffer): boolean;
}

const VERSION = 0;
const SESSION_ID_END = 17;
const SIGNATURE_BYTES = 16;
const CHECKSUM_BYTES = 4;
const MAX_COUNTER_BYTES = 7;

export function encodeRefreshToken(sessionId: string, counter: number, key: Buffer): string {
  const signed = Buffer.concat([
    Buffer.of(VERSION),
    Buffer.from(sessionId.replaceAll('-', ''), 'hex'),
    encodeCounter(counter),
  ]);
  const body = Buffer.concat([signed, signature(signed, key)]);
  return Buffer.concat([body, checksum(body)]).toString('base64url');
}

/** Null for a text that this server cannot have written: wrong alphabet, length, version, checksum or counter. */
export function parseRefreshToken(text: string): RefreshToken | null {
  const bytes = Buffer.from(text, 'base64url');
  const signedEnd = bytes.length - SIGNATURE_BYTES - CHECKSUM_BYTES;
  if (bytes.toString('base64url') !== text || signedEnd <= SESSION_ID_END || bytes[0] !== VERSION)
    return null;

  const body = bytes.subarray(0, -CHECKSUM_BYTES);
  if (!timingSafeEqual(checksum(body), bytes.subarray(-CHECKSUM_BYTES))) return null;
  const counter = decodeCounter(bytes.subarray(SESSION_ID_END, signedEnd));
  if (counter === null) return null;

  const signed = bytes.subarray(0, signedEnd);
  return {
    sessionId: bytes
      .toString('hex', 1, SESSION_ID_END)
      .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    counter,
    isSignedWith: (key) => timingSafeEqual(signature(signed, key), body.subarray(signedEnd)),
  };
}

function signature(signed: Buffer, key: Buffer): Buffer {
  return createHmac('sha256', key).update(signed).digest().subarray(0, SIGNATURE_BYTES);
}

function checksum(body: Buffer): Buffer {
  return createHash('sha256').update(body).digest().subarray(0, CHECKSUM_BYTES);
}

function encodeCounter(counter: number): Buffer {
  const bytes: number[] = [];
  let rest = counter;
  while (rest >= 0x80) {
    bytes.push((rest % 0x80) | 0x80);
    rest = Math.floor(rest / 0x80);
  }
  return Buffer.of(...bytes, rest);
}

function decodeCounter(bytes: Buffer): number | null {
  if (bytes.length > MAX_COUNTER_BYTES || bytes.some((byte, i) => byte >= 0x80 !== i < bytes.length - 1))
    return null;
  return bytes.reduceRight((counter, byte) => counter * 0x80 + (byte & 0x7f), 0);
}
