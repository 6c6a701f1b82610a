import { refuseChanged } from '../../platform/event-store/aggregate.js';
import { defineLookUp } from '../../platform/event-store/command-transaction.js';
import { defineCommand } from '../../platform/event-store/define-command.js';
import type { NotificationChange } from './notification-settings.api.js';
import { type SavedSettings, shownSettings } from './notification-settings.queries.js';

const settingsOf = defineLookUp<SavedSettings, [userId: string]>(
  `select push, email, silencio_de, silencio_ate, zona, desligados
  from notification_settings where tenant_id = $1 and user_id = $2`,
);
const tapsOf = defineLookUp<{ kind: string }, [studentId: string | null]>(
  'select kind from letters_off where tenant_id = $1 and student_id = $2',
);

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
  async (tx, { push, email, silencio, zona, desligados, se_ainda }: NotificationChange) => {
    const { tenantId, userId, studentId } = tx.context;
    if (se_ainda) {
      const [[saved], taps] = await Promise.all([
        tx.lookUp(settingsOf, userId),
        tx.lookUp(tapsOf, studentId),
      ]);
      refuseChanged('As notificações', shownSettings(tx.context, saved, taps), se_ainda);
    }
    const quiet = [silencio?.de ?? null, silencio?.ate ?? null];
    const values = [tenantId, userId, push, email, ...quiet, zona, desligados ?? null];
    // The settings page showed choices made by links in mails, so the new settings replace them.
    if (studentId !== null)
      tx.inTransaction((query) => query(FORGET_TAPS, [tenantId, studentId, desligados !== undefined]));
    tx.inTransaction((query) => query(SET, values));
    return { id: userId };
  },
);
