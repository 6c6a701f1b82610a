import { CommandBus } from '@nestjs/cqrs';
import { Database } from '../../platform/database/database.js';
import { nobodyOf } from '../../platform/event-store/context.js';
import { defineSchedule } from '../../platform/jobs/define-schedule.js';
import { eachTenant } from '../../platform/jobs/each-alone.js';
import { LapseVisits } from './visits.commands.js';
import { PlayWaitlist } from './waitlist.commands.js';

const WAITED_FOR = 'select tenant_id, timezone from tenants_waited_for()';
const LAPSING = 'select tenant_id, timezone from visits_lapsing($1)';

/**
 * Offers free times to people who wait, and ends unanswered offers. As with bookings that lapse, everything is decided again under the
 * tenant's lock, so an interrupted or repeated run does it once.
 */
export const playWaitlists = defineSchedule(
  'waitlists',
  15_000,
  { database: Database, commands: CommandBus },
  (_now, { database, commands }) =>
    eachTenant(database, { select: WAITED_FOR, values: [] }, (tenantId, timezone) =>
      commands.execute(new PlayWaitlist(nobodyOf(tenantId, timezone))),
    ),
);

/** Cancels visitors' bookings that nobody confirmed in time. */
export const lapseVisits = defineSchedule(
  'visit-lapses',
  300_000,
  { database: Database, commands: CommandBus },
  (now, { database, commands }) =>
    eachTenant(database, { select: LAPSING, values: [now] }, (tenantId, timezone) =>
      commands.execute(new LapseVisits(nobodyOf(tenantId, timezone))),
    ),
);
