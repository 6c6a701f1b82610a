import { defineCommand } from '../../platform/event-store/define-command.js';
import type { SwitchedOff } from './letters.api.js';
import { usualMails } from './notification-settings.api.js';

const OFF = `insert into letters_off (tenant_id, student_id, kind) values ($1, $2, $3) on conflict do nothing`;
const ON = 'delete from letters_off where tenant_id = $1 and student_id = $2 and kind = $3';
/** Also switches them on in the settings of the student's account, where they may have been switched off. */
const ON_IN_ACCOUNT = `update notification_settings c set desligados = array_remove(c.desligados, $3),
    email = case when $3 = any($4::text[]) then array_append(array_remove(c.email, $3), $3) else c.email end
  from memberships m
  where m.tenant_id = $1 and m.student_id = $2 and c.tenant_id = m.tenant_id and c.user_id = m.user_id`;

/** Switches a student's mails of a kind on or off. Records no event, because this is no fact of the business. */
export const SwitchLetters = defineCommand('SwitchLetters', (tx, kind: SwitchedOff, isOn: boolean) => {
  const { tenantId, studentId } = tx.context;
  const values = [tenantId, studentId, kind];
  tx.inTransaction(async (query) => {
    await query(isOn ? ON : OFF, values);
    if (isOn) await query(ON_IN_ACCOUNT, [...values, usualMails.aluno]);
  });
  return { id: studentId! };
});
