import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Config } from '../../platform/config/env.js';
import { Database } from '../../platform/database/database.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { Queues } from '../../platform/jobs/queues.js';
import { describeError } from '../../platform/ops/logger.js';
import { SealBucket } from './seal-bucket.service.js';
import { SealMails } from './seal-mails.service.js';
import { type Leaf, NOTED, SealFiles } from './seal-files.service.js';
import { daysToSeal, endOf, todayOf } from './seal-days.js';

const NOTE = `insert into seals (day, record_hash, made_at) values ($1, decode($2, 'hex'), $3) on conflict do nothing`;
const DATABASE_TIME = 'select now()';
const HEADS = 'select tenant_id as "tenantId", position, head from seal_heads($1, $2)';
const FIRST_TENANT = '00000000-0000-0000-0000-000000000000';
/** How many of the last days get a time stamp that their server did not give at once. */
const DAYS_TO_STAMP = 7;

/** Seals the days that are over, and has the first of a month mailed. */
export const sealsDue = defineJob({ name: 'seals', schedule: { everyMs: 300_000 } });

/**
 * Writes one seal for each day that has ended, also for those that were missed. The file comes first and is then noted in the
 * database, so a worker that ends in between leaves a file that the next run notes. Of two workers, the first one's file stays. What a
 * bucket keeps besides (`seal-bucket.service.ts`) is made equal in each run.
 */
@Injectable()
export class SealsJob implements OnModuleInit, OnApplicationBootstrap {
  private readonly logger = new Logger(SealsJob.name);
  /**
   * How far the clock may be ahead of the database's. Days that a wrong clock has sealed would not be sealed again when they end. Tests
   * let days pass on the clock alone.
   */
  mostAheadMs = 3_600_000;

  constructor(
    private readonly config: Config,
    private readonly database: Database,
    private readonly files: SealFiles,
    private readonly bucket: SealBucket,
    private readonly mails: SealMails,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(sealsDue, () => this.run());
  }

  /** A worker does not start if it cannot write seals. */
  async onApplicationBootstrap(): Promise<void> {
    if (!this.config.roles.has('worker')) return;
    await this.files.open().catch((error: NodeJS.ErrnoException) => {
      throw new Error(`SEALS_FOLDER: não foi possível gravar em ${this.config.sealsFolder} (${error.code}).`);
    });
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    const [database] = await this.database.lookUp<{ now: Date }>(DATABASE_TIME, []);
    if (now.getTime() - database!.now.getTime() > this.mostAheadMs)
      throw new Error("the clock is ahead of the database's: no day is sealed");
    // Before days are sealed: what a lost folder and an older backup do not have is not made anew.
    await this.inBucket(() => this.bucket.restore());
    const noted = await this.database.lookUp<{ day: string; hash: string }>(NOTED, []);
    const hashes = new Map(noted.map(({ day, hash }) => [day, hash]));
    for (const day of await this.files.days()) if (!hashes.has(day)) await this.note(day, hashes);
    const newest = [...hashes.keys()].sort().at(-1);
    for (const day of daysToSeal(newest, now)) {
      const previous = hashes.get([...hashes.keys()].sort().at(-1) ?? '') ?? null;
      await this.files.write(day, now, previous, await this.headsAt(endOf(day)));
      await this.note(day, hashes);
    }
    await this.stamp();
    await this.inBucket(() => this.bucket.fill());
    await this.mails.request(todayOf(now));
  }

  /** What the bucket refuses is tried again by the next run. */
  private async inBucket(work: () => Promise<void>): Promise<void> {
    if (!this.bucket.isConfigured) return;
    await work().catch((error: unknown) => {
      this.logger.warn({ msg: 'the bucket of the seals failed', err: describeError(error) });
    });
  }

  /** A file that this instance has not signed is not noted: whoever verifies is told of it. */
  private async note(day: string, hashes: Map<string, string>): Promise<void> {
    const seal = await this.files.read(day);
    if (!seal?.isSigned) return this.logger.error({ msg: 'a file among the seals is not signed', day });
    await this.database.query(NOTE, [day, seal.hash, seal.record.made_at]);
    hashes.set(day, seal.hash);
  }

  private async headsAt(moment: Date): Promise<Leaf[]> {
    const heads: Leaf[] = [];
    for (;;) {
      const after = heads.at(-1)?.tenantId ?? FIRST_TENANT;
      const some = await this.database.query<Leaf & Record<string, unknown>>(HEADS, [moment, after]);
      if (some.length === 0) return heads;
      heads.push(...some.map(({ tenantId, position, head }) => ({ tenantId, position, head })));
    }
  }

  /** A time stamp that fails is requested again by the next run. */
  private async stamp(): Promise<void> {
    const { timestampUrl } = this.config;
    if (!timestampUrl) return;
    for (const day of (await this.files.unstamped()).slice(-DAYS_TO_STAMP))
      try {
        await this.files.stamp(day, timestampUrl);
      } catch (error) {
        this.logger.warn({ msg: 'a seal has no time stamp yet', day, err: describeError(error) });
        return;
      }
  }
}
