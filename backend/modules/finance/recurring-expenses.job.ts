import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from 'kysely';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { type CommandContext, nobodyOf } from '../../platform/event-store/context.js';
import { EventStore } from '../../platform/event-store/event-store.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone, eachTenant } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { monthAfter, monthReached } from '../../platform/months.js';
import { recordDue } from './recurring-expenses.commands.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_expenses_due($1)';

/** Records recurring expenses on their days. After a time without workers it records all missed months. */
export const recurringExpenseDays = defineJob({
  name: 'recurring-expenses',
  schedule: { everyMs: 300_000 },
});

class RecordRecurringExpense {
  constructor(readonly context: CommandContext) {}
}

@Injectable()
export class RecurringExpensesJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly store: EventStore,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(recurringExpenseDays, () => this.run());
  }

  async run(): Promise<void> {
    const due = { select: TENANTS, values: [this.clock.now()] };
    await eachTenant(this.database, due, (tenantId, timezone) => this.recordAll(tenantId, timezone));
  }

  /** Each month has its own transaction, so a worker may stop between two of them, and two workers may run at once. */
  private async recordAll(tenantId: string, timezone: string): Promise<void> {
    const now = this.clock.now();
    const due = await this.database.read(tenantId, begun({ month: monthReached(now, timezone, 1) }));
    const idsOf = ({ id }: { id: string }) => ({ tenantId, expenseId: id });
    await eachAlone(due, idsOf, async ({ id, proximo_mes, vence_dia }) => {
      const last = monthReached(now, timezone, vence_dia);
      for (let mes = proximo_mes; mes <= last; mes = monthAfter(mes)) {
        const command = new RecordRecurringExpense(nobodyOf(tenantId, timezone, randomUUID()));
        await this.store.transact(command, async (tx) => {
          await recordDue(tx, id, mes);
          return { id };
        });
      }
    });
  }
}

/** Expenses whose next month has begun; whether its day has come is checked for each. */
const begun = statement((db, { month }: Blanks<{ month: string }>) =>
  db
    .selectFrom('recurring_expenses')
    .select(['id', 'proximo_mes', 'vence_dia'])
    .where('ativa', '=', true)
    .where('proximo_mes', '<=', month)
    .where(sql<boolean>`(ate is null or ate >= proximo_mes + vence_dia - 1)`)
    .orderBy('id')
    .compile(),
);
