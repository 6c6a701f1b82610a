import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { atEnd } from './cleanup.js';

type Addresses = Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_PROJECTOR_URL', string>;

/** What the global set-up started: the superuser's address, and the three roles' on the template. */
interface Server {
  adminUrl: string;
  environment: Addresses;
}

/** A database of this test file's own, migrated and empty. */
export interface TestDatabase {
  name: string;
  /** Its address as a superuser. */
  adminUrl: string;
  /** The variables that the app reads. */
  environment: Addresses;
  /** Runs SQL as a superuser, who sees every tenant. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

const server = () => JSON.parse(process.env.RENDE_TEST_SERVER!) as Server;

/** Makes a database as a copy of the migrated template; it is dropped when the test file ends. */
export async function createDatabase(): Promise<TestDatabase> {
  const { adminUrl, environment } = server();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(
    `create database ${name} template rende_template owner rende_owner`,
    `revoke all on database ${name} from public`,
    `grant connect on database ${name} to rende_app, rende_projector`,
  );
  const own = (address: string) => Object.assign(new URL(address), { pathname: name }).href;
  const pool = new pg.Pool({ connectionString: own(adminUrl), max: 4, application_name: 'test' });
  // It calls its connections ended before the server has heard of it, and that is then told to drop the database.
  pool.on('error', () => undefined);
  atEnd(async () => {
    await pool.end();
    await asAdmin(`drop database ${name} with (force)`);
  });
  return {
    name,
    adminUrl: own(adminUrl),
    environment: {
      DATABASE_URL: own(environment.DATABASE_URL),
      DATABASE_OWNER_URL: own(environment.DATABASE_OWNER_URL),
      DATABASE_PROJECTOR_URL: own(environment.DATABASE_PROJECTOR_URL),
    },
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
  };
}

let own: Promise<TestDatabase> | undefined;

/** The test file's database, made when first asked for. */
export function testDatabase(): Promise<TestDatabase> {
  if (!own) {
    own = createDatabase();
    atEnd(() => (own = undefined));
  }
  return own;
}

/** A connection of its own, closed when the test file ends. */
export async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  atEnd(() => client.end());
  return client;
}

async function asAdmin(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: server().adminUrl });
  await client.connect();
  try {
    for (const statement of statements) await client.query(statement);
  } finally {
    await client.end();
  }
}
