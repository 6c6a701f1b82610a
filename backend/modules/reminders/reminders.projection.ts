import { stateProjection } from '../../platform/projections/projection.js';
import { reminder } from './reminder.js';

interface ReminderRow {
  session_id: string;
  student_id: string;
  inicio: string;
  por_email: boolean;
  preparado_em: Date;
  enviado_em: Date | null;
  confirmado_em: Date | null;
}

export const reminders = stateProjection(reminder, {
  name: 'reminders',
  topic: 'reminders',
  table: 'reminders',
  students: ({ student_id }) => [student_id as string],
  evolve(row: ReminderRow | undefined, event) {
    const { type, data } = event;
    const { recordedAt } = event;
    if (type === 'ReminderPrepared') {
      const { session_id, student_id, inicio, por_email } = data;
      const none = { enviado_em: null, confirmado_em: null };
      return { session_id, student_id, inicio, por_email, preparado_em: recordedAt, ...none };
    }
    if (!row) return null;
    switch (type) {
      case 'ReminderSent':
        return { ...row, enviado_em: recordedAt };
      case 'ReminderUnsent':
        return { ...row, enviado_em: null };
      case 'ReminderConfirmed':
        return { ...row, confirmado_em: recordedAt };
    }
  },
});
