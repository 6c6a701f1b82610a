import { useQuery } from '@tanstack/react-query';
import type {
  Confirmation,
  Confirmed,
  ReminderList,
  RemindersWaiting,
} from '../../../../backend/modules/reminders/reminders.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const REMINDERS = reads('reminders', [
  ...['sessions', 'students', 'contracts', 'expiry-warnings', 'credits', 'waitlist', 'public-link'],
]);
const topics = [REMINDERS];

/** `sessionId`: only the reminder of this session. */
export const useReminders = (sessionId?: string) =>
  useQuery({
    queryKey: [REMINDERS, 'list', sessionId],
    queryFn: ({ signal }) => http.get<ReminderList>('/reminders', { session_id: sessionId }, signal),
  });

export const useRemindersWaiting = () =>
  useQuery({
    queryKey: [REMINDERS, 'waiting'],
    queryFn: ({ signal }) => http.get<RemindersWaiting>('/reminders/waiting', undefined, signal),
  });

export const useMarkSent = () =>
  useCommand({ send: (id: string, key) => http.post(`/reminders/${id}/sent`, key), topics });

export const useMarkUnsent = () =>
  useCommand({ send: (id: string, key) => http.post(`/reminders/${id}/unsent`, key), topics });

export const useConfirmation = (token: string) =>
  useQuery({
    queryKey: ['confirmations', token],
    queryFn: ({ signal }) =>
      http.get<Confirmation>(`/confirmations/${encodeURIComponent(token)}`, undefined, signal),
    staleTime: Infinity,
  });

export const useConfirm = () =>
  useCommand({
    send: (token: string, key) => http.post<Confirmed>('/confirmations', key, { token }),
    topics: ['confirmations'],
  });
