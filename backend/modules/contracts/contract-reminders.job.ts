import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { eachTenantByDay } from '../../platform/jobs/each-tenant.js';
import { Queues } from '../../platform/jobs/queues.js';
import { remindersToMail } from './contract-reminders.queries.js';
import { RemindByItself } from './sending.commands.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_open_contracts($1)';

/** Mails reminders to students who have not signed. */
export const contractReminders = defineJob({ name: 'contract-reminders', schedule: { everyMs: 900_000 } });

/** Each reminder is decided again under the tenant's lock, so it is sent once even if the job is interrupted or runs twice. */
@Injectable()
export class ContractReminderJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly addresses: MailAddresses,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(contractReminders, () => this.run());
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    const tenants = { select: TENANTS, values: [now] };
    await eachTenantByDay(this.database, now, tenants, async (tenantId, timezone) => {
      const due = await this.database.read(tenantId, remindersToMail(now));
      const idsOf = ({ id }: { id: string }) => ({ tenantId, requestId: id });
      await eachAlone(due, idsOf, ({ id }) =>
        this.commands.execute(
          new RemindByItself(nobodyOf(tenantId, timezone, randomUUID()), id, this.addresses.hashOf),
        ),
      );
    });
  }
}
