import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { dateOf } from '../../platform/local-time.js';
import { daysAfter, weekEnd } from './pattern.js';
import { WEEKS_AHEAD } from './series.api.js';
import { FillSeries } from './series.commands.js';

const DUE = 'select tenant_id, series_id, timezone from series_to_fill($1::date)';

/** Books the next sessions of series without an end. */
export const fillSeries = defineJob({ name: 'series', schedule: { everyMs: 3_600_000 } });

interface Due extends Record<string, unknown> {
  tenant_id: string;
  series_id: string;
  timezone: string;
}

@Injectable()
export class SeriesJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(fillSeries, () => this.run());
  }

  /** Fills each series with a separate command; a failed one does not stop the others, and is retried. */
  async run(): Promise<void> {
    const today = dateOf(this.clock.now(), 'UTC');
    const until = weekEnd(daysAfter(today, WEEKS_AHEAD * 7));
    const due = await this.database.lookUp<Due>(DUE, [until]);
    await eachAlone(
      due,
      ({ tenant_id: tenantId, series_id: seriesId }) => ({ tenantId, seriesId }),
      ({ tenant_id, series_id, timezone }) =>
        this.commands.execute(new FillSeries(nobodyOf(tenant_id, timezone, randomUUID()), series_id)),
    );
  }
}
