import { useAnswer } from '../../lib/answer.js';
import { useSendTo } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const REMINDERS = reads('reminders', [
  ...['sessions', 'students', 'contracts', 'expiry-warnings', 'credits', 'waitlist', 'public-link', 'nudges'],
  ...['availability', 'whatsapp'],
]);

/** `sessionId`: only the reminder of this session. */
export const useReminders = (sessionId?: string) =>
  useAnswer([REMINDERS, 'list', sessionId], 'GET /reminders', { query: { session_id: sessionId } });

export const useRemindersWaiting = () => useAnswer([REMINDERS, 'waiting'], 'GET /reminders/waiting');

export const useMarkSent = () => useSendTo('POST /reminders/:id/sent');

export const useMarkUnsent = () => useSendTo('POST /reminders/:id/unsent');
