import { Injectable } from '@nestjs/common';
import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import { prepared } from '../database/pools.js';
import { FeatureRegistry } from '../features.js';
import { EventCodec, type EventRow } from './event-codec.js';
import type { Guard } from './guard.js';

const EVENTS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at
  from events where tenant_id = $1 and position > $2 and type = any($3::text[]) order by position limit 1000`;
const SEE = `select set_config('app.tenant', $1, true)`;
const LOCK = 'select guards from tenant_log where tenant_id = $1 for no key update';
const DONE = 'update tenant_log set guards = $2 where tenant_id = $1';

/** Names of guards with their versions, in the form of `tenant_log.guards`. */
export type GuardVersions = ReadonlyMap<string, number>;

export function parseGuardSet(stored: string): GuardVersions {
  const entries = stored === '' ? [] : stored.split(', ').map((each) => each.split(' ') as [string, string]);
  return new Map(entries.map(([name, version]) => [name, Number(version)]));
}

/** Writes guard tables from the log, into the tables that the connection's search path names first. */
@Injectable()
export class GuardRebuild {
  private set: string | undefined;

  constructor(
    private readonly features: FeatureRegistry,
    private readonly codec: EventCodec,
  ) {}

  get guards(): readonly Guard[] {
    return this.features.all.guards;
  }

  /** The guards that this process writes, in the form of `tenant_log.guards`. */
  get current(): string {
    return (this.set ??= this.guards
      .map(({ name, version = 1 }) => `${name} ${version}`)
      .sort()
      .join(', '));
  }

  /** The guards whose version differs from the tenant's. */
  differingFrom(stored: string): Guard[] {
    const versions = parseGuardSet(stored);
    return this.guards.filter(({ name, version = 1 }) => versions.get(name) !== version);
  }

  /**
   * Replaces a tenant's rows of every guard with those derived from its log; deletes snapshots, which are made again
   * later.
   */
  async rebuild(client: pg.ClientBase, tenantId: string): Promise<void> {
    await this.write(client, tenantId, async () => {
      await client.query('delete from snapshots where tenant_id = $1', [tenantId]);
      return this.guards;
    });
  }

  /** Builds a tenant's guards that are new or of another version than its rows. Returns their number. */
  async build(client: pg.ClientBase, tenantId: string): Promise<number> {
    return this.write(client, tenantId, (stored) => Promise.resolve(this.differingFrom(stored)));
  }

  /** One transaction under the tenant's lock: if the process is killed, nothing has changed. */
  private async write(
    client: pg.ClientBase,
    tenantId: string,
    choose: (stored: string) => Promise<readonly Guard[]>,
  ): Promise<number> {
    await client.query('begin');
    try {
      await client.query(prepared(SEE, [tenantId]));
      const { rows } = await client.query<{ guards: string }>(prepared(LOCK, [tenantId]));
      if (!rows[0]) throw new Error(`Não há tenant ${tenantId}.`);
      const chosen = await choose(rows[0].guards);
      for (const guard of chosen) {
        for (const table of [...guard.tables].reverse()) {
          await client.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
        }
        await this.replay(client, guard, tenantId);
      }
      if (rows[0].guards !== this.current) await client.query(prepared(DONE, [tenantId, this.current]));
      await client.query('commit');
      return chosen.length;
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }

  /** Personal fields stay encrypted: no guard may depend on them. */
  async replay(client: pg.ClientBase, guard: Guard, tenantId: string): Promise<void> {
    let after = 0;
    for (;;) {
      const { rows } = await client.query<EventRow>(prepared(EVENTS, [tenantId, after, guard.events]));
      if (rows.length === 0) return;
      const statements = rows.flatMap((row) => {
        const { streamId, type, data } = this.codec.decode(row, new Map());
        return guard.statements({ tenantId, streamId, type, data });
      });
      if (statements.length > 0) await runBatch(client, statements);
      after = rows.at(-1)!.position;
    }
  }
}
