import { createPrivateKey, createPublicKey, generateKeyPair as generate, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { calculateJwkThumbprint, type JWK } from 'jose';
import type { Secrets } from '../secrets/secrets.service.js';

const generateKeyPair = promisify(generate);

/** A row of auth.signing_keys. The private key is encrypted. */
export interface SigningKeyRow {
  kid: string;
  public_jwk: JWK;
  private_key: Buffer;
}

/** A new key pair for ES256. Generated asynchronously: after the synchronous generation, Node 20 may hang in `export`. */
export async function newSigningKey(secrets: Secrets): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair('ec', { namedCurve: 'P-256' });
  const public_jwk = publicKey.export({ format: 'jwk' }) as JWK;
  const kid = await calculateJwkThumbprint(public_jwk);
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { kid, public_jwk, private_key: secrets.seal(der, kid) };
}

/** A decrypted key pair. */
export interface OpenSigningKey {
  kid: string;
  privateKey: KeyObject;
  publicKey: KeyObject;
}

/**
 * Derives the public key from the encrypted private key, because the row's `public_jwk` may be forged.
 * @throws if the row was encrypted with another master key
 */
export function openSigningKey({ kid, private_key }: SigningKeyRow, secrets: Secrets): OpenSigningKey {
  const der = secrets.open(private_key, kid);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { kid, privateKey, publicKey: createPublicKey(privateKey) };
}
