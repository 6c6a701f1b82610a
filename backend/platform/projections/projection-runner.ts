import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { FeatureRegistry } from '../features.js';
import { Queues } from '../jobs/queues.js';
import { describeError } from '../ops/logger.js';
import { Metrics } from '../ops/metrics.js';
import { Readiness } from '../ops/readiness.js';
import { HintBus } from '../realtime/hint-bus.js';
import { ProjectionBuilds } from './projection-builds.js';
import { Projector } from './projector.js';
import { ProjectorPool } from './projector-pool.js';
import { ProjectorWake, WAKE_QUEUE, type WakeUp } from './projector-wake.js';

const TENANTS_PER_BATCH = 200;
/** Between two sweeps, or fifty times what one takes: over 100,000 tenants it keeps a core busy for 60 ms. */
const SWEEP_MS = 1_000;
const SWEEP_PAUSES = 50;
const LONGEST_PAUSE_MS = 5_000;
const RESUME_EVERY_MS = 30_000;
const HELD_MS = 10;
/** Then the sweep takes over. */
const MAX_ASKED = 100;
const RETRY_MS = 250;

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
const OLD_ANSWERS = `delete from idempotency_keys where recorded_at < now() - interval '48 hours'`;
const PURGE_EVERY_MS = 3_600_000;

/** The worker's loop: wake-ups name tenants, one batch at a time projects them, a sweep finds what wake-ups lost. */
@Injectable()
export class ProjectionRunner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(ProjectionRunner.name);
  private readonly pending = new Set<string>();
  private readonly asked = new Map<string, number>();
  private running: Promise<void> | undefined;
  private sweeping: Promise<void> | undefined;
  private building: Promise<void> | undefined;
  private sweepTimer: NodeJS.Timeout | undefined;
  private resumeAt = 0;
  private purgeAt = 0;
  private lagSeconds = 0;
  private stopped = false;

  constructor(
    private readonly projector: Projector,
    private readonly builds: ProjectionBuilds,
    private readonly projectorPool: ProjectorPool,
    private readonly wakeUps: ProjectorWake,
    private readonly queues: Queues,
    private readonly hints: HintBus,
    private readonly readiness: Readiness,
    private readonly metrics: Metrics,
    private readonly features: FeatureRegistry,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.builds.register();
    // A job is done once it is heard: should this process end before it has projected, a sweep finds the tenants.
    const hear = ({ data }: { data: WakeUp }) => Promise.resolve(void this.wake(data.tenants));
    this.queues.worker<WakeUp>(WAKE_QUEUE, hear, 4);
    this.hints.onCommitted((tenants) => void this.wake(tenants));
    this.wakeUps.onCommitted((tenantId) => void this.wake([tenantId]));
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
    await this.building;
    await this.running;
  }

  /** Resolves when what is known of these tenants is projected. */
  wake(tenantIds: readonly string[]): Promise<void> {
    for (const tenantId of tenantIds) this.pending.add(tenantId);
    this.running ??= this.run().finally(() => {
      this.running = undefined;
      if (this.pending.size > 0 && !this.stopped) void this.wake([]);
    });
    return this.running;
  }

  private async run(): Promise<void> {
    while (this.pending.size > 0 && !this.stopped) {
      const tenants = [...this.pending].slice(0, TENANTS_PER_BATCH);
      for (const tenantId of tenants) this.pending.delete(tenantId);
      try {
        const { projected, held, unfinished } = await this.projector.batch(tenants);
        this.hints.projected(projected);
        for (const tenantId of unfinished) this.pending.add(tenantId);
        await this.askAgain(tenants, held);
      } catch (error) {
        this.logger.warn({ msg: 'projecting failed, trying again', err: describeError(error) });
        for (const tenantId of tenants) this.pending.add(tenantId);
        await delay(RETRY_MS);
      }
    }
  }

  /** The holder of a tenant may have read before our commit, so a held tenant is asked again until it is free. */
  private async askAgain(tenants: readonly string[], held: readonly string[]): Promise<void> {
    const isHeld = new Set(held);
    for (const tenantId of tenants) {
      const asked = (this.asked.get(tenantId) ?? 0) + 1;
      if (isHeld.has(tenantId) && asked < MAX_ASKED) {
        this.asked.set(tenantId, asked);
        this.pending.add(tenantId);
      } else {
        this.asked.delete(tenantId);
      }
    }
    if (held.length === tenants.length) await delay(HELD_MS);
  }

  private scheduleSweep(after: number): void {
    this.sweepTimer = setTimeout(() => {
      this.sweeping = this.sweep().then((tookMs) => {
        const pause = Math.min(LONGEST_PAUSE_MS, Math.max(SWEEP_MS, SWEEP_PAUSES * tookMs));
        if (!this.stopped) this.scheduleSweep(pause);
      });
    }, after);
  }

  private async build(now: number): Promise<void> {
    try {
      await this.builds.buildAll();
      if (now < this.resumeAt) return;
      await this.builds.resumeAll();
      this.resumeAt = now + RESUME_EVERY_MS;
    } catch (error) {
      this.logger.warn({ msg: 'building projections failed, trying again', err: describeError(error) });
    }
  }

  /** Answers how long the look for who is behind took, in ms. */
  private async sweep(): Promise<number> {
    let tookMs = 0;
    try {
      const now = performance.now();
      this.building ??= this.build(now).finally(() => (this.building = undefined));
      if (now >= this.purgeAt) {
        for (const purge of [OLD_ANSWERS, ...this.features.all.purges])
          await this.projectorPool.pool.query(purge);
        this.purgeAt = now + PURGE_EVERY_MS;
      }
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
      if (rows.length > 0) await this.wake(rows.map(({ tenant_id }) => tenant_id));
    } catch (error) {
      this.logger.warn({ msg: 'sweep failed', err: describeError(error) });
    }
    return tookMs;
  }
}
