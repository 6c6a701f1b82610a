import * as z from 'zod/mini';
import { type ErrorTable, id, instant, page, pageQuery } from '../../platform/http/common.api.js';

export const notificationErrors = {
  'notifications.not_found': { status: 404, title: 'Notificação não encontrada' },
  'notifications.endpoint_refused': { status: 422, title: 'Este navegador não pode receber notificações' },
} as const satisfies ErrorTable;

const notification = z.object({
  id,
  titulo: z.string(),
  texto: z.string(),
  /** Page that shows it. */
  endereco: z.string(),
  em: instant,
  lida: z.boolean(),
});
export type Notification = z.infer<typeof notification>;

export const notificationList = z.strictObject(pageQuery);
export type NotificationList = z.infer<typeof notificationList>;

/** Notifications of the last 90 days, newest first. */
export const notificationPage = page(notification);
export type NotificationPage = z.infer<typeof notificationPage>;

/** Number of unread notifications, counted up to 100. */
export const unreadCount = z.object({ total: z.int() });
export type UnreadCount = z.infer<typeof unreadCount>;

/** Marks all notifications up to this instant as read. */
export const readAll = z.strictObject({ ate: instant });
export type ReadAll = z.infer<typeof readAll>;
