import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { DecideClass } from './classes.commands.js';

const DUE = 'select tenant_id as "tenantId", timezone, session_id as "sessionId" from classes_to_decide($1)';

/** Decides whether classes with a minimum of students take place. */
export const decideClasses = defineJob({ name: 'class-minimums', schedule: { everyMs: 300_000 } });

/** Each hour is decided again under the tenant's lock, so an interrupted or repeated run decides it once. */
@Injectable()
export class ClassesJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(decideClasses, () => this.run());
  }

  async run(): Promise<void> {
    const due = await this.database.lookUp<{ tenantId: string; timezone: string; sessionId: string }>(DUE, [
      this.clock.now(),
    ]);
    await eachAlone(
      due,
      ({ tenantId, sessionId }) => ({ tenantId, sessionId }),
      ({ tenantId, timezone, sessionId }) =>
        this.commands.execute(new DecideClass(nobodyOf(tenantId, timezone, randomUUID()), sessionId)),
    );
  }
}
