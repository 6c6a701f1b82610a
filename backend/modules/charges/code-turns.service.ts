import { Injectable } from '@nestjs/common';
import type { QueryResultRow } from 'pg';
import { Database, type Query } from '../../platform/database/database.js';
import type { Connection } from './provider-connection.js';
import type { ProviderFailure } from './provider-failure.js';

const AGAIN = `on conflict (tenant_id, charge_id)
  do update set proxima_em = excluded.proxima_em, pedidos = pix_code_turns.pedidos + 1 returning charge_id`;
const ASK_FOR_ONE = `insert into pix_code_turns (tenant_id, charge_id, proxima_em)
  select $1::uuid, $2::uuid, $3::timestamptz where exists (select from pix_providers where tenant_id = $1)
    or exists (select from pix_codes where tenant_id = $1 and id = $2) ${AGAIN}`;
const ASK_FOR_ALL = `insert into pix_code_turns (tenant_id, charge_id, proxima_em)
  select $1::uuid, c.id, $2::timestamptz from charges c where c.tenant_id = $1 and c.status = 'aberta'
    and exists (select from pix_providers where tenant_id = $1)
  union select $1, c.id, $2 from pix_codes c where c.tenant_id = $1
  union select $1, r.charge_id, $2 from pix_code_turns r where r.tenant_id = $1 ${AGAIN}`;
const DUE = 'select tenant_id as "tenantId" from pix_code_turns_due($1)';
const IN_SIGHT = "select set_config('app.tenant', $1, true)";
/** Claims a due charge for three minutes; after that, another worker may claim it if this one was killed. */
const CLAIM = `update pix_code_turns set proxima_em = $2::timestamptz + interval '3 minutes'
  where tenant_id = $1 and charge_id = (
    select charge_id from pix_code_turns where tenant_id = $1 and proxima_em <= $2
    order by proxima_em, charge_id limit 1 for update skip locked)
  returning charge_id as "chargeId", pedidos, falha, falha_desde as "falhaDesde"`;
const DONE = 'delete from pix_code_turns where tenant_id = $1 and charge_id = $2 and pedidos = $3';
const LATER = `update pix_code_turns set falha = null, falha_desde = null,
    proxima_em = case when pedidos = $3 then $4::timestamptz else proxima_em end
  where tenant_id = $1 and charge_id = $2`;
/** The pause after a failure: as long as the failures have lasted, at least one minute and at most three hours. */
const REST = `greatest(interval '1 minute', least(interval '3 hours', $3::timestamptz - coalesce(falha_desde, $3::timestamptz)))`;
const FAILED = `update pix_code_turns set falha = $4, falha_desde = coalesce(falha_desde, $3::timestamptz),
    proxima_em = $3::timestamptz + ${REST}
  where tenant_id = $1 and charge_id = $2`;
/** Puts off all due charges of the tenant, because the provider refuses all calls, except those with a code of another connection. */
const ALL_FAILED = `update pix_code_turns t set falha = $4, falha_desde = coalesce(falha_desde, $3::timestamptz),
    proxima_em = $3::timestamptz + ${REST}
  where tenant_id = $1 and (charge_id = $2 or proxima_em <= $3 and not exists (
    select from pix_codes c where c.tenant_id = $1 and c.id = t.charge_id and c.connection_id <> $5))`;
/** A call to a former connection that is answered late says nothing of the present one. */
const CHECKED = `insert into pix_provider_checks as k (tenant_id, connection_id, testado_em, falha)
  select $1::uuid, $2::uuid, $3::timestamptz, $4 where exists (select from pix_providers where tenant_id = $1 and connection_id = $2)
  on conflict (tenant_id) do update
    set connection_id = excluded.connection_id, testado_em = excluded.testado_em, falha = excluded.falha`;

/** A charge whose code is due for a check, and the number of requests for checks. */
export interface Turn {
  chargeId: string;
  pedidos: number;
  /** Why the last check failed. */
  falha: string | null;
  /** Start of the current series of failed checks. */
  falhaDesde: Date | null;
}

/** Requests a check of a charge, in the caller's transaction. Returns whether there is anything to check. */
export async function askForOne(
  query: Query,
  tenantId: string,
  chargeId: string,
  now: Date,
): Promise<boolean> {
  return (await query(ASK_FOR_ONE, [tenantId, chargeId, now])).length > 0;
}

/** Like `askForOne`, for all charges that have or may need a code. */
export async function askForAll(query: Query, tenantId: string, now: Date): Promise<boolean> {
  return (await query(ASK_FOR_ALL, [tenantId, now])).length > 0;
}

/** When each charge's code is next checked at the provider, and the last result. Neither is in an event. */
@Injectable()
export class CodeTurns {
  constructor(private readonly database: Database) {}

  /** Tenants with a due charge; a limited number. */
  async due(now: Date): Promise<string[]> {
    const found = await this.database.lookUp<{ tenantId: string }>(DUE, [now]);
    return found.map(({ tenantId }) => tenantId);
  }

  async claim(tenantId: string, now: Date): Promise<Turn | undefined> {
    const [turn] = await this.inTenant<Turn>(tenantId, CLAIM, now);
    return turn;
  }

  /** Ends the checks of the charge, unless another one was requested meanwhile. */
  async done(tenantId: string, { chargeId, pedidos }: Turn): Promise<void> {
    await this.inTenant(tenantId, DONE, chargeId, pedidos);
  }

  /** Schedules the next check of the charge; at once if one was requested meanwhile. */
  async later(tenantId: string, { chargeId, pedidos }: Turn, at: Date): Promise<void> {
    await this.inTenant(tenantId, LATER, chargeId, pedidos, at);
  }

  /** `asked`: the current connection, if it was the one that failed. */
  async failed(
    tenantId: string,
    chargeId: string,
    now: Date,
    failure: ProviderFailure,
    asked: Connection | null,
  ): Promise<void> {
    const values = [chargeId, now, failure.code];
    await (failure.isOfOneCharge
      ? this.inTenant(tenantId, FAILED, ...values)
      : this.inTenant(tenantId, ALL_FAILED, ...values, asked?.connection_id ?? null));
  }

  /** Stores the result of the last call, for the settings page. */
  async note(
    tenantId: string,
    { connection_id }: Connection,
    now: Date,
    failure: ProviderFailure | null,
  ): Promise<void> {
    await this.inTenant(tenantId, CHECKED, connection_id, now, failure?.code ?? null);
  }

  /** Runs a statement under the tenant's row security; the tenant is its first value. */
  private inTenant<Row extends QueryResultRow>(
    tenantId: string,
    sql: string,
    ...values: unknown[]
  ): Promise<Row[]> {
    return this.database.transact(async (query) => {
      await query(IN_SIGHT, [tenantId]);
      return query<Row>(sql, [tenantId, ...values]);
    });
  }
}
