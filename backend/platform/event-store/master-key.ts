import { createPrivateKey, createPublicKey, hkdfSync, type KeyObject } from 'node:crypto';
import pg from 'pg';
import type { Config } from '../config/env.js';
import { open, PersonalData } from './personal-data.js';

const STORED = 'select fingerprint from master_key';
const CLAIM = 'insert into master_key (fingerprint) values ($1) on conflict do nothing';
/** Every database that a server has opened has this row. */
const SIGNING_KEY = 'select kid, private_key from auth.signing_keys limit 1';
/** undefined_table; insufficient_privilege: the database is not migrated yet, which is reported when it is opened. */
const NOT_MIGRATED = new Set(['42P01', '42501']);

/** RENDE_MASTER_KEY is not the key of this database. */
export class MasterKeyError extends Error {
  constructor() {
    super(
      'RENDE_MASTER_KEY não é a chave deste banco: com ela os dados pessoais não podem ser lidos. Use a chave com que ele foi criado.',
    );
  }
}

/** A fingerprint that identifies a master key without revealing it. */
export function fingerprintOf(masterKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'backup: key id', 8)).toString('hex');
}

/** The key that encrypts data of accounts, derived from the master key. */
export function sealingKeyOf(masterKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'accounts: sealing', 32));
}

/** The key of keyed hashes of what people tell in accounts, such as a CPF. */
export function fingerprintKeyOf(masterKey: Buffer): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, '', 'accounts: fingerprints', 32));
}

/** PKCS#8 of an Ed25519 key, before its 32 bytes. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The Ed25519 key that signs seals and archives. */
export function signingKeyOf(masterKey: Buffer): KeyObject {
  const seed = Buffer.from(hkdfSync('sha256', masterKey, '', 'seals: signature', 32));
  return createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
}

/** Its public key in base64 (SPKI), for whoever verifies without this instance. */
export function publicKeyOf(key: KeyObject): string {
  return createPublicKey(key).export({ format: 'der', type: 'spki' }).toString('base64');
}

/**
 * Refuses a database that was made with another master key. A database without a fingerprint gets the one of this key, unless
 * it contains keys that this one cannot unwrap.
 *
 * @throws MasterKeyError
 */
export async function refuseOtherMasterKey(config: Config): Promise<void> {
  const client = new pg.Client({
    connectionString: config.databaseOwnerUrl ?? config.databaseUrl,
    application_name: 'rende-start',
  });
  await client.connect();
  try {
    const own = fingerprintOf(config.masterKey);
    const stored = async () => (await client.query<{ fingerprint: string }>(STORED)).rows[0]?.fingerprint;
    if ((await stored()) === undefined) {
      await refuseOtherKeys(client, config);
      await client.query(CLAIM, [own]);
    }
    if ((await stored()) !== own) throw new MasterKeyError();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && NOT_MIGRATED.has(error.code ?? ''))) throw error;
  } finally {
    await client.end();
  }
}

async function refuseOtherKeys(client: pg.Client, config: Config): Promise<void> {
  const persons = await client.query<{ tenant_id: string; person_id: string; wrapped_key: Buffer }>(
    'select * from any_person_key()',
  );
  const signing = await client.query<{ kid: string; private_key: Buffer }>(SIGNING_KEY);
  try {
    for (const { tenant_id, person_id, wrapped_key } of persons.rows)
      new PersonalData(config).unwrap(wrapped_key, tenant_id, person_id);
    for (const { kid, private_key } of signing.rows) open(sealingKeyOf(config.masterKey), private_key, kid);
  } catch {
    throw new MasterKeyError();
  }
}
