import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import type pg from 'pg';
import { runBatch, type Statement } from '../database/batch.js';
import { abandon, Database } from '../database/database.js';
import { prepared } from '../database/pools.js';
import { FeatureRegistry } from '../features.js';
import { Readiness } from '../ops/readiness.js';
import { EventCodec, type FactRow, type RegisteredAggregate } from './event-codec.js';
import { EVENTS_PER_SNAPSHOT, foldRows, takeMissingSnapshot } from './snapshots.js';

/** Runs a query as the worker, whose role sees every tenant. */
type Ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

const STORED = 'select aggregate, fold from snapshot_folds';
const STORE = `insert into snapshot_folds as f (aggregate, fold) values ($1, $2)
  on conflict (aggregate) do update set fold = excluded.fold where f.fold < excluded.fold`;
const TENANTS = 'select tenant_id from tenant_log where tenant_id > $1 order by tenant_id limit 100';
/** Long streams without a snapshot of this fold or a newer one. */
const MISSING = `select tenant_id, array_agg(stream_id) as streams from (
    select e.tenant_id, e.stream_id from events e
    where e.tenant_id = any($1::uuid[]) and e.type = any($2::text[])
    group by 1, 2 having max(e.version) >= ${EVENTS_PER_SNAPSHOT}
  ) long
  where not exists (
    select from snapshots s where s.tenant_id = long.tenant_id and s.stream_id = long.stream_id and s.fold >= $3
  ) group by tenant_id`;
const SEE = `select set_config('app.tenant', $1, true)`;
const EVENTS = `select tenant_id, stream_id, version, type, schema_version, data from events
  where tenant_id = $1 and stream_id = any($2::text[]) order by stream_id, version`;
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Streams whose events are in memory at the same time. */
const STREAMS_AT_ONCE = 50;

/**
 * Makes the snapshots of a new fold, so that no command has to fold years of a stream. After an interruption it
 * continues with the streams that are left.
 */
@Injectable()
export class SnapshotBuilds implements OnApplicationBootstrap {
  constructor(
    private readonly database: Database,
    private readonly features: FeatureRegistry,
    private readonly codec: EventCodec,
    private readonly readiness: Readiness,
  ) {}

  onApplicationBootstrap(): void {
    this.readiness.registerParts('snapshots behind', async () =>
      (await this.due((text, values) => this.database.lookUp(text, values))).map(
        ({ name }) => `snapshots ${name}`,
      ),
    );
  }

  async buildAll(ask: Ask): Promise<void> {
    for (const aggregate of await this.due(ask)) {
      let after = FIRST;
      for (;;) {
        const tenants = (await ask<{ tenant_id: string }>(TENANTS, [after])).map((row) => row.tenant_id);
        if (tenants.length === 0) break;
        const values = [tenants, Object.keys(aggregate.events), aggregate.fold];
        for (const { tenant_id, streams } of await ask<{ tenant_id: string; streams: string[] }>(
          MISSING,
          values,
        ))
          await this.make(aggregate, tenant_id, streams);
        after = tenants.at(-1)!;
      }
      await ask(STORE, [aggregate.name, aggregate.fold]);
    }
  }

  /** Aggregates whose fold is newer than the one of which all snapshots were made. */
  private async due(ask: Ask): Promise<RegisteredAggregate[]> {
    const rows = await ask<{ aggregate: string; fold: number }>(STORED, []);
    const stored = new Map(rows.map(({ aggregate, fold }) => [aggregate, fold]));
    return this.features.all.aggregates.filter(({ name, fold }) => (fold ?? 0) > (stored.get(name) ?? 0));
  }

  private async make(aggregate: RegisteredAggregate, tenantId: string, streams: string[]): Promise<void> {
    while (streams.length > 0) {
      const some = streams.splice(0, STREAMS_AT_ONCE);
      const client = await this.database.pool.connect();
      try {
        await client.query('begin');
        await client.query(prepared(SEE, [tenantId]));
        const { rows } = await client.query<FactRow>(prepared(EVENTS, [tenantId, some]));
        await runBatch(client, [
          ...this.snapshotsOf(aggregate, tenantId, rows),
          { text: 'commit', values: [] },
        ]);
        client.release();
      } catch (error) {
        await abandon(client);
        throw error;
      }
    }
  }

  private snapshotsOf(aggregate: RegisteredAggregate, tenantId: string, rows: FactRow[]): Statement[] {
    const streams = new Map<string, FactRow[]>();
    for (const row of rows) streams.set(row.stream_id, [...(streams.get(row.stream_id) ?? []), row]);
    return [...streams].map(([streamId, events]) => {
      const state = foldRows(this.codec, aggregate, events);
      return takeMissingSnapshot(tenantId, streamId, aggregate.fold!, events.at(-1)!.version, state);
    });
  }
}
