import { createPrivateKey, createPublicKey, generateKeyPair as generate, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Secrets } from '../secrets/secrets.service.js';

const generateKeyPair = promisify(generate);

/** A row of auth.signing_keys. The private half is sealed. */
export interface SigningKeyRow {
  kid: string;
  public_jwk: JWK;
  private_key: Buffer;
}

/** A new key pair for ES256. Not made at once: Node 20 may stand still for ever in an `export` after that. */
export async function newSigningKey(secrets: Secrets): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair('ec', { namedCurve: 'P-256' });
  const public_jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(public_jwk);
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { kid, public_jwk, private_key: secrets.seal(der, kid) };
}

export function publicKeyOf({ public_jwk }: SigningKeyRow): KeyObject {
  return createPublicKey({ key: public_jwk as Record<string, unknown>, format: 'jwk' });
}

/** @throws where the master key is not the one that sealed it */
export function privateKeyOf({ kid, private_key }: SigningKeyRow, secrets: Secrets): KeyObject {
  return createPrivateKey({ key: secrets.open(private_key, kid), format: 'der', type: 'pkcs8' });
}
