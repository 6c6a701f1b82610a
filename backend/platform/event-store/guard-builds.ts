import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import type pg from 'pg';
import { Database } from '../database/database.js';
import { Readiness } from '../ops/readiness.js';
import { isPassing, whatFailed } from '../projections/projection-failure.js';
import { GuardRebuild, parseGuardSet } from './guard-rebuild.js';

const SETS = 'select guards from guard_sets()';

/** Runs a query as the worker, whose role sees every tenant. */
type Ask = <Row extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<Row[]>;

const WITH = `select tenant_id from tenant_log where guards = $1 and tenant_id > $2 order by tenant_id limit 500`;
/** Tenants without events for these guards, updated many at once. */
const ADOPT = 'select last_tenant, adopted from adopt_guards($1, $2, $3, $4, $5)';
const FIRST = '00000000-0000-0000-0000-000000000000';
/** Pause before guards that could not be built for a tenant are tried again. */
const TRY_AGAIN_MS = 60_000;

/**
 * Builds guards that a release adds or changes, from the log, one tenant at a time under that tenant's lock. A command that
 * meets a tenant whose guards are not built builds them first; the worker builds those of all other tenants, beginning with
 * tenants that have no events for them.
 */
@Injectable()
export class GuardBuilds implements OnApplicationBootstrap {
  private readonly logger = new Logger(GuardBuilds.name);
  /** When to try failed tenants again. */
  private readonly failed = new Map<string, number>();

  constructor(
    private readonly database: Database,
    private readonly guards: GuardRebuild,
    private readonly readiness: Readiness,
  ) {}

  onApplicationBootstrap(): void {
    this.readiness.registerParts('guards behind', () => this.behind());
  }

  /** Builds the guards of one tenant. */
  async build(tenantId: string): Promise<void> {
    const client = await this.database.pool.connect();
    let isWell = false;
    try {
      await this.guards.build(client, tenantId);
      isWell = true;
    } finally {
      client.release(!isWell);
    }
  }

  /**
   * Builds the guards of every tenant whose guard versions are older than those of this process. Newer ones are left
   * alone: while two releases run, commands of this release build the guards that they need.
   */
  async buildAll(ask: Ask): Promise<void> {
    for (const set of this.olderOf(await ask<{ guards: string }>(SETS, []))) {
      let built = await this.adopt(ask, set);
      let after = FIRST;
      for (;;) {
        const tenants = await ask<{ tenant_id: string }>(WITH, [set, after]);
        for (const { tenant_id: tenantId } of tenants) built += await this.tryToBuild(tenantId);
        if (tenants.length === 0) break;
        after = tenants.at(-1)!.tenant_id;
      }
      if (built > 0) this.logger.log({ msg: 'guards built', tenants: built });
    }
  }

  /** Returns how many tenants of this set had no events for the guards. */
  private async adopt(ask: Ask, set: string): Promise<number> {
    const guards = this.guards.differingFrom(set);
    const types = guards.flatMap(({ events }) => events);
    const tables = guards.flatMap((guard) => guard.tables);
    let adopted = 0;
    for (let after: string | null = FIRST; after !== null;) {
      const values: unknown[] = [set, this.guards.current, types, tables, after];
      const [looked] = await ask<{ last_tenant: string | null; adopted: number }>(ADOPT, values);
      adopted += looked!.adopted;
      after = looked!.last_tenant;
    }
    return adopted;
  }

  /**
   * Logs a tenant whose events violate a guard, which an operator has to repair. Its commands fail; other tenants are
   * not affected.
   */
  private async tryToBuild(tenantId: string): Promise<number> {
    if ((this.failed.get(tenantId) ?? 0) > performance.now()) return 0;
    try {
      await this.build(tenantId);
      this.failed.delete(tenantId);
      return 1;
    } catch (error) {
      if (isPassing(error)) throw error;
      this.failed.set(tenantId, performance.now() + TRY_AGAIN_MS);
      this.logger.error({ msg: 'guards cannot be built', tenantId, reason: whatFailed(error) });
      return 0;
    }
  }

  /** Names of guards that are not built for some tenant. */
  private async behind(): Promise<string[]> {
    const names = this.olderOf(await this.database.lookUp<{ guards: string }>(SETS, [])).flatMap((set) =>
      this.guards.differingFrom(set).map(({ name }) => `guard ${name}`),
    );
    return [...new Set(names)].sort();
  }

  private olderOf(rows: readonly { guards: string }[]): string[] {
    const own = parseGuardSet(this.guards.current);
    return rows
      .map(({ guards }) => guards)
      .filter((set) => {
        if (set === this.guards.current) return false;
        return [...parseGuardSet(set)].every(([name, version]) => version <= (own.get(name) ?? 0));
      });
  }
}
