import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { namedId } from '../../platform/derived-id.js';
import { dateOf } from '../../platform/local-time.js';
import { decideDeliver, decideNoteChange, decideUndoDelivery, deliveredMonth } from './delivered-month.js';

/** `month`: `2026-11` */
const aboutOf = (tx: CommandTransaction, month: string) => ({
  delivery_id: namedId(`delivered-month/${tx.context.tenantId}/${month}`),
  mes: `${month}-01`,
});

export const DeliverMonth = defineCommand('DeliverMonth', async (tx, month: string) => {
  const about = aboutOf(tx, month);
  await tx.load(deliveredMonth, about.delivery_id);
  tx.append(deliveredMonth, about.delivery_id, decideDeliver(about, dateOf(tx.now, tx.context.timezone)));
  return { id: about.delivery_id };
});

export const UndoMonthDelivery = defineCommand('UndoMonthDelivery', async (tx, month: string) => {
  const about = aboutOf(tx, month);
  const state = await tx.load(deliveredMonth, about.delivery_id);
  tx.append(deliveredMonth, about.delivery_id, decideUndoDelivery(state, about));
  return { id: about.delivery_id };
});

export const NoteMonthChange = defineCommand(
  'NoteMonthChange',
  async (tx, month: string, transactionId: string) => {
    const about = aboutOf(tx, month);
    const state = await tx.load(deliveredMonth, about.delivery_id);
    tx.append(deliveredMonth, about.delivery_id, decideNoteChange(state, about, transactionId));
    return { id: about.delivery_id };
  },
);
