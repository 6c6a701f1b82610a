import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { SessionDay } from '../../../../backend/modules/agenda/session-days.api.js';
import { read } from '../../lib/calls.js';
import type { Day } from '../../lib/dates.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { usePending } from '../../lib/pending.js';
import { useToday, useZone } from '../../lib/zone.js';
import { readSessions } from './agenda.queries.js';
import { daysWithPending } from './session-days.js';
import { SESSIONS } from './session-reads.js';

const keptDays = cachedOffline<SessionDay[]>();

/**
 * The number of sessions of each day of `[from, to)`, with the names of the first `primeiras`. Days around today are in the
 * offline cache. Changes in the outbox are applied.
 */
export function useSessionDays(from: Day, to: Day, primeiras = 0) {
  const zone = useZone();
  const today = useToday();
  const client = useQueryClient();
  const writes = usePending((pending) => pending.writes);
  const select = useCallback(
    (days: SessionDay[]) => daysWithPending(days, writes, readSessions(client), zone),
    [writes, client, zone],
  );
  return useQuery({
    queryKey: [SESSIONS, 'days', from, to, String(primeiras)],
    queryFn: async ({ signal }) =>
      (await read('GET /sessions/days', { query: { from, to, primeiras }, signal })).items,
    select,
    placeholderData: keepPreviousData,
    ...(from <= today && today < to && { persister: keptDays }),
  });
}
