import type pg from 'pg';
import type { Config } from '../config/env.js';
import type { EventRow } from '../event-store/event-codec.js';
import { openKeptFile, type SealedFile } from '../event-store/kept-files.service.js';
import { publicKeyOf, sealingKeyOf, signingKeyOf } from '../event-store/master-key.js';
import { open } from '../event-store/personal-data.js';
import { type Decoder, keysFor } from '../projections/keys.js';
import { firstHash } from '../event-store/stored-events.js';
import {
  type AccountLine,
  CARRIED,
  type EventLine,
  type FileLine,
  FORMAT,
  FORMAT_VERSION,
  type Header,
  type KeyLine,
  LineWriter,
  withoutOutsideKeys,
} from './tenant-archive.js';

const ROWS_AT_ONCE = 500;
/** With microseconds, which a Date does not hold. */
const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;

const HEADER = `select ${instant('now()')} as made_at, position as events,
    (select ${firstHash('e')} from events e where e.tenant_id = l.tenant_id and e.position = l.position) as head,
    (select count(*)::int from memberships where tenant_id = l.tenant_id and role = 'aluno') as students_with_account
  from tenant_log l where tenant_id = $1`;
const USER = `select id, email, user_metadata ->> 'nome' as name, ${instant('created_at')} as created_at
  from auth.users where id = $1`;
const PROFILE = 'select auth.profile_of($1) as sealed';
const SESSIONS = `select id, user_agent, ${instant('created_at')} as created_at from auth.sessions
  where user_id = $1 order by created_at, id`;
const KEYS = `select person_id as id, ${instant('created_at')} as created_at, ${instant('forgotten_at')} as forgotten_at,
    case when retained_name is not null then
      json_build_object('person', retained_person, 'name', retained_name, 'until', retained_until) end as retained
  from person_keys where tenant_id = $1 order by created_at, person_id`;
const EVENTS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta - 'origin' as meta,
    ${instant('recorded_at')} as recorded_at, ${firstHash('e')} as hash
  from events e where tenant_id = $1 order by position`;
const FILES = `select f.tenant_id, f.id, f.person_id, f.key_id, encode(f.sha256, 'hex') as sha256, ${instant('f.kept_at')} as kept_at,
    f.sealed, k.wrapped_key
  from kept_files f join person_keys k on k.tenant_id = f.tenant_id and k.person_id = f.key_id
  where f.tenant_id = $1 and k.wrapped_key is not null order by f.kept_at, f.id`;

type StoredEvent = Omit<EventRow, 'recorded_at'> & Pick<EventLine, 'recorded_at' | 'hash'>;

/**
 * The archive of a tenant for its trainer, in a transaction that sees the tenant, holding one fetch of rows in memory at a time.
 * Texts about persons are in clear; those of the forgotten are gone.
 */
export async function* writeTenantArchive(
  client: pg.ClientBase,
  { masterKey }: Config,
  { tenantId, userId }: { tenantId: string; userId: string },
  decoder: Decoder,
): AsyncGenerator<string> {
  const key = signingKeyOf(masterKey);
  const writer = new LineWriter(key);
  const { rows } = await client.query<
    Omit<Header, 'kind' | 'format' | 'version' | 'tenant_id' | 'public_key'>
  >(HEADER, [tenantId]);
  const format = { format: FORMAT, version: FORMAT_VERSION, tenant_id: tenantId };
  yield writer.line({ kind: 'header', ...format, ...rows[0]!, public_key: publicKeyOf(key) });
  yield writer.line(await accountOf(client, masterKey, userId));
  for (const [table, { of = 'true', order }] of Object.entries(CARRIED)) {
    const sql = `select to_jsonb(t) as row from ${table} t where tenant_id = $1 and ${of} order by ${order}`;
    for await (const { row } of fetched<{ row: Record<string, unknown> }>(client, sql, [tenantId]))
      yield writer.line({ kind: 'row', table, row });
  }
  for await (const row of fetched<Omit<KeyLine, 'kind'>>(client, KEYS, [tenantId]))
    yield writer.line({ kind: 'key', ...row });
  for await (const rows of batches<StoredEvent>(client, EVENTS, [tenantId])) {
    const keys = await keysFor(client, tenantId, rows, decoder);
    for (const row of rows) {
      const { tenant_id: _tenant, data: _data, hash, ...event } = row;
      const data = JSON.parse(
        JSON.stringify(decoder.codec.clearData(row, keys), withoutOutsideKeys),
      ) as EventLine['data'];
      yield writer.line({ kind: 'event', ...event, data, hash });
    }
  }
  for await (const rows of batches<SealedFile & Omit<FileLine, 'kind' | 'content'>>(
    client,
    FILES,
    [tenantId],
    1,
  )) {
    const { sealed: _sealed, wrapped_key: _key, tenant_id: _tenant, ...file } = rows[0]!;
    const content = openKeptFile(decoder.personalData, rows[0]!)!.toString('base64');
    yield writer.line({ kind: 'file', ...file, content });
  }
  yield writer.end();
}

async function accountOf(client: pg.ClientBase, masterKey: Buffer, userId: string): Promise<AccountLine> {
  const { rows: users } = await client.query<AccountLine['user']>(USER, [userId]);
  const { rows: profiles } = await client.query<{ sealed: Buffer | null }>(PROFILE, [userId]);
  const { rows: sessions } = await client.query<AccountLine['sessions'][number]>(SESSIONS, [userId]);
  const sealed = profiles[0]?.sealed;
  const profile = sealed
    ? (JSON.parse(open(sealingKeyOf(masterKey), sealed, userId).toString('utf8')) as AccountLine['profile'])
    : null;
  return { kind: 'account', user: users[0]!, profile, sessions };
}

/** The rows of a statement, some of them at a time. */
export async function* batches<Row extends object>(
  client: pg.ClientBase,
  sql: string,
  values: unknown[],
  atOnce = ROWS_AT_ONCE,
): AsyncGenerator<Row[]> {
  await client.query(`declare own no scroll cursor for ${sql}`, values);
  for (;;) {
    const { rows } = await client.query<Row>(`fetch ${atOnce} from own`);
    if (rows.length === 0) break;
    yield rows;
  }
  await client.query('close own');
}

export async function* fetched<Row extends object>(
  client: pg.ClientBase,
  sql: string,
  values: unknown[],
): AsyncGenerator<Row> {
  for await (const rows of batches<Row>(client, sql, values)) yield* rows;
}
