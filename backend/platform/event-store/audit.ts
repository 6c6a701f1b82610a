import type pg from 'pg';
import type { Query } from '../database/database.js';
import type { EventCodec } from './event-codec.js';
import type { GuardRebuild } from './guard-rebuild.js';
import { wrongSnapshots } from './snapshots.js';

/** A finding in Portuguese, with its tenant and, for an event, the position. */
export interface Finding {
  tenantId: string;
  position?: number;
  message: string;
}

// Compares each stored hash with the one computed from the event and the previous hash, in one pass.
const BROKEN = `select distinct on (tenant_id) tenant_id, position, case
    when position <> expected then format('falta o evento da posição %s', expected)
    else 'o evento não confere com o seu hash' end as message
  from (
    select tenant_id, position, hash, row_number() over w as expected,
      event_hash(coalesce(lag(hash) over w, genesis_hash(tenant_id)), position, stream_id, version, type,
                 schema_version, data, meta, recorded_at) as computed
    from events where tenant_id = any($1::uuid[]) window w as (partition by tenant_id order by position)
  ) walked where position <> expected or hash <> computed order by tenant_id, position`;
const HEADS = `select l.tenant_id, case when l.position <> coalesce(e.position, 0) then coalesce(e.position, 0) + 1 else l.position end as position,
    case when l.position <> coalesce(e.position, 0)
      then format('o log vai até %s, os eventos até %s', l.position, coalesce(e.position, 0))
      else 'a cabeça da corrente não é o hash do último evento' end as message
  from tenant_log l left join lateral (
    select position, hash from events where tenant_id = l.tenant_id order by position desc limit 1
  ) e on true
  where l.tenant_id = any($1::uuid[])
    and (l.position <> coalesce(e.position, 0) or coalesce(e.hash, genesis_hash(l.tenant_id)) <> l.head_hash)`;
const STREAMS = `select distinct on (tenant_id) tenant_id, null as position, format('as versões de %s têm falhas', stream_id) as message
  from (select tenant_id, stream_id from events where tenant_id = any($1::uuid[])
    group by tenant_id, stream_id having count(*) <> max(version) or min(version) <> 1) holes order by tenant_id, stream_id`;

const EVENTS_THAT_FORGET =
  'select tenant_id, type, data from events where tenant_id = any($1::uuid[]) and type = any($2::text[])';
const GUARD_SETS = 'select tenant_id, guards from tenant_log where tenant_id = any($1::uuid[])';
const DESTROYED =
  'select tenant_id, person_id from person_keys where tenant_id = any($1::uuid[]) and wrapped_key is null';

/** Of hash chains and log heads, only the first finding of each tenant: after a broken event, the head is wrong as well. */
export async function brokenChains(query: Query, tenantIds: readonly string[]): Promise<Finding[]> {
  const found = new Map<string, Finding>();
  for (const look of [BROKEN, HEADS, STREAMS]) {
    const rows = await query<{ tenant_id: string; position: number | null; message: string }>(look, [
      tenantIds,
    ]);
    for (const { tenant_id: tenantId, position, message } of rows)
      if (!found.has(tenantId))
        found.set(tenantId, { tenantId, ...(position !== null && { position }), message });
  }
  return [...found.values()];
}

/** Tenants that are audited in one transaction. */
const AT_ONCE = 200;

/** Checks hash chains and log heads, and compares snapshots, guard tables and destroyed keys with the log. */
export class Audit {
  constructor(
    private readonly guards: GuardRebuild,
    private readonly codec: EventCodec,
  ) {}

  async tenants(client: pg.ClientBase): Promise<string[]> {
    const { rows } = await client.query<{ tenant_id: string }>(
      'select tenant_id from tenant_log order by tenant_id',
    );
    return rows.map(({ tenant_id }) => tenant_id);
  }

  /**
   * All findings about these tenants; only the first broken event of each. `client` is connected as the owner. A few
   * hundred tenants at a time are read from one snapshot of the database, while their commands continue.
   */
  async verify(client: pg.ClientBase, tenantIds: readonly string[]): Promise<Finding[]> {
    const findings: Finding[] = [];
    for (let at = 0; at < tenantIds.length; at += AT_ONCE)
      findings.push(...(await this.verifySome(client, tenantIds.slice(at, at + AT_ONCE))));
    return findings;
  }

  private async verifySome(client: pg.ClientBase, tenantIds: readonly string[]): Promise<Finding[]> {
    await client.query('begin isolation level repeatable read');
    try {
      return [
        ...(await brokenChains(
          async (text, values) => (await client.query<never>(text, values)).rows,
          tenantIds,
        )),
        ...(await this.verifyForgotten(client, tenantIds)),
        ...(await this.verifySnapshots(client, tenantIds)),
        ...(await this.verifyGuards(client, tenantIds)),
      ];
    } finally {
      // The temporary guard tables are dropped at the end of the transaction.
      await client.query('rollback');
    }
  }

  private async verifyForgotten(client: pg.ClientBase, tenantIds: readonly string[]): Promise<Finding[]> {
    const events = await client.query<{ tenant_id: string; type: string; data: Record<string, unknown> }>(
      EVENTS_THAT_FORGET,
      [tenantIds, this.codec.typesThatForget],
    );
    const keys = await client.query<{ tenant_id: string; person_id: string }>(DESTROYED, [tenantIds]);
    const forgotten = new Set(
      events.rows.map(
        ({ tenant_id, type, data }) => `${tenant_id}/${this.codec.forgottenBy(type, data)?.key}`,
      ),
    );
    const destroyed = new Set(keys.rows.map(({ tenant_id, person_id }) => `${tenant_id}/${person_id}`));
    const finding = (each: string, what: string): Finding => {
      const [tenantId, person] = each.split('/') as [string, string];
      return { tenantId, message: `a pessoa ${person} ${what}` };
    };
    return [
      ...[...forgotten]
        .filter((each) => !destroyed.has(each))
        .map((each) => finding(each, 'teve os dados apagados, mas ainda tem chave')),
      ...[...destroyed]
        .filter((each) => !forgotten.has(each))
        .map((each) => finding(each, 'não tem chave, mas o log não diz que os dados foram apagados')),
    ];
  }

  private async verifySnapshots(client: pg.ClientBase, tenantIds: readonly string[]): Promise<Finding[]> {
    const wrong = await wrongSnapshots(client, this.codec, tenantIds);
    return wrong.map(({ tenantId, streamId }) => ({
      tenantId,
      message: `${streamId}: o estado guardado não é o dos eventos`,
    }));
  }

  /**
   * Temporary tables come first on the search path, so the guard's own statements fill them from the log. They are
   * created once for many tenants, because creating them costs more than auditing one. A guard that a tenant does not
   * have yet is left out: it is built before the tenant's next command.
   */
  private async verifyGuards(client: pg.ClientBase, tenantIds: readonly string[]): Promise<Finding[]> {
    const findings: Finding[] = [];
    const { rows: sets } = await client.query<{ tenant_id: string; guards: string }>(GUARD_SETS, [tenantIds]);
    for (const guard of this.guards.guards) {
      const built = sets
        .filter(({ guards }) => !this.guards.differingFrom(guards).includes(guard))
        .map(({ tenant_id }) => tenant_id);
      for (const table of guard.tables) {
        await client.query(`create temp table ${table} (like public.${table} including all) on commit drop`);
      }
      const replayed: string[] = [];
      for (const tenantId of built) {
        await client.query('savepoint guard');
        try {
          await this.guards.replay(client, guard, tenantId);
          await client.query('release savepoint guard');
          replayed.push(tenantId);
        } catch (error) {
          await client.query('rollback to savepoint guard');
          const { code } = error as { code?: string };
          findings.push({
            tenantId,
            message: `a guarda ${guard.name} não pôde ser reconstruída do log (${code})`,
          });
        }
      }
      for (const table of guard.tables) {
        const { rows } = await client.query<{ tenant_id: string; row: unknown; side: string }>(
          `select distinct on (tenant_id) tenant_id, side, row from (
             (select 'a mais' as side, tenant_id, to_jsonb(t) as row from public.${table} t where tenant_id = any($1::uuid[])
              except all select 'a mais', tenant_id, to_jsonb(t) from pg_temp.${table} t)
             union all
             (select 'faltando', tenant_id, to_jsonb(t) from pg_temp.${table} t
              except all select 'faltando', tenant_id, to_jsonb(t) from public.${table} t where tenant_id = any($1::uuid[]))
           ) differences order by tenant_id, side`,
          [replayed],
        );
        for (const { tenant_id: tenantId, side, row } of rows)
          findings.push({ tenantId, message: `${table}: linha ${side}: ${JSON.stringify(row)}` });
      }
    }
    return findings;
  }
}
