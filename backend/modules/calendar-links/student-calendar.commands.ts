import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { LinkTokens } from '../../platform/link-tokens.js';
import { newAddress } from './calendar-feed.commands.js';
import type { Addresses } from './addresses.js';
import type { FormerFeed } from './calendar-links.api.js';
import {
  decideOpenOwn,
  decideRenewOwn,
  decideRestoreOwn,
  decideRevokeOwn,
  studentCalendar,
  type StudentCalendarEvent,
} from './student-calendar.js';

type Decide = (state: Addresses, studentId: string) => StudentCalendarEvent[];

async function change(tx: CommandTransaction, decide: Decide) {
  const id = tx.context.studentId!;
  const before = await tx.load(studentCalendar, id);
  tx.append(studentCalendar, id, decide(before, id));
  const { current } = await tx.load(studentCalendar, id);
  const was = before.current?.feed_id ?? null;
  return { id: current?.feed_id ?? id, anterior: was === current?.feed_id ? null : was };
}

export const OpenStudentCalendar = defineCommand(
  'OpenStudentCalendar',
  { tokens: LinkTokens },
  (tx, { tokens }) =>
    change(tx, (state, studentId) => decideOpenOwn(state, studentId, newAddress(tokens, 'student-calendar'))),
);

export const RenewStudentCalendar = defineCommand(
  'RenewStudentCalendar',
  { tokens: LinkTokens },
  (tx, { tokens }) =>
    change(tx, (state, studentId) =>
      decideRenewOwn(state, studentId, newAddress(tokens, 'student-calendar')),
    ),
);

export const RevokeStudentCalendar = defineCommand('RevokeStudentCalendar', (tx) =>
  change(tx, decideRevokeOwn),
);

export const RestoreStudentCalendar = defineCommand('RestoreStudentCalendar', (tx, former: FormerFeed) =>
  change(tx, (state, studentId) => decideRestoreOwn(state, studentId, former)),
);
