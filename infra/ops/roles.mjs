// `npm run db:roles`: creates Rende's three roles and its database with DATABASE_ADMIN_URL (a superuser, or a role with
// CREATEROLE and CREATEDB); without it, prints the SQL for psql. Passwords and the database's name come from DATABASE_URL,
// DATABASE_OWNER_URL and DATABASE_PROJECTOR_URL. Missing passwords are generated and printed, given ones are not printed.
// An existing role gets the new password.
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { ensureBuilt } from '../start/build.mjs';
import { backendModule, describeDatabaseError } from '../start/database.mjs';
import { fail, ExpectedError } from '../start/expected-error.mjs';
import { readSecretFiles } from '../start/secret-files.mjs';

const roles = {
  owner: ['rende_owner', 'DATABASE_OWNER_URL'],
  app: ['rende_app', 'DATABASE_URL'],
  projector: ['rende_projector', 'DATABASE_PROJECTOR_URL'],
};

/** The roles whose password was generated. */
const madeUp = new Set();

function addressOf(key, server) {
  const [role, variable] = roles[key];
  const address = new URL(process.env[variable] ?? `postgres://${role}@${server}/rende`);
  if (decodeURIComponent(address.username) !== role)
    throw new ExpectedError(`${variable} deve entrar como ${role}.`);
  if (!address.password) {
    address.password = randomBytes(24).toString('base64url');
    madeUp.add(key);
  }
  return address;
}

try {
  await ensureBuilt(['backend']);
  await readSecretFiles();
  const { applyRoles, rolesSql } = await backendModule('platform/database/roles.js');
  const admin = process.env.DATABASE_ADMIN_URL;
  const server = admin ? new URL(admin).host : 'localhost:5432';
  const addresses = Object.fromEntries(Object.keys(roles).map((key) => [key, addressOf(key, server)]));
  const databases = new Set(
    Object.values(addresses).map((address) => decodeURIComponent(address.pathname.slice(1))),
  );
  if (databases.size > 1)
    throw new ExpectedError(`os endereços apontam para bancos diferentes: ${[...databases].join(', ')}.`);
  const [database] = databases;
  const passwords = Object.fromEntries(
    Object.entries(addresses).map(([key, address]) => [key, decodeURIComponent(address.password)]),
  );

  if (admin) {
    const client = new pg.Client({ connectionString: admin });
    try {
      await client.connect();
      await applyRoles(client, database, passwords);
    } catch (error) {
      throw describeDatabaseError(error, 'DATABASE_ADMIN_URL');
    } finally {
      await client.end();
    }
  } else {
    const sql = rolesSql(database, passwords);
    const text = pg.escapeLiteral(sql.createDatabase);
    console.log(
      `${sql.roles}select ${text} from (${sql.databaseIsMissing}) as missing \\gexec\n${sql.grants}`,
    );
  }
  if (admin) console.log('Os papéis e o banco estão prontos.');
  const comment = admin ? '' : '-- ';
  for (const key of madeUp) console.log(`${comment}${roles[key][1]}=${addresses[key].href}`);
} catch (error) {
  fail(error);
}
