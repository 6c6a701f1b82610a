import type pg from 'pg';
import { runBatch } from '../database/batch.js';
import { prepared } from '../database/pools.js';
import type { FeatureRegistry } from '../features.js';
import type { EventCodec, EventRow } from './event-codec.js';
import type { Guard } from './guard.js';

const EVENTS = `select tenant_id, position, stream_id, version, type, schema_version, data, meta, recorded_at
  from events where tenant_id = $1 and position > $2 and type = any($3::text[]) order by position limit 1000`;

/** Writes guard tables from the log, into the tables that the connection's search path names first. */
export class GuardRebuild {
  constructor(
    private readonly features: FeatureRegistry,
    private readonly codec: EventCodec,
  ) {}

  get guards(): readonly Guard[] {
    return this.features.all.guards;
  }

  /** Replaces a tenant's guard rows by what its log says, under its lock; snapshots go, and are taken again in time. */
  async rebuild(client: pg.ClientBase, tenantId: string): Promise<void> {
    await client.query('begin');
    try {
      const locked = await client.query('select from tenant_log where tenant_id = $1 for no key update', [
        tenantId,
      ]);
      if (locked.rowCount === 0) throw new Error(`Não há tenant ${tenantId}.`);
      await client.query('delete from snapshots where tenant_id = $1', [tenantId]);
      for (const guard of this.guards) {
        for (const table of [...guard.tables].reverse()) {
          await client.query(`delete from ${table} where tenant_id = $1`, [tenantId]);
        }
        await this.replay(client, guard, tenantId);
      }
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
  }

  /** Personal fields are left as they are stored: no guard may depend on them. */
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
