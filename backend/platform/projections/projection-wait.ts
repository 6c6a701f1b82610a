import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { type Blanks, statement } from '../database/statement.js';
import { FeatureRegistry } from '../features.js';
import { ReadYourWrites } from '../http/read-your-writes.js';
import { Readiness } from '../ops/readiness.js';
import { HintBus } from '../realtime/hint-bus.js';

const MAX_WAIT_MS = 1_500;
/** A hint of a tenant whose hints this process hears takes less, as a rule. */
const HINT_MS = 50;
/** Tenants whose position is remembered; the rest is looked up. */
const MAX_REMEMBERED = 50_000;

const checkpoint = statement((db, { tenantId }: Blanks<{ tenantId: string }>) =>
  db
    .selectFrom('projection_checkpoint')
    .select('position')
    .where('tenant_id', '=', tenantId)
    .where('projection', '=', 'live')
    .compile(),
);

/** How long it counts as known which projections are not live for some tenant. */
const BEHIND_MS = 1_000;
const BEHIND = 'select projection from projections_behind()';
const behindOf = statement((db, { tenantId }: Blanks<{ tenantId: string }>) =>
  db
    .selectFrom('projection_checkpoint')
    .select('projection')
    .where('tenant_id', '=', tenantId)
    .where('projection', '<>', 'live')
    .compile(),
);

interface Waiter {
  position: number;
  reached(): void;
}

/** Lets a read wait for what its client has written, without holding a connection meanwhile. */
@Injectable()
export class ProjectionWait extends ReadYourWrites implements OnApplicationBootstrap {
  private readonly known = new Map<string, number>();
  private readonly waiters = new Map<string, Set<Waiter>>();
  private behind: { until: number; names: Promise<readonly string[]> } | undefined;

  constructor(
    private readonly database: Database,
    private readonly hints: HintBus,
    private readonly features: FeatureRegistry,
    private readonly readiness: Readiness,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.hints.onHints(({ tenantId, position, changesLive }) => {
      if (changesLive) this.behind = undefined;
      this.reached(tenantId, position);
    });
    this.readiness.registerParts('projections behind', async () =>
      (await this.lookBehind()).map((name) => `projection ${name}`),
    );
  }

  async tablesBehind(tenantId: string): Promise<readonly string[]> {
    if ((await this.projectionsBehind()).length === 0) return [];
    const rows = await this.database.read(tenantId, behindOf({ tenantId }));
    const names = new Set(rows.map(({ projection }) => projection));
    return this.features.all.projections.flatMap(({ name, tables }) => (names.has(name) ? tables : []));
  }

  /** Asked for once a second, however many read. */
  projectionsBehind(): Promise<readonly string[]> {
    const now = performance.now();
    if (!this.behind || this.behind.until < now) {
      const names = this.lookBehind();
      const asked = { until: now + BEHIND_MS, names };
      names.catch(() => this.behind === asked && (this.behind = undefined));
      this.behind = asked;
    }
    return this.behind.names;
  }

  private async lookBehind(): Promise<readonly string[]> {
    const rows = await this.database.lookUp<{ projection: string }>(BEHIND, []);
    return rows.map(({ projection }) => projection);
  }

  /** Waits at most 1.5 s until the tenant is projected up to `position`. False when it is not: the answer is stale. */
  async wait(tenantId: string, position: number): Promise<boolean> {
    if ((this.known.get(tenantId) ?? 0) >= position) return true;
    if (this.known.has(tenantId) && (await this.hinted(tenantId, position, HINT_MS))) return true;
    const hinted = this.hinted(tenantId, position, MAX_WAIT_MS - HINT_MS);
    // The hint may have come before this process listened, or be lost.
    return (
      (await this.lookUp(tenantId)) >= position || (await hinted) || (await this.lookUp(tenantId)) >= position
    );
  }

  /** False where nothing was heard of the position so long. */
  private hinted(tenantId: string, position: number, ms: number): Promise<boolean> {
    const waiters = this.waiters.get(tenantId) ?? new Set<Waiter>();
    this.waiters.set(tenantId, waiters);
    return new Promise((resolve) => {
      const end = (isReached: boolean) => {
        clearTimeout(timer);
        waiters.delete(waiter);
        if (waiters.size === 0 && this.waiters.get(tenantId) === waiters) this.waiters.delete(tenantId);
        resolve(isReached);
      };
      const timer = setTimeout(() => end(false), ms);
      const waiter: Waiter = { position, reached: () => end(true) };
      waiters.add(waiter);
    });
  }

  private async lookUp(tenantId: string): Promise<number> {
    const [row] = await this.database.read(tenantId, checkpoint({ tenantId }));
    const position = row?.position ?? 0;
    this.reached(tenantId, position);
    return position;
  }

  private reached(tenantId: string, position: number): void {
    if (position > (this.known.get(tenantId) ?? 0)) {
      if (this.known.size >= MAX_REMEMBERED) this.known.clear();
      this.known.set(tenantId, position);
    }
    const waiters = this.waiters.get(tenantId);
    for (const waiter of waiters ?? []) {
      if (waiter.position <= position) waiter.reached();
    }
  }
}
