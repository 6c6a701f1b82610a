import { defineCommand } from '../../platform/event-store/define-command.js';
import type { NotificationSettings } from './notification-settings.api.js';

const SET = `insert into notification_settings (tenant_id, user_id, push, email, silencio_de, silencio_ate, zona, desligados)
  values ($1, $2, $3, $4, $5, $6, $7, coalesce($8::text[], '{}'))
  on conflict (tenant_id, user_id) do update set push = excluded.push, email = excluded.email,
    silencio_de = excluded.silencio_de, silencio_ate = excluded.silencio_ate, zona = excluded.zona,
    desligados = coalesce($8::text[], notification_settings.desligados)`;

const FORGET_TAPS = `delete from letters_off where tenant_id = $1 and student_id = $2
  and ($3 or kind in ('lembretes', 'creditos'))`;

/** Stores a user's notification settings. Records no event, because they are no fact of the business. */
export const SetNotificationSettings = defineCommand(
  'SetNotificationSettings',
  (tx, { push, email, silencio, zona, desligados }: NotificationSettings) => {
    const { tenantId, userId, studentId } = tx.context;
    const quiet = [silencio?.de ?? null, silencio?.ate ?? null];
    const values = [tenantId, userId, push, email, ...quiet, zona, desligados ?? null];
    // The settings page showed choices made by links in mails, so the new settings replace them.
    if (studentId !== null)
      tx.inTransaction((query) => query(FORGET_TAPS, [tenantId, studentId, desligados !== undefined]));
    tx.inTransaction((query) => query(SET, values));
    return { id: userId };
  },
);
