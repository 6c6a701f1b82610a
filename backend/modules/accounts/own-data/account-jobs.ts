import { Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { z } from 'zod';
import { defineJob } from '../../../platform/jobs/define-job.js';
import { Queues } from '../../../platform/jobs/queues.js';
import { describeError } from '../../../platform/ops/logger.js';
import { AccountDeletions } from './account-deletions.service.js';
import { AccountExports } from './account-exports.service.js';
import { ContactChanges } from './contact-changes.service.js';

/** The kind of work, and the id of its row, or of the user. */
const payload = z.strictObject({ kind: z.enum(['export', 'deletion', 'contact']), id: z.uuid() });
type AccountJob = z.infer<typeof payload>;

/** Finds the work of lost jobs. */
export const accountsDue = defineJob({ name: 'accounts-due', schedule: { everyMs: 10_000 } });

/** Makes a copy of somebody's data, finishes the deletion of an account, or tells trainers what a student changed in it. */
export const accountJob = defineJob({ name: 'accounts', queue: 'files', payload, sweptBy: accountsDue });

/** Jobs of accounts. The work is recorded in the database; a job only starts it at once. */
@Injectable()
export class AccountJobs implements OnModuleInit {
  private readonly logger = new Logger(AccountJobs.name);

  constructor(
    private readonly queues: Queues,
    private readonly exports: AccountExports,
    private readonly deletions: AccountDeletions,
    private readonly contacts: ContactChanges,
  ) {}

  onModuleInit(): void {
    this.queues.handle(accountJob, (job) => this.run(job));
    this.queues.handle(accountsDue, () => this.runDue());
  }

  wake(kind: AccountJob['kind'], id: string): void {
    this.queues.add(accountJob, { kind, id }).catch((error: unknown) => {
      this.logger.warn({ msg: 'wake-up of an account job lost', kind, id, err: describeError(error) });
    });
  }

  private run({ kind, id }: AccountJob): Promise<void> {
    if (kind === 'contact') return this.contacts.tell(id);
    return kind === 'export' ? this.exports.make(id) : this.deletions.finish(id);
  }

  /** An item that fails does not stop the others. */
  private async runDue(): Promise<void> {
    const [accounts, changed, copies] = await Promise.all([
      this.deletions.due(),
      this.contacts.due(),
      this.exports.due(),
    ]);
    const jobs: AccountJob[] = [
      ...accounts.map((id) => ({ kind: 'deletion' as const, id })),
      ...changed.map((id) => ({ kind: 'contact' as const, id })),
      ...copies.map((id) => ({ kind: 'export' as const, id })),
    ];
    const failures: unknown[] = [];
    for (const job of jobs) await this.run(job).catch((error: unknown) => failures.push(error));
    if (failures.length > 0) throw failures[0];
  }
}
