import { derivedId } from '../../platform/derived-id.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { dateOf } from '../../platform/local-time.js';
import { activeStudent, student } from '../students/student.js';
import { decideDismiss, decideSent, decideUnsent, nudge } from './nudge.js';
import type { NewNudge, NudgeReason } from './nudges.api.js';

/** Of the message to a student for this reason on a day. */
export const nudgeId = (studentId: string, motivo: NudgeReason, dia: string): string =>
  derivedId(`nudge/${studentId}/${motivo}/${dia}`);

/** Marks today's message as sent or, with `decideDismiss`, as dismissed. */
export async function markNudge(
  tx: CommandTransaction,
  student_id: string,
  motivo: NudgeReason,
  decide: typeof decideSent = decideSent,
) {
  const dia = dateOf(tx.now, tx.context.timezone);
  const nudge_id = nudgeId(student_id, motivo, dia);
  const about = { nudge_id, student_id, motivo, dia };
  tx.append(nudge, nudge_id, decide(await tx.load(nudge, nudge_id), about));
  return { id: nudge_id };
}

const marked =
  (decide: typeof decideSent) =>
  async (tx: CommandTransaction, student_id: string, { motivo }: NewNudge) => {
    activeStudent(await tx.load(student, student_id));
    return markNudge(tx, student_id, motivo, decide);
  };

export const MarkNudgeSent = defineCommand('MarkNudgeSent', marked(decideSent));

export const DismissNudge = defineCommand('DismissNudge', marked(decideDismiss));

export const MarkNudgeUnsent = defineCommand('MarkNudgeUnsent', async (tx, id: string) => {
  tx.append(nudge, id, decideUnsent(await tx.load(nudge, id)));
  return { id };
});
