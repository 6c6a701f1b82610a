import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { LapseVisits } from './visits.commands.js';

const LAPSING = 'select tenant_id as "tenantId", timezone from visits_lapsing($1)';

/** Cancels visitors' bookings that nobody confirmed in time. */
export const lapseVisits = defineJob({ name: 'visit-lapses', schedule: { everyMs: 300_000 } });

/** Each booking is decided again under the tenant's lock, so an interrupted or repeated run cancels it once. */
@Injectable()
export class VisitLapsesJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(lapseVisits, () => this.run());
  }

  async run(): Promise<void> {
    const tenants = await this.database.lookUp<{ tenantId: string; timezone: string }>(LAPSING, [
      this.clock.now(),
    ]);
    await eachAlone(
      tenants,
      ({ tenantId }) => ({ tenantId }),
      ({ tenantId, timezone }) =>
        this.commands.execute(new LapseVisits(nobodyOf(tenantId, timezone, randomUUID()))),
    );
  }
}
