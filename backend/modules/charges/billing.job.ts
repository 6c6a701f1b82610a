import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone, eachTenant } from '../../platform/jobs/each-alone.js';
import { monthAfter } from '../../platform/local-time.js';
import { billedMonth } from './monthly-plan.js';
import { BillMonth } from './monthly-plans.commands.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_plans_due($1)';

/**
 * Issues the charges of monthly plans. After a time without workers it issues those of all missed months. Each month has its own
 * transaction, so a worker may stop between two of them, and two workers may run at once.
 */
export const monthlyBilling = defineSchedule(
  'monthly-billing',
  300_000,
  { database: Database, commands: CommandBus },
  (now, { database, commands }) =>
    eachTenant(database, { select: TENANTS, values: [now] }, async (tenantId, timezone) => {
      const last = billedMonth(now, timezone);
      const due = await database.read(tenantId, duePlans({ last }));
      const idsOf = ({ id }: { id: string }) => ({ tenantId, studentId: id });
      await eachAlone(due, idsOf, async ({ id, proximo_mes }) => {
        for (let mes = proximo_mes; mes <= last; mes = monthAfter(mes))
          await commands.execute(new BillMonth(nobodyOf(tenantId, timezone), id, mes));
      });
    }),
);

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
