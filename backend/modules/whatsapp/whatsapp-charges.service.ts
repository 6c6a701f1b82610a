import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { eachTenantByDay } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { dateOf } from '../../platform/local-time.js';
import { stepOf } from '../charges/days.js';
import { dueReminders } from '../charges/receivables.queries.js';
import { whatsAppCharges } from './whatsapp.job.js';
import { WhatsAppSender } from './whatsapp-sender.service.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_whatsapp_charges()';
const SEE = "select set_config('app.tenant', $1, true)";

/** Puts charges that are due for a reminder into the outbox, once for each step; students with an address have it by mail. */
@Injectable()
export class WhatsAppCharges implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sender: WhatsAppSender,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(whatsAppCharges, () => this.run());
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await eachTenantByDay(this.database, now, { select: TENANTS, values: [] }, (tenantId, timezone) =>
      this.addDue(tenantId, timezone, now),
    );
  }

  private async addDue(tenantId: string, timezone: string, now: Date): Promise<void> {
    const today = dateOf(now, timezone);
    const due = await this.database.read(tenantId, dueReminders({ today, zone: timezone }));
    const wakes = await this.database.transact(async (query) => {
      await query(SEE, [tenantId]);
      const added: (() => void)[] = [];
      for (const { id, student_id, vencimento, email } of due) {
        if (email !== null) continue;
        const key = `/${stepOf(vencimento, today)}`;
        const about = { subject: id, student: student_id, of: id, key };
        const wake = await this.sender.add(query, tenantId, 'cobranca', about);
        if (wake) added.push(wake);
      }
      return added;
    });
    wakes.forEach((wake) => wake());
  }
}
