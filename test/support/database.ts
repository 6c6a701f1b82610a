import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { atEnd } from './cleanup.js';

interface Server {
  port: number;
  passwords: Record<'owner' | 'app' | 'projector', string>;
  adminUrl: string;
}

/** A database of this test file's own, migrated and empty. */
export interface TestDatabase {
  name: string;
  /** The variables that the app reads. */
  environment: Record<'DATABASE_URL' | 'DATABASE_OWNER_URL' | 'DATABASE_PROJECTOR_URL', string>;
  /** Runs SQL as a superuser, who sees every tenant. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>;
}

const server = () => JSON.parse(process.env.RENDE_TEST_SERVER!) as Server;

/** Makes a database as a copy of the migrated template; it is dropped when the test file ends. */
export async function createDatabase(): Promise<TestDatabase> {
  const { port, passwords, adminUrl } = server();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await asAdmin(
    `create database ${name} template rende_template owner rende_owner`,
    `revoke all on database ${name} from public`,
    `grant connect on database ${name} to rende_app, rende_projector`,
  );
  const url = new URL(adminUrl);
  url.pathname = name;
  const pool = new pg.Pool({ connectionString: url.href, max: 4, application_name: 'test' });
  atEnd(async () => {
    await pool.end();
    await asAdmin(`drop database ${name} with (force)`);
  });
  const address = (role: 'owner' | 'app' | 'projector') =>
    `postgres://rende_${role}:${passwords[role]}@127.0.0.1:${port}/${name}`;
  return {
    name,
    environment: {
      DATABASE_URL: address('app'),
      DATABASE_OWNER_URL: address('owner'),
      DATABASE_PROJECTOR_URL: address('projector'),
    },
    query: async <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) =>
      (await pool.query<Row>(text, values)).rows,
  };
}

let own: Promise<TestDatabase> | undefined;

/** The test file's database, made when first asked for. */
export function testDatabase(): Promise<TestDatabase> {
  return (own ??= createDatabase());
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
