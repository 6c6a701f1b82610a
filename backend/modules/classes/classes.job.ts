import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { PlayClass } from './classes.commands.js';

const DUE = 'select tenant_id as "tenantId", timezone, grupo_id as "grupoId", inicio from classes_due($1)';

interface Due extends Record<string, unknown> {
  tenantId: string;
  timezone: string;
  grupoId: string;
  inicio: Date;
}

/** Decides whether classes with a minimum of students take place, and offers seats to who waits for one. */
export const playClasses = defineJob({ name: 'classes', schedule: { everyMs: 30_000 } });

/** Each hour is decided again under the tenant's lock, so an interrupted or repeated run does it once. */
@Injectable()
export class ClassesJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(playClasses, () => this.run());
  }

  async run(): Promise<void> {
    const due = await this.database.lookUp<Due>(DUE, [this.clock.now()]);
    await eachAlone(
      due,
      ({ tenantId, grupoId }) => ({ tenantId, grupoId }),
      ({ tenantId, timezone, grupoId, inicio }) =>
        this.commands.execute(
          new PlayClass(nobodyOf(tenantId, timezone, randomUUID()), grupoId, inicio.toISOString()),
        ),
    );
  }
}
