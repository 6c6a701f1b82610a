import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone, eachTenant } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { monthAfter } from '../../platform/months.js';
import { billedMonth } from './monthly-plan.js';
import { bill } from './monthly-plans.commands.js';
import { freshLink } from './charges.commands.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_plans_due($1)';

/** Issues the charges of monthly plans. After a time without workers it issues those of all missed months. */
export const monthlyBilling = defineJob({ name: 'monthly-billing', schedule: { everyMs: 300_000 } });

class BillMonth {
  constructor(readonly context: CommandContext) {}
}

@Injectable()
export class BillingJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly queues: Queues,
    private readonly tokens: LinkTokens,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(monthlyBilling, () => this.run());
  }

  async run(): Promise<void> {
    const due = { select: TENANTS, values: [this.clock.now()] };
    await eachTenant(this.database, due, (tenantId, timezone) => this.billAll(tenantId, timezone));
  }

  /** Each month has its own transaction, so a worker may stop between two of them, and two workers may run at once. */
  private async billAll(tenantId: string, timezone: string): Promise<void> {
    const last = billedMonth(this.clock.now(), timezone);
    const due = await this.database.read(tenantId, duePlans({ last }));
    const idsOf = ({ id }: { id: string }) => ({ tenantId, studentId: id });
    await eachAlone(due, idsOf, async ({ id, proximo_mes }) => {
      for (let mes = proximo_mes; mes <= last; mes = monthAfter(mes)) {
        const command = new BillMonth(nobodyOf(tenantId, timezone, randomUUID()));
        const link = freshLink(this.tokens);
        await this.store.transact(command, async (tx) => {
          await bill(tx, id, mes, link);
          return { id };
        });
      }
    });
  }
}

const duePlans = statement((db, { last }: Blanks<{ last: string }>) =>
  db
    .selectFrom('monthly_plans')
    .select(['id', 'proximo_mes'])
    .where('ativo', '=', true)
    .where('proximo_mes', '<=', last)
    .where((where) => where.or([where('ate', 'is', null), where('ate', '>=', where.ref('proximo_mes'))]))
    .orderBy('id')
    .compile(),
);
