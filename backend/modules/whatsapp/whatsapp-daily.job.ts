import { Database } from '../../platform/database/database.js';
import { type Blanks, statement } from '../../platform/database/statement.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachTenantByDay } from '../../platform/jobs/each-alone.js';
import { dateOf } from '../../platform/local-time.js';
import { stepOf } from '../charges/days.js';
import { dueReminders } from '../charges/receivables.queries.js';
import { nudgeId } from '../nudges/nudges.commands.js';
import { nudgesToSend } from '../nudges/nudges.queries.js';
import { type Wanted, WhatsAppSender } from './whatsapp-sender.service.js';

const TENANTS = 'select tenant_id, timezone from tenants_with_daily_whatsapp()';
const nudgesOf = statement((db, at: Blanks<{ now: Date; today: string }>) =>
  db.selectFrom(nudgesToSend(at).as('n')).selectAll().compile(),
);
const SEE = "select set_config('app.tenant', $1, true)";

/**
 * Puts what students are to be told today into the outbox, because it follows from no event but a day: charges that are due for a
 * reminder, once for each step (students with an address have it by mail), birthdays, and that they are missed.
 */
export const dailyWhatsApp = defineSchedule(
  'whatsapp-daily',
  900_000,
  { database: Database, sender: WhatsAppSender },
  (now, { database, sender }) =>
    eachTenantByDay(database, now, { select: TENANTS, values: [] }, async (tenantId, zone) => {
      const today = dateOf(now, zone);
      const [charges, nudges] = await Promise.all([
        database.read(tenantId, dueReminders({ today, zone })),
        database.report(tenantId, nudgesOf({ now, today })),
      ]);
      const wanted: Wanted[] = nudges.map(({ student_id, motivo, session_id }) => ({
        ...{ tipo: motivo, student_id, sobre_id: session_id ?? student_id },
        subject_id: nudgeId(student_id, { motivo, ...(session_id && { session_id }) }, today),
      }));
      for (const { id, student_id, vencimento, email } of charges)
        if (email === null)
          wanted.push({
            ...{ tipo: 'cobranca', subject_id: id, student_id, sobre_id: id },
            key: `/${stepOf(vencimento, today)}`,
          });
      const wake = await database.transact(async (query) => {
        await query(SEE, [tenantId]);
        return sender.add(query, tenantId, wanted);
      });
      wake?.();
    }),
);
