import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { lastZonesDay } from '../../platform/http/common.api.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { decideEndRetention, person } from '../students/person.js';

const OVER = 'select tenant_id, person_id, key_id from retention_over($1::date)';

/** Ends retentions of forgotten persons that have expired. */
export const endRetentions = defineJob({ name: 'retention', schedule: { everyMs: 3_600_000 } });

interface Over extends Record<string, unknown> {
  tenant_id: string;
  person_id: string;
  key_id: string;
}

class EndRetention {
  constructor(readonly context: CommandContext) {}
}

@Injectable()
export class RetentionJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(endRetentions, () => this.run());
  }

  async run(): Promise<void> {
    const today = lastZonesDay(this.clock.now());
    const over = await this.database.lookUp<Over>(OVER, [today]);
    await eachAlone(
      over,
      ({ tenant_id: tenantId, person_id: personId }) => ({ tenantId, personId }),
      ({ tenant_id, person_id, key_id }) => {
        const end = async (tx: CommandTransaction) => {
          const events = decideEndRetention(await tx.load(person, person_id), person_id, key_id);
          tx.append(person, person_id, events);
          return { id: key_id };
        };
        const context = nobodyOf(tenant_id, 'America/Sao_Paulo', randomUUID());
        return this.store.transact(new EndRetention(context), end, { evenClosed: true });
      },
    );
  }
}
