import pg from 'pg';
import type { Config } from '../config/env.js';
import { writeArchive } from './archive.js';
import { type Applied, keptTables, migrationsOf, rowsOf, SAME_TEXT, type Sum } from './tables.js';

/** The first entry of a backup. */
export interface About {
  /** ISO instant of the one moment that the backup shows. */
  createdAt: string;
  migrations: Applied[];
}

/** The last entry: what each table has to hold, with its schema in its name. */
export type Sums = Record<string, Sum>;

const ABOUT = 'about.json';
export const SUMS = 'sums.json';

/** A connection of rende_owner's that copies. */
export async function connectOwner(
  { databaseOwnerUrl }: Config,
  applicationName: string,
): Promise<pg.Client> {
  if (!databaseOwnerUrl) throw new Error('É preciso DATABASE_OWNER_URL.');
  const client = new pg.Client({ connectionString: databaseOwnerUrl, application_name: applicationName });
  // A connection that breaks fails its query.
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Writes everything that the log does not give back, as of one moment, while commands go on. */
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

const json = (value: object) => [Buffer.from(JSON.stringify(value))];
