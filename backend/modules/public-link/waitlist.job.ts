import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { PlayWaitlist } from './waitlist.commands.js';

const WAITING = 'select tenant_id as "tenantId", timezone from tenants_waited_for()';

/** Offers free times to people who wait, and ends unanswered offers. */
export const playWaitlists = defineJob({ name: 'waitlists', schedule: { everyMs: 15_000 } });

/** Each step is decided again under the tenant's lock, so an interrupted or repeated run makes each offer once. */
@Injectable()
export class WaitlistJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
  ) {}

  onModuleInit(): void {
    this.queues.handle(playWaitlists, () => this.run());
  }

  /** A tenant whose command fails does not stop the others. */
  async run(): Promise<void> {
    const tenants = await this.database.lookUp<{ tenantId: string; timezone: string }>(WAITING, []);
    await eachAlone(
      tenants,
      ({ tenantId }) => ({ tenantId }),
      ({ tenantId, timezone }) =>
        this.commands.execute(new PlayWaitlist(nobodyOf(tenantId, timezone, randomUUID()))),
    );
  }
}
