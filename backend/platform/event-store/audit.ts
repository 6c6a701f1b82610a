import type pg from 'pg';
import type { EventCodec } from './event-codec.js';
import type { GuardRebuild } from './guard-rebuild.js';

/** Something that is not as the log says, in Portuguese; the tenant and, for an event, its position. */
export interface Finding {
  tenantId: string;
  position?: number;
  message: string;
}

// Each stored hash is compared with the one computed from the event and the hash before it, all in one walk.
const BROKEN = `select position, case
    when position <> expected then format('falta o evento da posição %s', expected)
    else 'o evento não confere com o seu hash' end as message
  from (
    select position, hash, row_number() over w as expected,
      event_hash(coalesce(lag(hash) over w, genesis_hash(tenant_id)), position, stream_id, version, type,
                 schema_version, data, meta, recorded_at) as computed
    from events where tenant_id = $1 window w as (order by position)
  ) walked where position <> expected or hash <> computed order by position limit 1`;
const HEAD = `select l.position as log_position, e.position as last_position, coalesce(e.hash, genesis_hash(l.tenant_id)) = l.head_hash as same_hash
  from tenant_log l left join lateral (
    select position, hash from events where tenant_id = l.tenant_id order by position desc limit 1
  ) e on true where l.tenant_id = $1`;
const STREAMS = `select stream_id, count(*) as events, max(version) as last from events where tenant_id = $1
  group by stream_id having count(*) <> max(version) or min(version) <> 1 limit 1`;

const FORGETTINGS = 'select type, data from events where tenant_id = $1 and type = any($2::text[])';
const DESTROYED = 'select person_id from person_keys where tenant_id = $1 and wrapped_key is null';

/**
 * Walks hash chains, compares heads, and compares guard tables and destroyed keys with what the log says about them.
 */
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
   * Everything that is wrong with one tenant, the first broken event only. `client` belongs to the owner; the tenant is
   * seen as of one moment, while its commands go on.
   */
  async verify(client: pg.ClientBase, tenantId: string): Promise<Finding[]> {
    await client.query('begin isolation level repeatable read');
    try {
      const findings = [
        ...(await this.verifyChain(client, tenantId)),
        ...(await this.verifyForgotten(client, tenantId)),
        ...(await this.verifyGuards(client, tenantId)),
      ];
      return findings.map((finding) => ({ tenantId, ...finding }));
    } finally {
      // The copies of guard tables go with the transaction.
      await client.query('rollback');
    }
  }

  private async verifyChain(client: pg.ClientBase, tenantId: string): Promise<Omit<Finding, 'tenantId'>[]> {
    const broken = await client.query<{ position: number; message: string }>(BROKEN, [tenantId]);
    if (broken.rows[0]) return [broken.rows[0]];
    const head = await client.query<{
      log_position: number;
      last_position: number | null;
      same_hash: boolean;
    }>(HEAD, [tenantId]);
    const { log_position, last_position, same_hash } = head.rows[0]!;
    if (log_position !== (last_position ?? 0)) {
      return [
        {
          position: (last_position ?? 0) + 1,
          message: `o log vai até ${log_position}, os eventos até ${last_position ?? 0}`,
        },
      ];
    }
    if (!same_hash)
      return [{ position: log_position, message: 'a cabeça da corrente não é o hash do último evento' }];
    const holes = await client.query<{ stream_id: string }>(STREAMS, [tenantId]);
    return holes.rows.map(({ stream_id }) => ({ message: `as versões de ${stream_id} têm falhas` }));
  }

  private async verifyForgotten(
    client: pg.ClientBase,
    tenantId: string,
  ): Promise<Omit<Finding, 'tenantId'>[]> {
    const events = await client.query<{ type: string; data: Record<string, unknown> }>(FORGETTINGS, [
      tenantId,
      this.codec.forgetting,
    ]);
    const keys = await client.query<{ person_id: string }>(DESTROYED, [tenantId]);
    const forgotten = new Set(events.rows.map(({ type, data }) => this.codec.forgottenBy(type, data)!));
    const destroyed = new Set(keys.rows.map(({ person_id }) => person_id));
    return [
      ...[...forgotten]
        .filter((person) => !destroyed.has(person))
        .map((person) => `a pessoa ${person} foi esquecida, e ainda tem chave`),
      ...[...destroyed]
        .filter((person) => !forgotten.has(person))
        .map((person) => `a pessoa ${person} não tem chave, e o log não diz que foi esquecida`),
    ].map((message) => ({ message }));
  }

  /** A temporary table comes first on the search path: the guard's own statements fill it from the log. */
  private async verifyGuards(client: pg.ClientBase, tenantId: string): Promise<Omit<Finding, 'tenantId'>[]> {
    const findings: Omit<Finding, 'tenantId'>[] = [];
    for (const guard of this.guards.guards) {
      for (const table of guard.tables) {
        await client.query(`create temp table ${table} (like public.${table} including all) on commit drop`);
      }
      try {
        await client.query('savepoint guard');
        await this.guards.replay(client, guard, tenantId);
      } catch (error) {
        await client.query('rollback to savepoint guard');
        findings.push({
          message: `a guarda ${guard.name} não se refaz do log (${(error as { code?: string }).code})`,
        });
        continue;
      }
      for (const table of guard.tables) {
        const { rows } = await client.query<{ row: string; side: string }>(
          `select side, row from (
             (select 'a mais' as side, to_jsonb(t) as row from public.${table} t where tenant_id = $1
              except all select 'a mais', to_jsonb(t) from pg_temp.${table} t)
             union all
             (select 'faltando', to_jsonb(t) from pg_temp.${table} t
              except all select 'faltando', to_jsonb(t) from public.${table} t where tenant_id = $1)
           ) differences limit 1`,
          [tenantId],
        );
        if (rows[0])
          findings.push({ message: `${table}: linha ${rows[0].side}: ${JSON.stringify(rows[0].row)}` });
      }
    }
    return findings;
  }
}
