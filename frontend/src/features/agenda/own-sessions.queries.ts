import { useQuery } from '@tanstack/react-query';
import type { OwnSessions } from '../../../../backend/modules/agenda/own-sessions.api.js';
import type { Confirmed } from '../../../../backend/modules/reminders/reminders.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { reads } from '../../lib/topics.js';

const OWN_SESSIONS = reads('own-sessions', ['sessions', 'reminders']);
const topics = [OWN_SESSIONS];

/** The next ones; without a network as they were last read. */
export const useOwnSessions = () =>
  useQuery({
    queryKey: [OWN_SESSIONS],
    persister: cachedOffline<OwnSessions>(),
    queryFn: ({ signal }) => http.get<OwnSessions>('/student/sessions', undefined, signal),
  });

export const useConfirmOwnSession = () =>
  useCommand({
    send: (id: string, key) => http.post<Confirmed>(`/student/sessions/${id}/confirm`, key),
    topics,
  });
