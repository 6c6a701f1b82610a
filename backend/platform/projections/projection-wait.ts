import { Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { Database } from '../database/database.js';
import { type Blanks, statement } from '../database/statement.js';
import { ReadYourWrites } from '../http/read-your-writes.js';
import { Readiness } from '../ops/readiness.js';
import { HintBus } from '../realtime/hint-bus.js';
import { SHARED } from './claim.js';

const MAX_WAIT_MS = 1_500;
/** Time within which the hint of a tenant usually arrives, in a process that receives its hints. */
const HINT_MS = 50;
/** Number of positions that are cached, one for a tenant; others are read from the database. */
const MAX_REMEMBERED = 100_000;

const checkpoint = statement((db, { tenantId }: Blanks<{ tenantId: string }>) =>
  db
    .selectFrom('projection_checkpoint')
    .select('position')
    .where('tenant_id', '=', tenantId)
    .where('projection', '=', SHARED)
    .compile(),
);

/** How long the list of projections that are not live for some tenant is cached. */
const BEHIND_MS = 1_000;
const BEHIND = 'select projection from projections_behind()';
const behindOf = statement((db, { tenantId }: Blanks<{ tenantId: string }>) =>
  db
    .selectFrom('projection_checkpoint')
    .select('projection')
    .where('tenant_id', '=', tenantId)
    .where('projection', '<>', SHARED)
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
    private readonly readiness: Readiness,
  ) {
    super();
  }

  onApplicationBootstrap(): void {
    this.hints.onHints(({ tenantId, position, changesLive }) => {
      if (changesLive) this.behind = undefined;
      this.reached(tenantId, position);
    });
    this.database.onReconnect(() => this.known.clear());
    this.readiness.registerParts('projections behind', async () =>
      (await this.lookBehind()).map((name) => `projection ${name}`),
    );
  }

  async isBehind(tenantId: string): Promise<boolean> {
    if ((await this.projectionsBehind()).length === 0) return false;
    return (await this.database.read(tenantId, behindOf({ tenantId }))).length > 0;
  }

  /** Those that are parked or being built for some tenant. Cached for a second, however many requests read. */
  private projectionsBehind(): Promise<readonly string[]> {
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

  /** Waits at most 1.5 s until the tenant is projected up to `position`. False if it is not: the answer is stale. */
  async wait(tenantId: string, position: number): Promise<boolean> {
    if ((this.known.get(tenantId) ?? 0) >= position) return true;
    if (this.known.has(tenantId) && (await this.hinted(tenantId, position, HINT_MS))) return true;
    const hinted = this.hinted(tenantId, position, MAX_WAIT_MS - HINT_MS);
    // The hint may have arrived before this process subscribed, or may be lost.
    return (
      (await this.lookUp(tenantId)) >= position || (await hinted) || (await this.lookUp(tenantId)) >= position
    );
  }

  /** False if no hint of the position arrived within `ms`. */
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
