import { type CommandTransaction, defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { Problem } from '../../platform/http/problem.js';
import { HintBus } from '../../platform/realtime/hint-bus.js';
import { hintTo } from './notifications.hints.js';
import type { ReadAll } from './notifications.api.js';

/** Notifications of the trainer, or of the student `$2`, also from before they were merged. */
const OWN = `para = case when $2::uuid is null then 'personal' else 'aluno' end and ($2 is null or student_id in (select same_student($2)))`;

const ownOne = defineLookUp<{ id: string }, [studentId: string | null, id: string]>(
  `select id from notifications where tenant_id = $1 and ${OWN} and id = $3`,
);
const READ_ONE = `update notifications set lida_em = now()
  where tenant_id = $1 and ${OWN} and id = $3 and lida_em is null`;
const READ_ALL = `update notifications set lida_em = now()
  where tenant_id = $1 and ${OWN} and em <= $3 and lida_em is null`;

// These record no event, because what somebody has read is no fact of the business.

/** Marks all notifications up to an instant as read. */
export const ReadNotifications = defineCommand(
  'ReadNotifications',
  { hints: HintBus },
  (tx, { hints }, { ate }: ReadAll) => {
    const { tenantId, studentId } = tx.context;
    tx.inTransaction((query) => query(READ_ALL, [tenantId, studentId, ate]));
    hintReader(tx, hints);
    return { id: studentId ?? tenantId };
  },
);

/** @throws Problem 404 for a notification of somebody else's */
export const ReadNotification = defineCommand(
  'ReadNotification',
  { hints: HintBus },
  async (tx, { hints }, id: string) => {
    const { tenantId, studentId } = tx.context;
    const [known] = await tx.lookUp(ownOne, studentId, id);
    if (!known) throw new Problem('notifications.not_found');
    tx.inTransaction((query) => query(READ_ONE, [tenantId, studentId, id]));
    hintReader(tx, hints);
    return { id };
  },
);

function hintReader(tx: CommandTransaction, hints: HintBus): void {
  const { tenantId, studentId } = tx.context;
  const reader =
    studentId === null
      ? ({ para: 'personal', student_id: tenantId } as const)
      : ({ para: 'aluno', student_id: studentId } as const);
  tx.afterCommit(() => hints.projected([hintTo(reader, tenantId)]));
}
