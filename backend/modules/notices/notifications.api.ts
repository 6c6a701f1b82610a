import * as z from 'zod/mini';
import { get } from '../../platform/http/calls.api.js';
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

/** Where the signed-in user has unread notifications: as a trainer, and as each student. Nothing else of them. */
export const unreadOfAccount = z.object({
  items: z.array(z.object({ tenant_id: id, student_id: z.nullable(id), total: z.int() })),
});
export type UnreadOfAccount = z.infer<typeof unreadOfAccount>;

export const accountNotificationsApi = {
  unread: get('/account/unread', {
    summary: 'Conta as notificações não lidas de cada conta do usuário',
    signedIn: true,
    answer: unreadOfAccount,
  }),
};
