import { Secret, TOTP } from 'otpauth';

/** Parameters that every authenticator app supports (RFC 6238). */
const SETTINGS = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

export function newSecret(): Buffer {
  return Buffer.from(new Secret({ size: SECRET_BYTES }).bytes);
}

/** The otpauth address for the QR code, and the secret to be typed instead. */
export function enrolment(secret: Buffer, issuer: string, label: string): { uri: string; secret: string } {
  const totp = new TOTP({ ...SETTINGS, issuer, label, secret: secretOf(secret) });
  return { uri: totp.toString(), secret: totp.secret.base32 };
}

/**
 * Number of the 30-second step of a code: the current, previous or next one, because clocks differ. Null for a wrong code.
 * `now` in milliseconds since 1970.
 */
export function stepOf(secret: Buffer, code: string, now = Date.now()): number | null {
  // The library throws if a text has more bytes than characters.
  if (!/^[0-9]{6}$/.test(code)) return null;
  const totp = new TOTP({ ...SETTINGS, secret: secretOf(secret) });
  const delta = totp.validate({ token: code, timestamp: now, window: 1 });
  return delta === null ? null : totp.counter({ timestamp: now }) + delta;
}

function secretOf(secret: Buffer): Secret {
  return new Secret({ buffer: Uint8Array.from(secret).buffer });
}
