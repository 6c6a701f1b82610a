import { createHmac, randomBytes } from 'node:crypto';
import pg from 'pg';
import { z } from 'zod';
import type { Config } from '../config/env.js';
import { brokenChains } from '../event-store/audit.js';
import type { ForgottenEntry } from '../event-store/forgotten-list.js';
import type { GuardRebuild } from '../event-store/guard-rebuild.js';
import { contextOf } from '../event-store/kept-files.service.js';
import { fingerprintKeyOf, publicKeyOf, sealingKeyOf, signingKeyOf } from '../event-store/master-key.js';
import { seal } from '../event-store/personal-data.js';
import { codeHash, LinkTokens } from '../link-tokens.js';
import type { FeatureRegistry } from '../features.js';
import { SHARED } from '../projections/claim.js';
import { plural } from '../plural.api.js';
import type { Decoder } from '../projections/keys.js';
import {
  type AccountLine,
  CARRIED,
  type EventLine,
  type FileLine,
  type KeyLine,
  type Line,
  linesOf,
  TenantArchiveError,
} from './tenant-archive.js';

const EVENTS_AT_ONCE = 500;

const KNOWN = `select case
    when exists (select from tenant_log where tenant_id = $1) then 'Este negócio já está neste Rende.'
    when exists (select from auth.users where id = $2) then 'A conta deste personal já está neste Rende.'
    when exists (select from auth.users where email = $3) then 'Já há uma conta com este e-mail. Escolha outro com --email.' end as why`;
const NEW_USER = `insert into auth.users (id, email, user_metadata, email_confirmed_at, created_at)
  values ($1, $2, jsonb_build_object('nome', $3::text), now(), $4)`;
/** A CPF that another account has stays with that one. */
const NEW_PROFILE = `insert into auth.profiles (user_id, cpf_fingerprint, sealed)
  values ($1, (select $2::bytea where not exists (select from auth.profiles where cpf_fingerprint = $2)), $3)`;
/** They name devices in the history; nobody is signed in by them. */
const ENDED_SESSION = `insert into auth.sessions (id, user_id, refresh_key, user_agent, created_at, ended_at)
  values ($1, $2, $3, $4, $5, now())`;
const OPEN = 'select open_tenant($1, $2)';
const NEW_KEY = `insert into person_keys (tenant_id, person_id, wrapped_key, created_at, forgotten_at, retained_person, retained_name, retained_until)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
const ARRIVING = `create temp table arriving (
    position bigint primary key, stream_id text, version integer, type text, schema_version smallint, data jsonb, meta jsonb,
    recorded_at timestamptz
  ) on commit drop`;
const ARRIVE = `insert into arriving select position, stream_id, version, type, schema_version, data, meta, recorded_at
  from jsonb_populate_recordset(null::arriving, $1::jsonb)`;
/** As `record_command` does, with the times of the archive. */
const RECORD = (tenantId: string) => `do $$
declare
  e record;
  head bytea := genesis_hash('${tenantId}');
  last bigint := 0;
begin
  for e in select * from arriving order by position loop
    head := event_hash(head, e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.recorded_at);
    last := e.position;
    insert into events (tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at, hash)
    values ('${tenantId}', e.position, e.stream_id, e.version, e.type, e.schema_version, e.data, e.meta, e.recorded_at, head);
  end loop;
  update tenant_log set position = last, head_hash = head where tenant_id = '${tenantId}';
end $$`;
const NEW_FILE = `insert into kept_files (tenant_id, id, person_id, key_id, sha256, sealed, kept_at)
  values ($1, $2, $3, $4, decode($5, 'hex'), $6, $7)`;
/** Everything is seen, and each projection is to be built. */
const CHECKPOINTS = `with log as (
    update projection_checkpoint c set position = l.position from tenant_log l
    where l.tenant_id = $1 and c.tenant_id = $1 and c.projection = '${SHARED}' returning l.position
  ), reactions as (
    insert into reaction_checkpoint (tenant_id, reaction, position) select $1, name, log.position from reaction, log
  )
  insert into projection_checkpoint (tenant_id, projection, position, version)
  select $1, name, log.position, 0 from unnest($2::text[]) as name, log`;

export interface ImportParts extends Decoder {
  features: FeatureRegistry;
  guards: GuardRebuild;
}

export interface ImportWishes {
  file: string;
  /** Another address for the account than the archive's. */
  email?: string | undefined;
  /** Public key of the Rende that the archive is of. */
  key?: string | undefined;
  /** Who was forgotten in this Rende: nobody comes back with an archive that was made before. */
  forgotten: readonly ForgottenEntry[];
}

/** What was imported. */
export interface Imported {
  tenantId: string;
  events: number;
  files: number;
  email: string;
  /** Where the trainer's page is now, if another trainer has its address. */
  otherSlug: string | null;
  /** Students who had an account of their own. */
  withAccount: number;
}

/**
 * Imports the archive of a tenant that this database does not have, in one transaction of the owner: ids, positions, times and shapes
 * stay; texts about persons get new keys, and so the log gets new hashes, each event naming its first one. Reactions have seen all
 * of it. Read tables are built afterwards, and who was forgotten in this Rende is to be forgotten again.
 * @throws TenantArchiveError
 */
export async function importTenantArchive(
  client: pg.ClientBase,
  config: Config,
  wishes: ImportWishes,
  parts: ImportParts,
): Promise<Imported> {
  const trusted = [publicKeyOf(signingKeyOf(config.masterKey)), ...(wishes.key ? [wishes.key] : [])];
  // The whole file is verified before any of it is used, and once more as it is read.
  for await (const line of linesOf(wishes.file, trusted))
    if (line.kind === 'account') refuseDeleted(line, wishes);
  await client.query('begin');
  try {
    const done = await new Import(client, config, parts, wishes).run(linesOf(wishes.file, trusted));
    await client.query('commit');
    return done;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw isAboutAValue(error)
      ? new TenantArchiveError(`O arquivo tem um valor que não serve: ${error.message}.`)
      : error;
  }
}

/** Postgres refused a value (SQLSTATE 22, 23), or it has another shape: the file is signed by somebody who writes other ones. */
const isAboutAValue = (error: unknown): error is Error =>
  error instanceof z.ZodError || (error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? ''));

function refuseDeleted({ user }: AccountLine, { forgotten }: ImportWishes): void {
  const deletion = forgotten.find((entry) => 'accountId' in entry && entry.accountId === user.id);
  if (deletion)
    throw new TenantArchiveError(
      `A conta deste personal foi excluída deste Rende em ${deletion.at}: ela não volta.`,
    );
}

class Import {
  private readonly keys = new Map<string, Buffer>();
  private readonly tokens: LinkTokens;
  private readonly at = new Date().toISOString();
  private tenantId = '';
  private userId = '';
  private isForeign = false;
  private announced = 0;
  private waiting: EventLine[] = [];

  constructor(
    private readonly client: pg.ClientBase,
    private readonly config: Config,
    private readonly parts: ImportParts,
    private readonly wishes: ImportWishes,
  ) {
    this.tokens = new LinkTokens(config);
  }

  async run(lines: AsyncIterable<Line>): Promise<Imported> {
    const { client, parts } = this;
    const done: Imported = { tenantId: '', events: 0, files: 0, email: '', otherSlug: null, withAccount: 0 };
    for await (const line of lines) {
      if (line.kind !== 'event' && this.waiting.length > 0) await this.flush();
      switch (line.kind) {
        case 'header':
          this.tenantId = done.tenantId = z.uuid().parse(line.tenant_id);
          done.withAccount = line.students_with_account;
          this.announced = line.events;
          this.isForeign = line.public_key !== publicKeyOf(signingKeyOf(this.config.masterKey));
          break;
        case 'account':
          done.email = await this.open(line, this.wishes.email?.trim().toLowerCase() ?? line.user.email);
          break;
        case 'row':
          if (line.table === 'tenants') done.otherSlug = await this.insertTenant(line.row);
          else await this.insert(line.table, line.row);
          break;
        case 'key':
          await this.addKey(line);
          break;
        case 'event':
          if (!parts.codec.reads(line))
            throw new TenantArchiveError(
              `O registro ${line.position} é de uma versão mais nova do Rende (${line.type} ${line.schema_version}). Atualize o Rende e importe de novo.`,
            );
          done.events += 1;
          this.waiting.push(line);
          if (this.waiting.length === EVENTS_AT_ONCE) await this.flush();
          break;
        case 'file':
          done.files += 1;
          await this.addFile(line);
      }
    }
    if (this.waiting.length > 0) await this.flush();
    if (done.events !== this.announced)
      throw new TenantArchiveError(
        `O arquivo tem ${plural(done.events, 'registro', 'registros')}, e deveria ter ${this.announced}.`,
      );
    await client.query(RECORD(this.tenantId));
    for (const guard of parts.guards.guards) await parts.guards.replay(client, guard, this.tenantId);
    await client.query(CHECKPOINTS, [this.tenantId, parts.features.all.projections.map(({ name }) => name)]);
    const [broken] = await brokenChains(
      async (text, values) => (await client.query<never>(text, values)).rows,
      [this.tenantId],
    );
    if (broken) throw new TenantArchiveError(`O histórico não está completo: ${broken.message}.`);
    return done;
  }

  private async open({ user, profile, sessions }: AccountLine, email: string): Promise<string> {
    const { client, config } = this;
    this.userId = user.id;
    const { rows } = await client.query<{ why: string | null }>(KNOWN, [this.tenantId, user.id, email]);
    if (rows[0]!.why !== null) throw new TenantArchiveError(rows[0]!.why);
    await client.query(NEW_USER, [user.id, email, user.name, user.created_at]);
    if (profile) {
      const { cpf } = profile as { cpf?: string };
      const fingerprint =
        cpf === undefined
          ? null
          : createHmac('sha256', fingerprintKeyOf(config.masterKey)).update(cpf).digest();
      const sealed = seal(sealingKeyOf(config.masterKey), Buffer.from(JSON.stringify(profile)), user.id);
      await client.query(NEW_PROFILE, [user.id, fingerprint, sealed]);
    }
    for (const { id, user_agent, created_at } of sessions)
      await client.query(ENDED_SESSION, [id, user.id, randomBytes(32), user_agent, created_at]);
    await client.query(OPEN, [this.tenantId, this.parts.guards.current]);
    await client.query(ARRIVING);
    return email;
  }

  /** Returns the number of rows. */
  private async insert(table: string, row: Record<string, unknown>): Promise<number> {
    if (!Object.hasOwn(CARRIED, table))
      throw new TenantArchiveError(`O arquivo tem a tabela ${table}, que não é lida.`);
    // Nobody else of this Rende becomes a member of it.
    if ('user_id' in row && row.user_id !== this.userId)
      throw new TenantArchiveError(`O arquivo tem uma linha da tabela ${table} de outra conta.`);
    // The address of a page may be another trainer's.
    const rest = table === 'slugs' ? 'on conflict do nothing' : '';
    const { rowCount } = await this.client.query(
      `insert into ${table} select * from jsonb_populate_record(null::${table}, $1::jsonb) ${rest}`,
      [JSON.stringify({ ...row, tenant_id: this.tenantId })],
    );
    return rowCount ?? 0;
  }

  /** Returns the slug where it is another one than the archive's. A slug that is taken is not inserted. */
  private async insertTenant(row: Record<string, unknown>): Promise<string | null> {
    if ((await this.insert('tenants', row)) > 0) return null;
    const slug = `${String(row.slug)}-${this.tenantId.slice(0, 8)}`;
    await this.insert('tenants', { ...row, slug });
    return slug;
  }

  private async addKey({ id, created_at, forgotten_at, retained }: KeyLine): Promise<void> {
    const { personalData } = this.parts;
    let wrapped: Buffer | null = null;
    if (forgotten_at === null) {
      const key = personalData.newKey();
      this.keys.set(id, key);
      wrapped = personalData.wrap(key, this.tenantId, id);
    }
    const { person = null, name = null, until = null } = retained ?? {};
    const values = [this.tenantId, id, wrapped, created_at, forgotten_at, person, name, until];
    await this.client.query(NEW_KEY, values);
  }

  private async flush(): Promise<void> {
    const rows = this.waiting.map((line) => {
      const { kind: _kind, hash, meta, ...event } = line;
      const row = { ...event, data: this.linked(line), tenant_id: this.tenantId };
      const data = this.parts.codec.sealedData(row, this.keys);
      return { ...event, data, meta: { ...meta, origin: { hash, at: this.at } } };
    });
    this.waiting = [];
    await this.client.query(ARRIVE, [JSON.stringify(rows)]);
  }

  /** Tokens of links are derived from the master key: those that a Rende with another one shows are its own. */
  private linked({ stream_id, data }: EventLine): EventLine['data'] {
    if (!this.isForeign || !('token_hash' in data)) return data;
    const { feed_id, link_id, reminder_id, request_id, transaction_id } = data as Record<string, string>;
    const hashes = (purpose: Parameters<LinkTokens['storedHashOf']>[0], id: string) => ({
      ...data,
      token_hash: this.tokens.storedHashOf(purpose, id),
    });
    switch (stream_id.slice(0, stream_id.indexOf(':'))) {
      case 'charge':
        return hashes('payment', link_id!);
      case 'student-access':
        return link_id ? hashes('student-area', link_id) : data;
      case 'calendar-feed':
        return hashes('calendar-feed', feed_id!);
      case 'student-calendar':
        return hashes('student-calendar', feed_id!);
      case 'reminder':
        return hashes('reminder', reminder_id!);
      case 'signature-request':
        return hashes('contract', request_id!);
      case 'receipt': {
        const code = `R-${this.tokens.codeOf('receipt-code', transaction_id!)}`;
        return { ...hashes('receipt', transaction_id!), codigo_hash: codeHash(code).toString('hex') };
      }
      default:
        return data;
    }
  }

  private async addFile({ id, person_id, key_id, sha256, kept_at, content }: FileLine): Promise<void> {
    const sealed = seal(this.keys.get(key_id)!, Buffer.from(content, 'base64'), contextOf(this.tenantId, id));
    await this.client.query(NEW_FILE, [this.tenantId, id, person_id, key_id, sha256, sealed, kept_at]);
  }
}
