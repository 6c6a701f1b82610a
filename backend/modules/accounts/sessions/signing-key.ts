import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Secrets } from '../secrets/secrets.service.js';

/** A row of auth.signing_keys. The private half is sealed. */
export interface SigningKeyRow {
  kid: string;
  public_jwk: JWK;
  private_key: Buffer;
}

/** A new key pair for ES256. */
export async function newSigningKey(secrets: Secrets): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
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
