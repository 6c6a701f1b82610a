import { CommandBus } from '@nestjs/cqrs';
import { sql } from 'kysely';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone, eachTenant } from '../../platform/jobs/each-alone.js';
import { monthAfter, monthReached } from '../../platform/local-time.js';
import { RecordRecurringExpense } from './recurring-expenses.commands.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_expenses_due($1)';

/**
 * Records recurring expenses on their days. After a time without workers it records all missed months. Each month has its own
 * transaction, so a worker may stop between two of them, and two workers may run at once.
 */
export const recurringExpenseDays = defineSchedule(
  'recurring-expenses',
  300_000,
  { database: Database, commands: CommandBus },
  (now, { database, commands }) =>
    eachTenant(database, { select: TENANTS, values: [now] }, async (tenantId, timezone) => {
      const due = await database.read(tenantId, begun({ month: monthReached(now, timezone, 1) }));
      const idsOf = ({ id }: { id: string }) => ({ tenantId, expenseId: id });
      await eachAlone(due, idsOf, async ({ id, proximo_mes, vence_dia }) => {
        const last = monthReached(now, timezone, vence_dia);
        for (let mes = proximo_mes; mes <= last; mes = monthAfter(mes))
          await commands.execute(new RecordRecurringExpense(nobodyOf(tenantId, timezone), id, mes));
      });
    }),
);

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
