import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Config } from '../../../platform/config/env.js';
import { type JobQueue, newJob, Queues } from '../../../platform/jobs/queues.js';
import { ErrorTrap } from '../../../platform/ops/error-trap.js';
import { describeError } from '../../../platform/ops/logger.js';
import { AccountDeletions } from './account-deletions.service.js';
import { AccountExports } from './account-exports.service.js';

const QUEUE = 'accounts';
const SWEEP_MS = 10_000;

/** What a job carries: which work, on whose id. */
interface AccountJob {
  kind: 'export' | 'deletion';
  id: string;
}

/**
 * What accounts leave to the worker. A job only makes it start at once: what there is to do stands in the database, where a
 * sweep finds what a lost job or a worker that ended has left.
 */
@Injectable()
export class AccountJobs implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(AccountJobs.name);
  private queue: JobQueue | undefined;
  private timer: NodeJS.Timeout | undefined;
  private sweeping: Promise<void> | undefined;
  private stopped = false;

  constructor(
    private readonly config: Config,
    private readonly queues: Queues,
    private readonly exports: AccountExports,
    private readonly deletions: AccountDeletions,
    private readonly trap: ErrorTrap,
  ) {}

  onApplicationBootstrap(): void {
    const { roles } = this.config;
    if (roles.has('api')) this.queue = this.queues.queue(QUEUE);
    if (!roles.has('worker')) return;
    this.queues.worker<AccountJob>(QUEUE, ({ data }) => this.run(data), 1);
    this.scheduleSweep(0);
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopped = true;
    clearTimeout(this.timer);
    await this.sweeping;
  }

  wake(kind: AccountJob['kind'], id: string): void {
    this.queue!.add(kind, { kind, id } satisfies AccountJob, newJob()).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of an account job lost', kind, id, err: describeError(error) });
    });
  }

  private run({ kind, id }: AccountJob): Promise<void> {
    return kind === 'export' ? this.exports.make(id) : this.deletions.finish(id);
  }

  private scheduleSweep(after: number): void {
    this.timer = setTimeout(() => {
      this.sweeping = this.sweep().finally(() => {
        if (!this.stopped) this.scheduleSweep(SWEEP_MS);
      });
    }, after);
  }

  private async sweep(): Promise<void> {
    try {
      const [accounts, copies] = await Promise.all([this.deletions.due(), this.exports.due()]);
      const jobs: AccountJob[] = [
        ...accounts.map((id) => ({ kind: 'deletion' as const, id })),
        ...copies.map((id) => ({ kind: 'export' as const, id })),
      ];
      for (const job of jobs) if (!this.stopped) await this.run(job).catch(this.failed);
    } catch (error) {
      this.failed(error);
    }
  }

  private readonly failed = (error: unknown): void => {
    this.trap.failed('timer', 'account job failed, trying again', error);
  };
}
