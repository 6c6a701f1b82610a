import { randomUUID } from 'node:crypto';
import { TZDate } from '@date-fns/tz';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { Queues } from '../../platform/jobs/queues.js';
import { remindersToMail } from './contract-reminders.queries.js';
import { RemindByItself } from './sending.commands.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_open_contracts($1)';
/** Mails are sent only between these hours of the tenant's day. */
const [FIRST_HOUR, LAST_HOUR] = [9, 20];

/** Mails reminders to students who have not signed. */
export const contractReminders = defineJob({ name: 'contract-reminders', schedule: { everyMs: 900_000 } });

/** Each reminder is decided again under the tenant's lock, so it is sent once even if the job is interrupted or runs twice. */
@Injectable()
export class ContractReminderJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(contractReminders, () => this.run());
  }

  /** A reminder that fails does not stop the others. */
  async run(): Promise<void> {
    const now = this.clock.now();
    const tenants = await this.database.lookUp<{ tenant_id: string; timezone: string }>(TENANTS, [now]);
    const failures: unknown[] = [];
    for (const { tenant_id, timezone } of tenants) {
      const hour = new TZDate(now, timezone).getHours();
      if (hour < FIRST_HOUR || hour >= LAST_HOUR) continue;
      for (const { id } of await this.database.read(tenant_id, remindersToMail(now))) {
        const command = new RemindByItself(nobodyOf(tenant_id, timezone, randomUUID()), id);
        await this.commands.execute(command).catch((error: unknown) => failures.push(error));
      }
    }
    if (failures.length > 0) throw failures[0];
  }
}
