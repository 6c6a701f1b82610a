import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnModuleInit,
} from '@nestjs/common';
import { buildProjections, projectTenants, react, resumeProjections } from '../jobs/platform-jobs.js';
import { Queues } from '../jobs/queues.js';
import { TenantJobs } from '../jobs/tenant-jobs.js';
import { describeError } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { Readiness } from '../ops/readiness.js';
import { HintBus } from '../realtime/hint-bus.js';
import { ProjectionBuilds } from './projection-builds.js';
import { type BatchResult, Projector } from './projector.js';
import { ProjectorPool } from './projector-pool.js';

const TENANTS_PER_BATCH = 200;
/** Between two sweeps, or fifty times what one takes: over 100,000 tenants it keeps a core busy for 60 ms. */
const SWEEP_MS = 1_000;
const SWEEP_PAUSES = 50;
const LONGEST_PAUSE_MS = 5_000;
const SCHEDULE_EVERY_MS = 10_000;
/** Pause before a tenant that another worker holds is asked for again. */
const HELD_MS = 10;
/** Then the job fails, and is tried again later. */
const MAX_ASKED = 100;

/** Over this age of the oldest event that is not projected, the process is not ready. */
const MAX_LAG_SECONDS = 30;

/**
 * Who is behind is found first, then the age of each one's next event: joined at once, Postgres reads the whole log, since
 * it expects a third of the tenants to be behind.
 */
const LAGGING = `with behind as materialized (
    select l.tenant_id, l.position - c.position as events, c.position + 1 as next
    from tenant_log l
    join projection_checkpoint c on c.tenant_id = l.tenant_id and c.projection = 'live' and c.position < l.position
  )
  select tenant_id, events, (
    select greatest(0, extract(epoch from now() - e.recorded_at))::float8 from events e
    where e.tenant_id = b.tenant_id and e.position = b.next
  ) as seconds
  from behind b limit 1000`;

/** Tenants of several jobs that one batch projects. */
interface Batch {
  tenants: Set<string>;
  result: Promise<BatchResult>;
}

/**
 * Handles the jobs that name tenants: one batch at a time in a process projects the tenants of all jobs that wait for it.
 * A job ends when its tenants are projected; one that another worker holds is asked for again, since that worker may have
 * read before our commit. The sweep finds what lost jobs have left, also while the queue's backend is down.
 */
@Injectable()
export class ProjectionRunner implements OnModuleInit, OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ProjectionRunner.name);
  private readonly reactions: TenantJobs;
  private running: Promise<unknown> = Promise.resolve();
  private next: Batch | undefined;
  private sweeping: Promise<void> | undefined;
  private sweepTimer: NodeJS.Timeout | undefined;
  private scheduleAt = 0;
  private lagSeconds = 0;
  private stopped = false;

  constructor(
    private readonly projector: Projector,
    private readonly builds: ProjectionBuilds,
    private readonly projectorPool: ProjectorPool,
    private readonly queues: Queues,
    private readonly hints: HintBus,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
  ) {
    this.reactions = new TenantJobs(queues, react);
  }

  onModuleInit(): void {
    this.queues.handle(projectTenants, ({ tenants }) => this.project(tenants));
    this.queues.handle(buildProjections, () => this.builds.buildAll());
    this.queues.handle(resumeProjections, () => this.builds.resumeAll());
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.builds.register();
    this.readiness.register('projections', () => {
      if (this.lagSeconds > MAX_LAG_SECONDS) throw new Error(`${this.lagSeconds} s behind`);
      return Promise.resolve();
    });
    this.scheduleSweep(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.sweepTimer);
    await this.sweeping;
    await this.running;
  }

  /** @throws where a tenant is not projected, such as one that another worker holds for long */
  async project(tenantIds: readonly string[]): Promise<void> {
    let rest = tenantIds;
    for (let asked = 0; rest.length > 0; asked += 1) {
      if (asked === MAX_ASKED) throw new Error(`${rest.length} tenants not projected`);
      const own = rest;
      const { held, unfinished } = await this.batch(own);
      const isHeld = new Set(held);
      const isLeft = new Set([...held, ...unfinished]);
      rest = own.filter((tenantId) => isLeft.has(tenantId));
      if (unfinished.some((tenantId) => rest.includes(tenantId))) asked = 0;
      else if (rest.length > 0 && rest.every((tenantId) => isHeld.has(tenantId))) await delay(HELD_MS);
    }
  }

  /** Projects these tenants with others in the next batch that has room. */
  private batch(tenantIds: readonly string[]): Promise<BatchResult> {
    if (!this.next || this.next.tenants.size + tenantIds.length > TENANTS_PER_BATCH) {
      const tenants = new Set<string>();
      const result = this.running.then(() => this.run(tenants));
      this.running = result.catch(() => undefined);
      this.next = { tenants, result };
    }
    for (const tenantId of tenantIds) this.next.tenants.add(tenantId);
    return this.next.result;
  }

  private async run(tenants: ReadonlySet<string>): Promise<BatchResult> {
    // Whoever comes from now on waits for the next batch, which reads after their commit.
    if (this.next?.tenants === tenants) this.next = undefined;
    const result = await this.projector.batch([...tenants]);
    this.hints.projected(result.projected);
    this.reactions.add(result.reacting);
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

  /** Answers how long the look for who is behind took, in ms. */
  private async sweep(): Promise<number> {
    let tookMs = 0;
    try {
      this.schedule(performance.now());
      await this.builds.measure();
      const began = performance.now();
      const { rows } = await this.projectorPool.pool.query<{
        tenant_id: string;
        events: number;
        seconds: number;
      }>(LAGGING);
      tookMs = performance.now() - began;
      this.lagSeconds = Math.max(0, ...rows.map(({ seconds }) => seconds));
      this.metrics.projectionLagSeconds.set(this.lagSeconds);
      this.metrics.projectionLagEvents.set(rows.reduce((sum, { events }) => sum + events, 0));
      const tenants = rows.map(({ tenant_id }) => tenant_id);
      for (let at = 0; at < tenants.length; at += TENANTS_PER_BATCH)
        await this.project(tenants.slice(at, at + TENANTS_PER_BATCH));
    } catch (error) {
      this.logger.warn({ msg: 'sweep failed', err: describeError(error) });
    }
    return tookMs;
  }

  /** Not waited for: a Redis that stands still does not answer. */
  private schedule(now: number): void {
    if (now < this.scheduleAt) return;
    this.scheduleAt = now + SCHEDULE_EVERY_MS;
    void this.queues.schedule();
  }
}
