import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachAlone } from '../../platform/jobs/each-alone.js';
import { PrepareReminders } from './reminders.commands.js';

const DUE = `select tenant_id as "tenantId", timezone, session_id, student_id, inicio from reminders_due($1)`;
/** Most sessions of one command. */
const AT_ONCE = 100;

interface Due {
  tenantId: string;
  timezone: string;
  session_id: string;
  student_id: string;
  inicio: Date;
}

/**
 * Prepares the reminders that are due. Often, since tenants have their evenings at different times. Each reminder is decided again
 * under the tenant's lock, so it is prepared once even if the job is interrupted or runs twice.
 */
export const prepareReminders = defineSchedule(
  'reminders',
  15_000,
  { database: Database, commands: CommandBus },
  async (now, { database, commands }) => {
    const due = await database.lookUp<Due>(DUE, [now]);
    const batches = [...new Set(due.map(({ tenantId }) => tenantId))].flatMap((tenantId) => {
      const own = due.filter((each) => each.tenantId === tenantId);
      return Array.from({ length: Math.ceil(own.length / AT_ONCE) }, (_, n) => ({
        tenantId,
        some: own.slice(n * AT_ONCE, (n + 1) * AT_ONCE),
      }));
    });
    await eachAlone(
      batches,
      ({ tenantId }) => ({ tenantId }),
      ({ tenantId, some }) => {
        const wanted = some.map(({ session_id, student_id, inicio }) => ({
          session_id,
          student_id,
          inicio: inicio.toISOString(),
        }));
        return commands.execute(new PrepareReminders(nobodyOf(tenantId, some[0]!.timezone), wanted));
      },
    );
  },
);
