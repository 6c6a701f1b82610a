import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { eachTenantByDay } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { dateOf } from '../../platform/local-time.js';
import { stepOf } from '../charges/days.js';
import { dueReminders } from '../charges/receivables.queries.js';
import { nudgeId } from '../nudges/nudges.commands.js';
import { nudgesToSend } from '../nudges/nudges.queries.js';
import { dailyWhatsApp } from './whatsapp.job.js';
import { type Wanted, WhatsAppSender } from './whatsapp-sender.service.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_daily_whatsapp()';
const nudgesOf = statement((db, at: Blanks<{ now: Date; today: string }>) =>
  db.selectFrom(nudgesToSend(at).as('n')).selectAll().compile(),
);
const SEE = "select set_config('app.tenant', $1, true)";

/**
 * Puts what follows from no event but a day into the outbox: charges that are due for a reminder, once for each step (students with
 * an address have it by mail), and nudges.
 */
@Injectable()
export class WhatsAppDaily implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly sender: WhatsAppSender,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(dailyWhatsApp, () => this.run());
  }

  async run(): Promise<void> {
    const now = this.clock.now();
    await eachTenantByDay(this.database, now, { select: TENANTS, values: [] }, (tenantId, timezone) =>
      this.addDue(tenantId, timezone, now),
    );
  }

  private async addDue(tenantId: string, timezone: string, now: Date): Promise<void> {
    const today = dateOf(now, timezone);
    const [charges, nudges] = await Promise.all([
      this.database.read(tenantId, dueReminders({ today, zone: timezone })),
      this.database.report(tenantId, nudgesOf({ now, today })),
    ]);
    const wanted: Wanted[] = nudges.map(({ student_id, motivo, session_id }) => ({
      ...{ tipo: motivo, student_id, sobre_id: session_id ?? student_id },
      subject_id: nudgeId(student_id, { motivo, ...(session_id && { session_id }) }, today),
    }));
    for (const { id, student_id, vencimento, email } of charges)
      if (email === null)
        wanted.push({
          ...{
            tipo: 'cobranca',
            subject_id: id,
            student_id,
            sobre_id: id,
            key: `/${stepOf(vencimento, today)}`,
          },
        });
    const wake = await this.database.transact(async (query) => {
      await query(SEE, [tenantId]);
      return this.sender.add(query, tenantId, wanted);
    });
    wake?.();
  }
}
