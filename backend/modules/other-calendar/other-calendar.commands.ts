import { randomUUID } from 'node:crypto';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import type { OtherCalendarLink } from './other-calendar.api.js';
import { decideLink, decideRelink, decideReport, decideUnlink, otherCalendar } from './other-calendar.js';

const CLEAR_READS = 'delete from other_calendar_reads where tenant_id = $1';
const CLEAR_BUSY = 'delete from other_calendar_busy where tenant_id = $1';

/** Deletes busy times that were read from the previous calendar. */
function clear(tx: CommandTransaction): void {
  const { tenantId } = tx.context;
  tx.inTransaction(async (query) => {
    await query(CLEAR_READS, [tenantId]);
    await query(CLEAR_BUSY, [tenantId]);
  });
}

export const LinkOtherCalendar = defineCommand(
  'LinkOtherCalendar',
  async (tx, { link_ics }: OtherCalendarLink) => {
    const { tenantId } = tx.context;
    const events = decideLink(await tx.load(otherCalendar, tenantId), randomUUID(), link_ics);
    tx.append(otherCalendar, tenantId, events);
    if (events.length > 0) clear(tx);
    const { calendar_id } = await tx.load(otherCalendar, tenantId);
    return { id: calendar_id! };
  },
);

export const UnlinkOtherCalendar = defineCommand('UnlinkOtherCalendar', async (tx) => {
  const { tenantId } = tx.context;
  tx.append(otherCalendar, tenantId, decideUnlink(await tx.load(otherCalendar, tenantId)));
  clear(tx);
  return { id: tenantId };
});

export const RelinkOtherCalendar = defineCommand('RelinkOtherCalendar', async (tx) => {
  const { tenantId } = tx.context;
  const state = await tx.load(otherCalendar, tenantId);
  tx.append(otherCalendar, tenantId, decideRelink(state));
  return { id: state.calendar_id! };
});

/** Records that the calendar cannot be read since then, or can be read again (null). */
export const ReportOtherCalendar = defineCommand(
  'ReportOtherCalendar',
  async (tx, calendar_id: string, since: Date | null) => {
    const { tenantId } = tx.context;
    const state = await tx.load(otherCalendar, tenantId);
    tx.append(otherCalendar, tenantId, decideReport(state, calendar_id, since?.toISOString() ?? null));
    return { id: calendar_id };
  },
);
