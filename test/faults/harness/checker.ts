import { isDeepStrictEqual } from 'node:util';
import type pg from 'pg';
import { AppModule } from '../../../backend/app.module.js';
import { readConfig } from '../../../backend/platform/config/env.js';
import { createPool } from '../../../backend/platform/database/pools.js';
import { Audit } from '../../../backend/platform/event-store/audit.js';
import { EventCodec } from '../../../backend/platform/event-store/event-codec.js';
import { GuardRebuild } from '../../../backend/platform/event-store/guard-rebuild.js';
import { PersonalData } from '../../../backend/platform/event-store/personal-data.js';
import { featuresOf } from '../../../backend/platform/features.js';
import { caughtUp, rebuild, snapshot } from '../../proof/read-tables.js';
import type { TestDatabase } from '../../support/database.js';
import { environmentFor } from '../../support/environment.js';
import { type History, said } from './history.js';

const features = featuresOf(AppModule);

/** Queries that return a row `(tenant_id, finding)` for every violation of an invariant. */
const BROKEN: Record<string, string> = {
  'I1 a lot is not what its entries add up to': `
    with events as (
      select tenant_id, (data->>'lot_id')::uuid as lot_id,
        case type when 'CreditsGranted' then (data->>'quantidade')::int
          when 'CreditsOpened' then (data->>'quantidade')::int when 'CreditConsumed' then -1 else 1 end as n
      from events where type in ('CreditsGranted', 'CreditsOpened', 'CreditConsumed', 'CreditReturned')
      union all
      select tenant_id, lot_id, quantidade from events, jsonb_to_recordset(data->'lotes') as s(lot_id uuid, quantidade int)
      where type = 'CreditsAdjusted'
    ), log as (select tenant_id, lot_id, sum(n) as n from events group by 1, 2),
    ledger as (select tenant_id, lot_id, sum(quantidade) as n from read.credit_entries group by 1, 2)
    select tenant_id, format('%s: log %s, ledger %s, balance %s, guard %s', lot_id, log.n, ledger.n, b.restante, g.remaining)
      as finding
    from log full join ledger using (tenant_id, lot_id)
      full join read.credit_lot_balances b using (tenant_id, lot_id)
      full join credit_lots g using (tenant_id, lot_id)
    where log.n is distinct from ledger.n or log.n is distinct from b.restante or log.n is distinct from g.remaining`,
  'I1 a lot was below zero': `
    select tenant_id, format('%s at %s', lot_id, position) as finding from (
      select tenant_id, lot_id, position, sum(quantidade) over (partition by tenant_id, lot_id order by position) as n
      from read.credit_entries
    ) e where n < 0`,
  'I2 sessions overlap unasked': `
    with live as (
      select s.*, e.position, e.asked from read.sessions s cross join lateral (
        select position, (data->>'permitir_conflito')::boolean as asked from events
        where tenant_id = s.tenant_id and stream_id = 'session:' || s.id
          and (type in ('SessionBooked', 'SessionRestored') or type = 'SessionRescheduled' and data->>'ocupa' = 'true'
            or type in ('SessionCompleted', 'SessionReopened') and data->>'de' = 'cancelada')
        order by position desc limit 1
      ) e where s.status <> 'cancelada' and not s.deleted
    )
    select a.tenant_id, format('%s and %s', a.id, b.id) as finding from live a
    join live b on b.tenant_id = a.tenant_id and a.position < b.position
      and tstzrange(a.inicio, a.fim) && tstzrange(b.inicio, b.fim)
    where not b.asked`,
  'I5 positions have holes': `
    select tenant_id, format('%s events, head %s, last %s', count(e.position), l.position, max(e.position)) as finding
    from tenant_log l left join events e using (tenant_id) group by tenant_id, l.position
    having count(distinct e.position) <> l.position or count(e.position) <> l.position
      or coalesce(max(e.position), 0) <> l.position`,
  'I5 versions have holes': `
    select tenant_id, stream_id as finding from events group by tenant_id, stream_id
    having count(*) <> max(version) or count(distinct version) <> count(*) or min(version) <> 1`,
  'I6 a stream belongs to two tenants': `
    select min(tenant_id::text) as tenant_id, stream_id as finding from events group by stream_id
    having count(distinct tenant_id) > 1`,
  'I6 a row of another tenant was touched': `
    select r.tenant_id, r.id::text as finding from (
      select tenant_id, id, 'student' as name from read.students
      union all select tenant_id, id, 'session' from read.sessions
      union all select tenant_id, coalesce(estorno_de, id), 'transaction' from read.transactions
    ) r where not exists (
      select from events e where e.tenant_id = r.tenant_id and e.stream_id = r.name || ':' || r.id)`,
  'I7 allocations do not add up': `
    select tenant_id, finding from (
      select tenant_id, data->>'transaction_id' as finding, data->>'tipo' as tipo, (data->>'valor')::bigint as valor,
        data->'alocacoes' as parts from events where type in ('TransactionRecorded', 'TransactionReversed')
      union all select tenant_id, id::text, tipo, valor, alocacoes from read.transactions
    ) t where valor * (tipo = 'receita')::int <>
      (select coalesce(sum((part->>'valor')::bigint), 0) from jsonb_array_elements(parts) part)`,
};

/**
 * Searches history and database for violations of I1–I9, while no commands run. There are no contracts, so nothing can
 * violate I8.
 */
export class Checker {
  /** Each tenant's last event at the previous check, which must still be there at the next one. */
  private readonly seen = new Map<string, { position: number; hash: string }>();

  constructor(
    private readonly database: TestDatabase,
    private readonly history: History,
  ) {}

  /** All violations as texts; empty if all invariants hold. */
  async findings(): Promise<string[]> {
    await caughtUp(this.database);
    const broken = await Promise.all(
      Object.entries(BROKEN).map(async ([name, text]) => {
        const rows = await this.database.query<{ tenant_id: string; finding: string }>(`${text} limit 10`);
        return rows.map(({ tenant_id, finding }) => `${name}: ${tenant_id} ${finding}`);
      }),
    );
    return [
      ...this.history.complaints,
      ...broken.flat(),
      ...(await this.exactlyOnce()),
      ...(await this.neverChanged()),
      ...(await this.sameAsRebuilt()),
    ];
  }

  /** I3, and the part of I6 that a command's events belong to its tenant. */
  private async exactlyOnce(): Promise<string[]> {
    const rows = await this.database.query<{
      request: string;
      tenant_id: string;
      first: number;
      last: number;
      count: number;
    }>(
      `select meta->>'request' as request, tenant_id, min(position)::int as first, max(position)::int as last,
         count(*)::int as count from events group by 1, 2`,
    );
    const byKey = new Map<string, typeof rows>();
    for (const row of rows) {
      const key = row.request.split('.')[0]!;
      byKey.set(key, [...(byKey.get(key) ?? []), row]);
    }
    return this.history.commands.flatMap((command) => {
      const recorded = byKey.get(command.key) ?? [];
      const wrong = (what: string) => `I3 ${said(command)}, ${command.outcome}: ${what}`;
      const [effect, ...more] = recorded;
      if (more.length > 0) return [wrong(`${recorded.length} effects`)];
      if (effect && effect.tenant_id !== command.trainer.tenantId)
        return [`I6 ${said(command)} recorded for ${effect.tenant_id}`];
      if (effect && effect.count !== effect.last - effect.first + 1)
        return [wrong('events with others between')];
      if (command.outcome === 'refused' && effect) return [wrong('events')];
      if (command.outcome !== 'acknowledged') return [];
      if (!effect) return [wrong('no events')];
      const position = Number(command.acknowledged!.headers['rende-position']);
      return position === effect.last
        ? []
        : [wrong(`answered position ${position}, recorded at ${effect.last}`)];
    });
  }

  /** I9: hash chains and guards are valid, and the last event of the previous check is still there. */
  private async neverChanged(): Promise<string[]> {
    const findings: string[] = [];
    for (const [tenantId, { position, hash }] of this.seen) {
      const [row] = await this.database.query<{ hash: string }>(
        `select encode(hash, 'hex') as hash from events where tenant_id = $1 and position = $2`,
        [tenantId, position],
      );
      if (row?.hash !== hash) findings.push(`I9 ${tenantId} has another event at ${position}`);
    }
    const heads = await this.database.query<{ tenant_id: string; position: number; hash: string }>(
      `select tenant_id, position::int, encode(head_hash, 'hex') as hash from tenant_log where position > 0`,
    );
    for (const { tenant_id, position, hash } of heads) this.seen.set(tenant_id, { position, hash });

    const config = readConfig(environmentFor(this.database));
    const codec = new EventCodec(features, new PersonalData(config));
    const audit = new Audit(new GuardRebuild(features, codec), codec);
    const pool = createPool(config.databaseOwnerUrl!, {
      max: 1,
      searchPath: 'public,read',
      applicationName: 'test',
    });
    const owner: pg.PoolClient = await pool.connect();
    try {
      for (const { tenantId, position, message } of await audit.verify(owner, await audit.tenants(owner)))
        findings.push(`I9 ${tenantId} ${position ?? ''}: ${message}`);
    } finally {
      owner.release();
      await pool.end();
    }
    return findings;
  }

  /** I4: rebuilt read tables have exactly the same rows as the live ones. */
  private async sameAsRebuilt(): Promise<string[]> {
    const live = await snapshot(this.database);
    await rebuild(this.database);
    const rebuilt = await snapshot(this.database);
    return Object.entries(live).flatMap(([table, rows]) => {
      if (isDeepStrictEqual(rows, rebuilt[table])) return [];
      const other = new Set(rebuilt[table]);
      const own = new Set(rows);
      return [
        `I4 ${table}: live has ${rows.length} rows, the fold ${other.size}; only live: ${rows.find((row) => !other.has(row))}; only the fold: ${rebuilt[table]!.find((row) => !own.has(row))}`,
      ];
    });
  }
}
