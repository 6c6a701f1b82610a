import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachTenantByDay } from '../../platform/jobs/each-tenant.js';
import { Queues } from '../../platform/jobs/queues.js';
import { dateOf } from '../../platform/local-time.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { PrepareExpiryWarnings } from './expiry-warnings.commands.js';
import { dueWarnings } from './expiry-warnings.queries.js';

const TENANTS = 'select tenant_id, timezone from tenants_open()';
/** Maximum of warnings for one tenant in one run; the next run continues. */
const AT_ONCE = 100;

/** Warns of credits that expire in 7 days. */
export const expiryWarningsDue = defineJob({ name: 'expiry-warnings', schedule: { everyMs: 900_000 } });

/** Each warning is decided again under the tenant's lock, so it is prepared once even if the job is interrupted or runs twice. */
@Injectable()
export class ExpiryWarningsJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly queues: Queues,
    private readonly addresses: MailAddresses,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(expiryWarningsDue, () => this.run());
  }

  /** A tenant whose command fails does not stop the others. */
  async run(): Promise<void> {
    const now = this.clock.now();
    await eachTenantByDay(this.database, now, { select: TENANTS, values: [] }, (tenantId, timezone) =>
      this.warn(tenantId, timezone, now),
    );
  }

  private async warn(tenantId: string, timezone: string, now: Date): Promise<void> {
    const asked = { now, today: dateOf(now, timezone), timezone, most: AT_ONCE };
    const due = await this.database.read(tenantId, dueWarnings(asked));
    if (due.length === 0) return;
    const context = nobodyOf(tenantId, timezone, randomUUID());
    await this.commands.execute(new PrepareExpiryWarnings(context, due, this.addresses.hashOf));
  }
}
