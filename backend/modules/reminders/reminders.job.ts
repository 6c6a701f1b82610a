import { randomUUID } from 'node:crypto';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Clock } from '../../platform/clock.js';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineJob } from '../../platform/jobs/define-job.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { Queues } from '../../platform/jobs/queues.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { MailAddresses } from '../../platform/mail/mail-addresses.js';
import { PrepareReminders } from './reminders.commands.js';

const DUE = `select tenant_id as "tenantId", timezone, session_id, student_id, inicio from reminders_due($1)`;
/** Most sessions of one command. */
const AT_ONCE = 100;

/** Prepares the reminders that are due. Often, since tenants have their evenings at different times. */
export const prepareReminders = defineJob({ name: 'reminders', schedule: { everyMs: 15_000 } });

interface Due {
  tenantId: string;
  timezone: string;
  session_id: string;
  student_id: string;
  inicio: Date;
}

/** Each reminder is decided again under the tenant's lock, so it is prepared once even if the job is interrupted or runs twice. */
@Injectable()
export class RemindersJob implements OnModuleInit {
  constructor(
    private readonly database: Database,
    private readonly commands: CommandBus,
    private readonly tokens: LinkTokens,
    private readonly addresses: MailAddresses,
    private readonly queues: Queues,
    private readonly clock: Clock,
  ) {}

  onModuleInit(): void {
    this.queues.handle(prepareReminders, () => this.run());
  }

  /** A tenant whose command fails does not stop the others. */
  async run(): Promise<void> {
    const due = await this.database.lookUp<Due>(DUE, [this.clock.now()]);
    const commands = [...new Set(due.map(({ tenantId }) => tenantId))].flatMap((tenantId) => {
      const own = due.filter((each) => each.tenantId === tenantId);
      return Array.from({ length: Math.ceil(own.length / AT_ONCE) }, (_, n) =>
        own.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
      );
    });
    await eachAlone(
      commands,
      ([first]) => ({ tenantId: first!.tenantId }),
      (some) => this.prepare(some),
    );
  }

  private async prepare(due: readonly Due[]): Promise<void> {
    const { tenantId, timezone } = due[0]!;
    const wanted = due.map(({ session_id, student_id, inicio }) => ({
      ...{ session_id, student_id, inicio: inicio.toISOString() },
    }));
    const context = nobodyOf(tenantId, timezone, randomUUID());
    const hash = (id: string) => this.tokens.storedHashOf('reminder', id);
    await this.commands.execute(new PrepareReminders(context, wanted, hash, this.addresses.hashOf));
  }
}
