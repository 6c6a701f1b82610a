import { useQuery } from '@tanstack/react-query';
import type { OwnSession, OwnSessions } from '../../../../backend/modules/student-area/own-sessions.api.js';
import type { Confirmed } from '../../../../backend/modules/reminders/reminders.api.js';
import type { OwnTimes } from '../../../../backend/modules/student-area/student-booking.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { dayOf, formatDate, formatTime, timeOf } from '../../lib/dates.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { sendOrQueue } from '../../lib/pending.js';
import { reads } from '../../lib/topics.js';
import { useZone } from '../../lib/zone.js';

const OWN_SESSIONS = reads('own-sessions', [
  'sessions',
  'reminders',
  'session-requests',
  'charges',
  'availability',
  'locations',
  'students',
]);

/** The student's next sessions; offline from the cache. */
export const useOwnSessions = () =>
  useQuery({
    queryKey: [OWN_SESSIONS],
    persister: cachedOffline<OwnSessions>(),
    queryFn: ({ signal }) => read('GET /student/sessions', { signal }),
  });

/** The name in the address of what is done with the session that is shown: `desmarcar` or `remarcar`. */
export const DOING = 'passo';

/** Effects of writes in the outbox on own sessions. */
const OWN_CONFIRM = 'own-confirm';
export const OWN_CANCEL = 'own-cancel';

/** Confirms or cancels an own session, or puts the request into the outbox while offline. */
function useOwnWrite<Answer>(step: 'confirm' | 'cancel', effect: string) {
  const zone = useZone();
  return useCommand({
    send: ({ id, inicio }: Pick<OwnSession, 'id' | 'inicio'>, key) =>
      sendOrQueue<Answer>({
        key,
        method: 'POST',
        path: `/student/sessions/${id}/${step}`,
        subject: id,
        effect,
        title: `A aula de ${formatDate(dayOf(inicio, zone))}, ${formatTime(timeOf(inicio, zone))},`,
      }),
  });
}

export const useConfirmOwnSession = () => useOwnWrite<Confirmed>('confirm', OWN_CONFIRM);
export const useCancelOwnSession = () => useOwnWrite<{ id: string }>('cancel', OWN_CANCEL);

/** The current cost of cancelling, and whether the student may cancel alone. */
export const useOwnCancellation = (id: string) =>
  useQuery({
    queryKey: [OWN_SESSIONS, id, 'cancellation'],
    queryFn: ({ signal }) => read('GET /student/sessions/:id/cancellation', { of: [id], signal }),
  });

type OwnStep = 'undo' | 'request/withdraw';

/** An action on an own session. */
export const useOwnStep = () =>
  useCommand({
    send: ({ id, step }: { id: string; step: OwnStep }, key) =>
      write(`POST /student/sessions/:id/${step}`, key, { of: [id] }),
  });

const OWN_TIMES = reads('own-times', [
  'free-times',
  'sessions',
  'credits',
  'students',
  'locations',
  'policies',
  'student-booking',
  'availability',
]);

/** The free times for booking, also of one of the services, or for moving the session `sessao`. */
export const useOwnTimes = (query: { sessao?: string; servico?: string | null } = {}) =>
  useQuery({
    queryKey: [OWN_TIMES, ...Object.values(query).map(String)],
    persister: cachedOffline<OwnTimes>(),
    // Also without a change, the next times come too close to be booked.
    refetchInterval: 60_000,
    queryFn: ({ signal }) => read('GET /student/free-times', { query, signal }),
  });
