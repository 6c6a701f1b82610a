import { useQuery } from '@tanstack/react-query';
import type {
  Notification,
  NotificationPage,
  ReadAll,
  UnreadCount,
} from '../../../../backend/modules/notices/notifications.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

/** The role of the reader. */
export type Reader = 'personal' | 'aluno';

const NOTIFICATIONS = reads('notifications', ['told-contacts']);
const topics = [NOTIFICATIONS];
const pathOf = (reader: Reader) => (reader === 'aluno' ? '/student/notifications' : '/notifications');

export const useNotifications = (reader: Reader) =>
  usePaged<Notification, NotificationPage>([NOTIFICATIONS, 'list', reader], (cursor, signal) =>
    http.get<NotificationPage>(pathOf(reader), { cursor, limit: 30 }, signal),
  );

export const useUnread = (reader: Reader) =>
  useQuery({
    queryKey: [NOTIFICATIONS, 'unread', reader],
    queryFn: ({ signal }) => http.get<UnreadCount>(`${pathOf(reader)}/unread`, undefined, signal),
  });

export const useRead = (reader: Reader) =>
  useCommand({ send: (id: string, key) => http.post(`${pathOf(reader)}/${id}/read`, key), topics });

export const useReadAll = (reader: Reader) =>
  useCommand({ send: (body: ReadAll, key) => http.post(`${pathOf(reader)}/read`, key, body), topics });
