import { Injectable, type OnModuleInit } from '@nestjs/common';
import { FeatureRegistry } from '../features.js';
import { MailSender } from '../mail/mail-sender.js';
import { ProjectorPool } from '../projections/projector-pool.js';
import { purge } from './platform-jobs.js';
import { Queues } from './queues.js';

const OLD_ANSWERS = `delete from idempotency_keys where recorded_at < now() - interval '48 hours'`;

/** Deletes expired rows. */
@Injectable()
export class Purges implements OnModuleInit {
  constructor(
    private readonly projectorPool: ProjectorPool,
    private readonly features: FeatureRegistry,
    private readonly mails: MailSender,
    private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    this.queues.handle(purge, () => this.run());
  }

  async run(): Promise<void> {
    for (const statement of [OLD_ANSWERS, ...this.features.all.purges])
      await this.projectorPool.pool.query(statement);
    await this.mails.purge();
  }
}
