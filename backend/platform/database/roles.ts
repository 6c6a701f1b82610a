import pg from 'pg';

/** Passwords of the three roles, in plain text. */
export interface RolePasswords {
  owner: string;
  app: string;
  projector: string;
}

/** The SQL that a connection with CREATEROLE and CREATEDB (or a superuser) runs, in this order. It can be repeated. */
export interface RolesSql {
  /** Creates the roles, sets their passwords, refuses roles that can bypass row-level security. */
  roles: string;
  /** Returns a row if the database has to be created with `createDatabase`, which cannot run in a transaction. */
  databaseIsMissing: string;
  createDatabase: string;
  /** Sets who owns the database and who may connect to it. */
  grants: string;
}

/** The SQL that prepares a Postgres for Rende. */
export function rolesSql(database: string, passwords: RolePasswords): RolesSql {
  const name = pg.escapeIdentifier(database);
  const text = pg.escapeLiteral(database);
  const make = (role: string, password: string) =>
    `do $$ begin
  if not exists (select from pg_roles where rolname = '${role}') then create role ${role}; end if;
end $$;
alter role ${role} login password ${pg.escapeLiteral(password)};
`;
  return {
    roles: `${make('rende_owner', passwords.owner)}${make('rende_app', passwords.app)}${make('rende_projector', passwords.projector)}alter role rende_app set search_path = public, read;
alter role rende_projector set search_path = public, read;
do $$ begin
  if exists (select from pg_roles where rolname in ('rende_owner', 'rende_app', 'rende_projector') and (rolsuper or rolbypassrls)) then
    raise exception 'rende_owner, rende_app and rende_projector must be neither superuser nor bypassrls';
  end if;
  if not (select rolsuper from pg_roles where rolname = current_user) then
    execute format('grant rende_owner to %I', current_user);
  end if;
end $$;
`,
    databaseIsMissing: `select 1 where not exists (select from pg_database where datname = ${text})`,
    createDatabase: `create database ${name} owner rende_owner encoding 'UTF8' template template0`,
    grants: `alter database ${name} owner to rende_owner;
revoke all on database ${name} from public;
grant connect on database ${name} to rende_app, rende_projector;
`,
  };
}

/** Applies {@link rolesSql} over a connection to any database of the server. */
export async function applyRoles(
  client: pg.Client,
  database: string,
  passwords: RolePasswords,
): Promise<void> {
  const sql = rolesSql(database, passwords);
  await client.query(sql.roles);
  if ((await client.query(sql.databaseIsMissing)).rowCount) await client.query(sql.createDatabase);
  await client.query(sql.grants);
}
