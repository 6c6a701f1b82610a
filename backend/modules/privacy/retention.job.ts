import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import type { CommandContext } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { Queues } from '../../platform/jobs/queues.js';
import { decideEndRetention, person } from './person.js';

const OVER = 'select tenant_id, person_id, key_id from retention_over($1::date)';
/** Time after midnight UTC until a day has ended in every time zone. */
const LAST_ZONE_MS = 12 * 3_600_000;

/** Ends retentions of forgotten persons that have expired. */
export const endRetentions = defineJob({ name: 'retention', schedule: { everyMs: 3_600_000 } });

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
    const today = new Date(this.clock.now().getTime() - LAST_ZONE_MS).toISOString().slice(0, 10);
    const over = await this.database.lookUp<{ tenant_id: string; person_id: string; key_id: string }>(OVER, [
      today,
    ]);
    for (const { tenant_id: tenantId, person_id, key_id } of over) {
      const end = async (tx: CommandTransaction) => {
        tx.append(person, person_id, decideEndRetention(await tx.load(person, person_id), person_id, key_id));
        return { id: key_id };
      };
      await this.store.transact(new EndRetention(contextOf(tenantId)), end, { evenClosed: true });
    }
  }
}

/** The context of the job's commands, with the tenant itself as actor. */
function contextOf(tenantId: string): CommandContext {
  return {
    ...{ tenantId, userId: tenantId, role: 'personal', studentId: null, timezone: 'America/Sao_Paulo' },
    ...{ requestId: randomUUID(), device: null, idempotency: null },
  };
}
