import { useQuery } from '@tanstack/react-query';
import type {
  Notification,
  NotificationPage,
  ReadAll,
  UnreadCount,
  UnreadOfAccount,
} from '../../../../backend/modules/notices/notifications.api.js';
import type { MyMembership } from '../../../../backend/modules/accounts/accounts.api.js';
import { read } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { idOf, useSignedIn } from '../../lib/me.js';
import { usePaged } from '../../lib/paged.js';
import { reads } from '../../lib/topics.js';

/** The role of the reader. */
export type Reader = 'personal' | 'aluno';

const NOTIFICATIONS = reads('notifications', ['told-contacts']);
const ELSEWHERE = reads('notifications-elsewhere', ['account']);
const topics = [NOTIFICATIONS];
/** The page of the notifications. */
export const noticesOf = (reader: Reader) => (reader === 'aluno' ? '/aluno/notificacoes' : '/notificacoes');
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

/** How many are unread where the user is somebody else: another student, or another trainer's. Live, as the own ones. */
export function useUnreadElsewhere(): (membership: MyMembership) => number {
  const { memberships, membership } = useSignedIn();
  const { data } = useQuery({
    queryKey: [ELSEWHERE],
    enabled: memberships.length > 1,
    queryFn: ({ signal }) => read('GET /account/unread', { signal }),
  });
  return (other) => {
    if (idOf(other) === idOf(membership)) return 0;
    const isTheirs = ({ tenant_id, student_id }: UnreadOfAccount['items'][number]) =>
      tenant_id === other.tenant_id && student_id === other.student_id;
    return data?.items.find(isTheirs)?.total ?? 0;
  };
}

export const useRead = (reader: Reader) =>
  useCommand({ send: (id: string, key) => http.post(`${pathOf(reader)}/${id}/read`, key), topics });

export const useReadAll = (reader: Reader) =>
  useCommand({ send: (body: ReadAll, key) => http.post(`${pathOf(reader)}/read`, key, body), topics });
