import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { Group, GroupCancellation, OneHour } from '../../../../backend/modules/agenda/groups.api.js';
import { useAnswer } from '../../lib/answer.js';
import { read } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { sendOrQueue, useDoneHere } from '../../lib/pending.js';
import { listed } from './agenda.queries.js';
import { withPending, type ShownSession } from './pending-session.js';
import { SESSIONS } from './session-reads.js';
import { reaching } from './shared-hours.js';

interface Changed {
  id: string;
  session_ids: string[];
}

/** The sessions of a group by name: first from a loaded list, then from the server. */
export function useGroup(id: string) {
  const client = useQueryClient();
  const writes = useDoneHere();
  const ofGroup = () => listed(client, ({ grupo_id }) => grupo_id === id);
  return useQuery({
    queryKey: [SESSIONS, 'group', id],
    queryFn: ({ signal }) => read('GET /sessions/groups/:id', { of: [id], signal }),
    select: useCallback(
      ({ items }: Group): ShownSession[] => {
        const done = reaching(writes, items);
        return items.flatMap((session) => withPending(session, done) ?? []);
      },
      [writes],
    ),
    initialData: () => {
      const known = ofGroup();
      return known && { items: known.sessions };
    },
    initialDataUpdatedAt: () => ofGroup()?.at,
  });
}

interface Target {
  /** The group's id. */
  id: string;
  /** Start of the hour. */
  inicio: string;
  title: string;
}

/** Completes all scheduled sessions of the hour, or puts the request into the outbox while offline. */
export const useCompleteGroup = () =>
  useCommand({
    send: ({ id, inicio, title }: Target, key) =>
      sendOrQueue<Changed>({
        key,
        method: 'POST',
        path: `/sessions/groups/${id}/complete`,
        title,
        body: { inicio } satisfies OneHour,
        subject: id,
        effect: 'complete',
        alreadySo: 'agenda.already_done',
      }),
  });

/** What cancelling the hour now would do. */
export const useGroupCancellation = (id: string, inicio: string) =>
  useQuery({
    queryKey: [SESSIONS, 'group-cancellation', id, inicio],
    queryFn: ({ signal }) =>
      read('GET /sessions/groups/:id/cancellation', { of: [id], query: { inicio }, signal }),
    staleTime: 0,
  });

/** Cancels all scheduled sessions of the hour, or puts the request into the outbox while offline. */
export const useCancelGroup = () =>
  useCommand({
    send: ({ id, inicio, title }: Target, key) =>
      sendOrQueue<GroupCancellation>({
        key,
        method: 'POST',
        path: `/sessions/groups/${id}/cancel`,
        title,
        body: { inicio } satisfies OneHour,
        subject: id,
        effect: 'cancel',
        alreadySo: 'agenda.already_cancelled',
      }),
  });

/** What is set for the hour of a session, and who waits for a seat in it. */
export const useClass = (sessionId: string) =>
  useAnswer([SESSIONS, sessionId, 'class'], 'GET /sessions/:id/class', { of: [sessionId] });
