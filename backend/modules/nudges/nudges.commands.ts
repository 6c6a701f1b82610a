import { derivedId } from '../../platform/derived-id.js';
import type { CommandTransaction } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { dateOf } from '../../platform/local-time.js';
import { session } from '../sessions/session.js';
import { activeStudent, student } from '../students/student.js';
import { decideDismiss, decideSent, decideUnsent, nudge } from './nudge.js';
import type { NewNudge } from './nudges.api.js';

/** Of the message to a student for this reason: one for each session of a class, or one a day. */
export const nudgeId = (studentId: string, { motivo, session_id }: NewNudge, dia: string): string =>
  derivedId(`nudge/${studentId}/${motivo}/${session_id ?? dia}`);

/** Marks today's message as sent or, with `decideDismiss`, as dismissed. */
export async function markNudge(
  tx: CommandTransaction,
  student_id: string,
  wanted: NewNudge,
  decide: typeof decideSent = decideSent,
) {
  const dia = dateOf(tx.now, tx.context.timezone);
  const nudge_id = nudgeId(student_id, wanted, dia);
  tx.append(
    nudge,
    nudge_id,
    decide(await tx.load(nudge, nudge_id), { nudge_id, student_id, dia, ...wanted }),
  );
  return { id: nudge_id };
}

const marked =
  (decide: typeof decideSent) => async (tx: CommandTransaction, student_id: string, wanted: NewNudge) => {
    const { session_id } = wanted;
    const [who, cancelled] = await Promise.all([
      tx.load(student, student_id),
      session_id === undefined ? undefined : tx.load(session, session_id),
    ]);
    activeStudent(who);
    if (session_id !== undefined && cancelled?.student_id !== student_id)
      throw new Problem('nudges.not_found');
    return markNudge(tx, student_id, wanted, decide);
  };

export const MarkNudgeSent = defineCommand('MarkNudgeSent', marked(decideSent));

export const DismissNudge = defineCommand('DismissNudge', marked(decideDismiss));

export const MarkNudgeUnsent = defineCommand('MarkNudgeUnsent', async (tx, id: string) => {
  tx.append(nudge, id, decideUnsent(await tx.load(nudge, id)));
  return { id };
});
