import * as z from 'zod/mini';
import { type CallOptions, get, post, STUDENT_WRITES } from '../../platform/http/calls.api.js';
import { created, type ErrorTable, id, instant, page, pageQuery } from '../../platform/http/common.api.js';

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

const list = {
  summary: 'Lista as notificações dos últimos 90 dias',
  query: notificationList,
  answer: notificationPage,
};
const unread = { summary: 'Conta as notificações que não foram lidas', answer: unreadCount };
const readTill = {
  summary: 'Marca como lidas as notificações até um momento',
  body: readAll,
  answer: created,
};
const readOne = { summary: 'Marca uma notificação como lida', answer: created };
const own = <Options extends CallOptions>(options: Options) => ({
  ...options,
  summary: `${options.summary} (aluno)`,
  roles: ['aluno'] as const,
});

/** A trainer's notifications. */
export const notificationsApi = {
  list: get('/notifications', list),
  unread: get('/notifications/unread', unread),
  readTill: post('/notifications/read', readTill),
  readOne: post('/notifications/:id/read', readOne),
};

/** A student's notifications. */
export const ownNotificationsApi = {
  list: get('/student/notifications', own(list)),
  unread: get('/student/notifications/unread', own(unread)),
  readTill: post('/student/notifications/read', { ...own(readTill), limit: STUDENT_WRITES }),
  readOne: post('/student/notifications/:id/read', { ...own(readOne), limit: STUDENT_WRITES }),
};

export const accountNotificationsApi = {
  unread: get('/account/unread', {
    summary: 'Conta as notificações não lidas de cada conta do usuário',
    signedIn: true,
    answer: unreadOfAccount,
  }),
};
