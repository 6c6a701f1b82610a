import { createHash } from 'node:crypto';
import pg from 'pg';
import type { Config } from '../config/env.js';
import { Archive, ArchiveError, type Part, writeArchive } from './archive.js';
import { type Applied, keptTables, migrationsOf, rowsOf, SAME_TEXT, type Sum } from './tables.js';

/** The first entry of a backup. */
export interface About {
  /** ISO instant of the snapshot that the backup contains. */
  createdAt: string;
  migrations: Applied[];
}

/** The last entry: row counts and checksums by table name with schema. */
export type Sums = Record<string, Sum>;

const ABOUT = 'about.json';
export const SUMS = 'sums.json';

/** A connection as rende_owner, for COPY. */
export async function connectOwner(
  { databaseOwnerUrl }: Config,
  applicationName: string,
): Promise<pg.Client> {
  if (!databaseOwnerUrl) throw new Error('Informe DATABASE_OWNER_URL.');
  const client = new pg.Client({ connectionString: databaseOwnerUrl, application_name: applicationName });
  // A connection that breaks fails its query.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Writes the log and all tables that cannot be rebuilt from it, from one snapshot. Commands continue meanwhile. */
export async function backup(config: Config, file: string): Promise<Sums> {
  const client = await connectOwner(config, 'rende-backup');
  const sums: Sums = {};
  try {
    await client.query('begin isolation level repeatable read, read only');
    await client.query(SAME_TEXT);
    const { rows } = await client.query<{ at: Date }>('select now() as at');
    const about: About = { createdAt: rows[0]!.at.toISOString(), migrations: await migrationsOf(client) };
    await writeArchive(file, config.masterKey, async (add) => {
      await add(ABOUT, json(about));
      for (const table of await keptTables(client)) {
        const { content, sum } = rowsOf(client, table);
        await add(table.name, content);
        sums[table.name] = sum();
      }
      await add(SUMS, json(sums));
    });
    return sums;
  } finally {
    await client.end();
  }
}

/**
 * Verifies a written backup: it is complete, and its tables have the recorded row counts and checksums.
 * @throws ArchiveError
 */
export async function verifyBackup({ masterKey }: Config, file: string): Promise<void> {
  const archive = await Archive.open(file, masterKey);
  try {
    const found: Record<string, string> = {};
    let sums: Sums = {};
    for await (const part of archive.parts()) {
      if (part.name === SUMS) sums = await readJson<Sums>(part);
      else found[part.name] = await sha256Of(part);
    }
    const wanted = Object.entries(sums);
    if (wanted.length === 0 || wanted.some(([name, { rows, sha256 }]) => rows > 0 && found[name] !== sha256))
      throw new ArchiveError(`${file} não tem as linhas que o banco tinha.`);
  } finally {
    await archive.close();
  }
}

async function sha256Of({ content }: Part): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

export async function readJson<Value>({ content }: Part): Promise<Value> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString('utf8')) as Value;
}

const json = (value: object) => [Buffer.from(JSON.stringify(value))];
