import type { Guard } from '../../platform/event-store/guard.js';
import type { ReminderEvent } from './reminder.js';

/** Links by the hash of their token. */
export const reminderTokens: Guard = {
  name: 'reminder-tokens',
  tables: ['reminder_tokens'],
  events: ['ReminderPrepared'] satisfies ReminderEvent['type'][],
  statements({ tenantId, ...event }) {
    const { type, data } = event as unknown as ReminderEvent;
    switch (type) {
      case 'ReminderPrepared':
        return [
          {
            text: `insert into reminder_tokens (tenant_id, id, token_hash, session_id, student_id, inicio)
          values ($1, $2, decode($3, 'hex'), $4, $5, $6)`,
            values: [
              tenantId,
              data.reminder_id,
              data.token_hash,
              data.session_id,
              data.student_id,
              data.inicio,
            ],
          },
        ];
      case 'ReminderSent':
      case 'ReminderUnsent':
      case 'ReminderConfirmed':
        return [];
    }
  },
  violations: {},
};
