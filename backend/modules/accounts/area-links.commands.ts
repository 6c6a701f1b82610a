import { addDays } from 'date-fns';
import { defineCommand } from '../../platform/event-store/define-command.js';
import { activeStudent, existingStudent, student } from '../students/student.js';
import { AREA_LINK_DAYS } from './area-links.api.js';
import { decideEndArea, decideOpenArea, studentAccess } from './student-access.js';

/** Makes a new link, which ends the previous one. */
export const OpenAreaLink = defineCommand(
  'OpenAreaLink',
  async (tx, studentId: string, link: { link_id: string; token_hash: string }) => {
    const [who, access] = await Promise.all([tx.load(student, studentId), tx.load(studentAccess, studentId)]);
    const { student_id } = activeStudent(who);
    const expires_at = addDays(tx.now, AREA_LINK_DAYS).toISOString();
    tx.append(studentAccess, studentId, decideOpenArea(access, { student_id, ...link, expires_at }));
    return { id: link.link_id, expires_at };
  },
);

export const EndAreaLink = defineCommand('EndAreaLink', async (tx, studentId: string) => {
  const [who, access] = await Promise.all([tx.load(student, studentId), tx.load(studentAccess, studentId)]);
  existingStudent(who);
  tx.append(studentAccess, studentId, decideEndArea(access, studentId));
  return { id: studentId };
});
