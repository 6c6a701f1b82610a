import { derivedId } from '../../platform/derived-id.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { dateOf } from '../../platform/local-time.js';
import { activeStudent, student } from '../students/student.js';
import { decideSent, decideUnsent, nudge } from './nudge.js';
import type { NewNudge } from './nudges.api.js';

export const MarkNudgeSent = defineCommand(
  'MarkNudgeSent',
  async (tx, student_id: string, { motivo }: NewNudge) => {
    activeStudent(await tx.load(student, student_id));
    const dia = dateOf(tx.now, tx.context.timezone);
    const nudge_id = derivedId(`nudge/${student_id}/${motivo}/${dia}`);
    const about = { nudge_id, student_id, motivo, dia };
    tx.append(nudge, nudge_id, decideSent(await tx.load(nudge, nudge_id), about));
    return { id: nudge_id };
  },
);

export const MarkNudgeUnsent = defineCommand('MarkNudgeUnsent', async (tx, id: string) => {
  tx.append(nudge, id, decideUnsent(await tx.load(nudge, id)));
  return { id };
});
