import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { atEnd } from './cleanup.js';

type Addresses = Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_PROJECTOR_URL', string>;

/** The server that the global set-up started: the superuser's address, and the three roles' addresses of the template. */
interface Server {
  adminUrl: string;
  /** Folder of its Unix socket, unless it has none. */
  socket: string;
  environment: Addresses;
}

/** The test file's own database, migrated and empty, or one that it shares with other files. */
export interface TestDatabase {
  name: string;
  /** The tenants of other files. */
  others?: readonly string[];
  /** The superuser's address of this database. */
  adminUrl: string;
  /** The variables that the app reads. */
  environment: Addresses;
  /** Runs SQL as a superuser, who sees every tenant. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

const server = () => JSON.parse(process.env.RENDE_TEST_SERVER!) as Server;

/** The same address over the Unix socket, which costs less, unless it is that of another server or of a proxy. */
export function overSocket(address: string): string {
  const { adminUrl, socket } = server();
  const url = new URL(address);
  if (socket && url.host === new URL(adminUrl).host) url.searchParams.set('host', socket);
  return url.href;
}

/** Creates a database as a copy of the migrated template; it is dropped at the end of the test file. */
export async function createDatabase(): Promise<TestDatabase> {
  const { database, pool } = await copyOfTemplate();
  atEnd(async () => {
    await pool.end();
    await asAdmin(`drop database ${database.name} with (force)`);
  });
  return database;
}

/** One that stays until the end of the run. */
export async function createLastingDatabase(): Promise<TestDatabase> {
  return (await copyOfTemplate()).database;
}

async function copyOfTemplate(): Promise<{ database: TestDatabase; pool: pg.Pool }> {
  const { adminUrl, environment } = server();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(
    // Copying files instead of pages costs a third.
    `create database ${name} template rende_template strategy file_copy owner rende_owner`,
    `revoke all on database ${name} from public`,
    `grant connect on database ${name} to rende_app, rende_projector`,
  );
  const own = (address: string) => Object.assign(new URL(address), { pathname: name }).href;
  const pool = new pg.Pool({ connectionString: overSocket(own(adminUrl)), max: 4, application_name: 'test' });
  // `end` resolves before the server has closed the connections, so dropping the database may cause errors on them.
  pool.on('error', () => undefined);
  const database = {
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
  return { database, pool };
}

let own: Promise<TestDatabase> | undefined;
let make = createDatabase;

/** Has the test file's database made so. */
export function databaseFrom(made: () => Promise<TestDatabase>): void {
  make = made;
}

/** The test file's database, created at the first call. */
export function testDatabase(): Promise<TestDatabase> {
  if (!own) {
    own = make();
    atEnd(() => (own = undefined));
  }
  return own;
}

/** How many events the tenants of this test file have. */
export async function countEvents(): Promise<number> {
  const database = await testDatabase();
  const [row] = await database.query<{ n: number }>(
    'select count(*)::int as n from events where tenant_id <> all($1::uuid[])',
    [database.others ?? []],
  );
  return row!.n;
}

/** Opens a connection, which is closed at the end of the test file. */
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
