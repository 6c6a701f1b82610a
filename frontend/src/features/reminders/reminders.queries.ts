import { useQuery } from '@tanstack/react-query';
import { read, write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const REMINDERS = reads('reminders', [
  ...['sessions', 'students', 'contracts', 'expiry-warnings', 'credits', 'waitlist', 'public-link'],
]);

/** `sessionId`: only the reminder of this session. */
export const useReminders = (sessionId?: string) =>
  useQuery({
    queryKey: [REMINDERS, 'list', sessionId],
    queryFn: ({ signal }) => read('GET /reminders', { query: { session_id: sessionId }, signal }),
  });

export const useRemindersWaiting = () =>
  useQuery({
    queryKey: [REMINDERS, 'waiting'],
    queryFn: ({ signal }) => read('GET /reminders/waiting', { signal }),
  });

export const useMarkSent = () =>
  useCommand({ send: (id: string, key) => write('POST /reminders/:id/sent', key, { of: [id] }) });

export const useMarkUnsent = () =>
  useCommand({ send: (id: string, key) => write('POST /reminders/:id/unsent', key, { of: [id] }) });
