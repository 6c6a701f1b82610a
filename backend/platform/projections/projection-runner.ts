import {
  type BeforeApplicationShutdown,
  Injectable,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { PutOff } from '../jobs/define-job.js';
import { buildProjections, projectTenants, react, resumeProjections } from '../jobs/platform-jobs.js';
import { Queues } from '../jobs/queues.js';
import { TenantJobs } from '../jobs/tenant-jobs.js';
import { ErrorTrap } from '../ops/error-trap.js';
import { Metrics } from '../ops/metrics.js';
import { Readiness } from '../ops/readiness.js';
import { tracedInAll, type TraceParent } from '../ops/tracing.js';
import { HintBus } from '../realtime/hint-bus.js';
import { SHARED } from './claim.js';
import { ProjectionBuilds } from './projection-builds.js';
import { type BatchResult, Projector } from './projector.js';
import { ProjectorPool } from './projector-pool.js';
import { setTimeout as delay } from 'node:timers/promises';

const TENANTS_PER_BATCH = 200;
/** Pause before a tenant that another worker holds is tried again, and number of tries before the job is put off. */
const HELD_MS = 10;
const MAX_TRIES = 100;

/** Tenants, each with the trace of the work that is to be projected. */
type Traced = ReadonlyMap<string, TraceParent>;

/** Tenants of several jobs that one batch projects. */
interface Batch {
  tenants: Map<string, TraceParent>;
  result: Promise<BatchResult>;
}

/**
 * Projects the tenants of all waiting jobs in one batch at a time. A tenant that another worker holds is tried again,
 * because that worker may have read the log before our commit.
 */
class TenantBatches {
  private running: Promise<unknown> = Promise.resolve();
  private next: Batch | undefined;

  constructor(private readonly projects: (tenants: Traced) => Promise<BatchResult>) {}

  /** @throws PutOff if another worker holds a tenant for too long */
  async project(tenantIds: readonly string[], traces: readonly TraceParent[]): Promise<void> {
    const traceOf = new Map(tenantIds.map((tenantId, at) => [tenantId, traces[at] ?? '']));
    let rest = tenantIds;
    for (let tries = 0; rest.length > 0; tries += 1) {
      if (tries === MAX_TRIES) throw new PutOff(`${rest.length} tenants are held by another worker`);
      const own = rest;
      const { held, unfinished } = await this.batch(own, traceOf);
      const isHeld = new Set(held);
      const isLeft = new Set([...held, ...unfinished]);
      rest = own.filter((tenantId) => isLeft.has(tenantId));
      if (unfinished.some((tenantId) => rest.includes(tenantId))) tries = 0;
      else if (rest.length > 0 && rest.every((tenantId) => isHeld.has(tenantId))) await delay(HELD_MS);
    }
  }

  /** Resolves when the running batch has ended. */
  async ended(): Promise<void> {
    await this.running;
  }

  /** Projects these tenants, together with others, in the next batch that has room. */
  private batch(tenantIds: readonly string[], traceOf: Traced): Promise<BatchResult> {
    if (!this.next || this.next.tenants.size + tenantIds.length > TENANTS_PER_BATCH) {
      const tenants = new Map<string, TraceParent>();
      const result = this.running.then(() => this.run(tenants));
      this.running = result.catch(() => undefined);
      this.next = { tenants, result };
    }
    const { tenants, result } = this.next;
    // The sweep, which belongs to no trace, takes that of a waiting job away from no tenant.
    for (const tenantId of tenantIds)
      tenants.set(tenantId, traceOf.get(tenantId)! || (tenants.get(tenantId) ?? ''));
    return result;
  }

  private run(tenants: Traced): Promise<BatchResult> {
    // Tenants that are added from now on belong to the next batch, which reads the log later.
    if (this.next?.tenants === tenants) this.next = undefined;
    return this.projects(tenants);
  }
}

/**
 * Pause between two sweeps, at least fifty times the duration of one. With 100,000 tenants a sweep takes 60 ms of a
 * core.
 */
const SWEEP_MS = 1_000;
const SWEEP_PAUSES = 50;
const LONGEST_PAUSE_MS = 5_000;
/** How often a sweep also writes missing schedules, and removes failures that it has made good. */
const REGULARLY_MS = 10_000;

/** If the oldest event that is not projected is older than this, the process is not ready. */
const MAX_LAG_SECONDS = 30;

/**
 * Finds the tenants that are behind first, then the age of each one's next event: in a single join Postgres would read
 * the whole log, because it estimates that a third of the tenants are behind.
 */
const LAGGING = `with behind as materialized (
    select l.tenant_id, l.position - c.position as events, c.position + 1 as next
    from tenant_log l
    join projection_checkpoint c on c.tenant_id = l.tenant_id and c.position < l.position
      and c.projection = '${SHARED}'
  )
  select tenant_id, events, (
    select greatest(0, extract(epoch from now() - e.recorded_at))::float8 from events e
    where e.tenant_id = b.tenant_id and e.position = b.next
  ) as seconds
  from behind b limit 1000`;

interface Lag {
  tenant_id: string;
  events: number;
  seconds: number;
}

/**
 * Handles the jobs that name tenants, each of which ends when its tenants are projected. Then it adds jobs
 * for reactions. The sweep projects what lost jobs have left, also while the queue's backend is down.
 */
@Injectable()
export class ProjectionRunner implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly reactions: TenantJobs;
  private readonly batches = new TenantBatches((tenants) => this.run(tenants));
  private sweeping: Promise<void> | undefined;
  private sweepTimer: NodeJS.Timeout | undefined;
  private regularAt = 0;
  private lagSeconds = 0;
  private isRegistered = false;
  private stopped = false;

  constructor(
    private readonly projector: Projector,
    private readonly builds: ProjectionBuilds,
    private readonly projectorPool: ProjectorPool,
    private readonly queues: Queues,
    private readonly hints: HintBus,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly trap: ErrorTrap,
  ) {
    this.reactions = new TenantJobs(queues, react);
  }

  onModuleInit(): void {
    this.readiness.register('projections', () => {
      if (!this.isRegistered) throw new Error('versions of projections are not registered yet');
      if (this.lagSeconds > MAX_LAG_SECONDS) throw new Error(`${this.lagSeconds} s behind`);
      return Promise.resolve();
    });
    this.queues.handle(projectTenants, ({ tenants }, { traces }) => this.project(tenants, traces));
    this.queues.handle(buildProjections, () => this.builds.buildAll());
    this.queues.handle(resumeProjections, () => this.builds.resumeAll());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.builds.register();
    this.isRegistered = true;
    this.scheduleSweep(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.sweepTimer);
    await this.sweeping;
    await this.batches.ended();
  }

  /** @throws PutOff if another worker holds a tenant for too long */
  project(tenantIds: readonly string[], traces: readonly TraceParent[] = []): Promise<void> {
    return this.batches.project(tenantIds, traces);
  }

  private async run(tenants: Traced): Promise<BatchResult> {
    const result = await tracedInAll(
      tenants.values(),
      'project',
      { 'rende.tenants': tenants.size },
      async () => {
        const done = await this.projector.batch([...tenants.keys()]);
        this.hints.projected(done.projected);
        return done;
      },
    );
    this.reactions.add(result.reacting, (tenantId) => tenants.get(tenantId)!);
    return result;
  }

  private scheduleSweep(after: number): void {
    this.sweepTimer = setTimeout(() => {
      this.sweeping = this.sweep().then((tookMs) => {
        const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SWEEP_MS, SWEEP_PAUSES * tookMs));
        if (!this.stopped) this.scheduleSweep(pause);
      });
    }, after);
  }

  /** Returns how long the query for tenants that are behind took, in ms. */
  private async sweep(): Promise<number> {
    let tookMs = 0;
    const startedAt = Date.now();
    const isRegular = performance.now() >= this.regularAt;
    try {
      if (isRegular) {
        this.regularAt = performance.now() + REGULARLY_MS;
        // Not awaited, because a Redis that does not answer would block the sweep.
        void this.queues.schedule();
      }
      await this.builds.measure();
      const began = performance.now();
      const { rows } = await this.projectorPool.pool.query<Lag>(LAGGING);
      tookMs = performance.now() - began;
      this.lagSeconds = Math.max(0, ...rows.map(({ seconds }) => seconds));
      this.metrics.projectionLagSeconds.set(this.lagSeconds);
      this.metrics.projectionLagEvents.set(rows.reduce((sum, { events }) => sum + events, 0));
      let isHeld = false;
      const tenants = rows.map(({ tenant_id }) => tenant_id);
      for (let at = 0; at < tenants.length; at += TENANTS_PER_BATCH)
        await this.project(tenants.slice(at, at + TENANTS_PER_BATCH)).catch((error: unknown) => {
          // A tenant that another worker holds is left to the next sweep.
          if (!(error instanceof PutOff)) throw error;
          isHeld = true;
        });
      if (isRegular && !isHeld) this.queues.forgetFailures([projectTenants], startedAt);
    } catch (error) {
      this.trap.failed('timer', 'sweep failed', error);
    }
    return tookMs;
  }
}
