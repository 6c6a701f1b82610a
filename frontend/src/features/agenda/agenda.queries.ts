import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import type {
  NewSession,
  Session,
  SessionCancellation,
  SessionChanges,
} from '../../../../backend/modules/agenda/agenda.api.js';
import type { CancellationReason, SessionStatus } from '../../../../backend/modules/sessions/sessions.api.js';
import { read } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { addDays, instantOf, startOfWeek, todayIn, weekOf, type Day } from '../../lib/dates.js';
import { http } from '../../lib/http.js';
import { useEdit } from '../../lib/edits.js';
import { cachedOffline } from '../../lib/offline-cache.js';
import { isLocal, localName } from '../../lib/outbox.js';
import { sendOrQueue, useDoneHere, type Queued } from '../../lib/pending.js';
import { useZone } from '../../lib/zone.js';
import {
  bookedSession,
  SESSION_EDIT,
  sessionsWithPending,
  sessionTitle,
  type SessionTimes,
  type ShownSession,
  withPending,
} from './pending-session.js';
import { SESSIONS } from './session-reads.js';
import { byHour, reaching } from './shared-hours.js';

interface SessionPage {
  items: Session[];
  next: string | null;
}

/** The session's fields in the answers of commands. */
type Outcome = Pick<Session, 'usou_credito' | 'sem_credito' | 'taxa'>;
export type CancellationOutcome = Outcome | Queued;

const PAGE = 100;

async function readAll(query: Record<string, string>, signal: AbortSignal): Promise<Session[]> {
  const items: Session[] = [];
  let cursor: string | null = null;
  do {
    const page: SessionPage = await read('GET /sessions', {
      query: { ...query, limit: PAGE, cursor },
      signal,
    });
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

/** Offline copy of sessions. */
const keptSessions = cachedOffline<Session[]>();

const rangeOf = (first: Day, last: Day, zone: string) =>
  [instantOf(first, '00:00', zone), instantOf(addDays(last, 1), '00:00', zone)] as const;

/** The sessions of the days from `first` to `last`; those of the current week are in the offline cache. */
function sessionsOf(first: Day, last: Day, zone: string) {
  const [from, to] = rangeOf(first, last, zone);
  const isThisWeek = first === weekOf(todayIn(zone))[0];
  return queryOptions({
    queryKey: [SESSIONS, 'range', from, to],
    queryFn: ({ signal }) => readAll({ from, to }, signal),
    ...(isThisWeek && { persister: keptSessions }),
  });
}

/** The query of the current week. */
export function thisWeek(zone: string) {
  const week = weekOf(todayIn(zone));
  return sessionsOf(week[0] ?? '', week[6] ?? '', zone);
}

/** All sessions of the days from `first` to `last`, by start, with the changes in the outbox applied. */
function useSessions(first: Day, last: Day) {
  const zone = useZone();
  const writes = useDoneHere();
  const select = useCallback(
    (sessions: Session[]) => byHour(sessionsWithPending(sessions, writes, rangeOf(first, last, zone))),
    [writes, first, last, zone],
  );
  return useQuery({ ...sessionsOf(first, last, zone), select });
}

/** The sessions of a day's week, which the calendar may already have loaded. */
export function useWeekOf(day: Day) {
  const week = weekOf(day);
  return useSessions(week[0] ?? day, week[6] ?? day);
}

/** The sessions of the weeks in which these days are: one week, or two successive ones. */
export function useWeeksOf(first: Day, last: Day) {
  const [one, other] = [useWeekOf(first), useWeekOf(last)];
  const isOne = startOfWeek(first) === startOfWeek(last);
  const data = useMemo(() => {
    if (isOne || !one.data || !other.data) return isOne ? one.data : undefined;
    // A session over midnight is in both.
    return [...one.data, ...other.data.filter(({ id }) => !one.data.some((known) => known.id === id))];
  }, [isOne, one.data, other.data]);
  if (isOne || !one.data) return one;
  return { ...other, data };
}

/** All sessions in loaded lists. */
export const readSessions = (client: QueryClient): Session[] =>
  client
    .getQueriesData<Session[]>({ queryKey: [SESSIONS, 'range'] })
    .flatMap(([, sessions]) => sessions ?? []);

/** The matching sessions of the first loaded list that has any, and when they were read; 0 where a change is known since. */
export function listed(client: QueryClient, isMeant: (session: Session) => boolean) {
  for (const [queryKey, all] of client.getQueriesData<Session[]>({ queryKey: [SESSIONS, 'range'] })) {
    const sessions = all?.filter(isMeant) ?? [];
    if (sessions.length === 0) continue;
    const { isInvalidated, dataUpdatedAt } = client.getQueryState(queryKey)!;
    return { sessions, at: isInvalidated ? 0 : dataUpdatedAt };
  }
  return undefined;
}

/** One session: first from a loaded list, then from the server. */
export function useSession(id: string, isLeaving: boolean) {
  const client = useQueryClient();
  const writes = useDoneHere();
  const booked = writes.find(({ subject, makes }) => makes && subject === id);
  const inList = () => listed(client, (session) => session.id === id);
  return useQuery<ShownSession>({
    // The server does not know a session that is still in the outbox.
    enabled: !isLocal(id) && !isLeaving,
    queryKey: [SESSIONS, 'one', id],
    // A deleted session stays visible in the sheet that is open.
    select: (session) => withPending(session, reaching(writes, [session])) ?? session,
    queryFn: ({ signal }) => read('GET /sessions/:id', { of: [id], signal }),
    initialData: () => (booked ? bookedSession(booked) : inList()?.sessions[0]),
    // No list says whose the credit is.
    initialDataUpdatedAt: () => (inList()?.sessions[0]?.usou_credito ? 0 : inList()?.at),
  });
}

/** The cost for the student of cancelling now for this reason. */
export function useCancellationPreview(id: string, motivo: CancellationReason) {
  return useQuery({
    queryKey: [SESSIONS, 'cancellation', id, motivo],
    queryFn: ({ signal }) => read('GET /sessions/:id/cancellation', { of: [id], query: { motivo }, signal }),
    staleTime: 0,
    enabled: !isLocal(id),
  });
}

interface Booking {
  body: NewSession;
  student_nome: string | null;
  location_nome: string | null;
}

/** Books a session, or puts the request into the outbox while offline; returns its id in both cases. */
export function useBookSession() {
  const zone = useZone();
  return useCommand({
    send: async ({ body, ...shows }: Booking, key) => {
      const subject = localName(key);
      const answer = await sendOrQueue<{ id: string }>({
        key,
        method: 'POST',
        path: '/sessions',
        body,
        shows,
        subject,
        makes: true,
        effect: 'book',
        title: sessionTitle({ ...shows, inicio: body.inicio }, zone),
      });
      return 'queued' in answer ? { id: subject, queued: true } : { ...answer, queued: false };
    },
  });
}

/** Edits a session, or puts the edit into the outbox while offline. */
export function useChangeSession(session: Session) {
  const { id } = session;
  return useEdit<SessionChanges>({
    path: `/sessions/${id}`,
    subject: id,
    effect: SESSION_EDIT,
    title: sessionTitle(session, useZone()),
  });
}

interface Move extends Target {
  to: SessionTimes;
  /** Moves it even if another session has that time. */
  shared?: boolean;
  /** Only if it still has these times. */
  from?: SessionTimes;
}

/** Moves a session to another time, or puts the request into the outbox while offline. */
export function useRescheduleSession() {
  return useCommand({
    send: ({ id, title, to, shared, from }: Move, key) =>
      sendOrQueue<Outcome>({
        key,
        method: 'PATCH',
        path: `/sessions/${id}`,
        subject: id,
        effect: 'move',
        title,
        body: {
          ...to,
          ...(shared && { permitir_conflito: true }),
          ...(from && { se_ainda: from }),
        } satisfies SessionChanges,
      }),
  });
}

/** A session's id and its title for messages. */
interface Target {
  id: string;
  title: string;
}

/** Cancels a session, or puts the request into the outbox while offline. */
export function useCancelSession() {
  return useCommand({
    send: ({ id, title, body }: Target & { body: SessionCancellation }, key) =>
      sendOrQueue<Outcome>({
        key,
        method: 'POST',
        path: `/sessions/${id}/cancel`,
        body,
        subject: id,
        effect: 'cancel',
        alreadySo: 'agenda.already_cancelled',
        title,
      }),
  });
}

export type SessionStep = 'complete' | 'reopen' | 'restore';

const alreadySo = { complete: 'agenda.already_done', reopen: 'agenda.already_scheduled' };

interface Step extends Target {
  step: SessionStep;
  permitir_conflito?: boolean;
  /** Only if it still has this status. */
  de?: SessionStatus;
}

/** Completes or reopens a session, or restores a deleted one. The first two wait in the outbox while offline. */
export function useMoveSession() {
  return useCommand({
    send: ({ id, title, step, permitir_conflito, de }: Step, key) => {
      const path = `/sessions/${id}/${step}`;
      const body = { ...(permitir_conflito && { permitir_conflito }), ...(de && { de }) };
      return step === 'restore' || permitir_conflito
        ? http.post<Outcome>(path, key, body)
        : sendOrQueue<Outcome>({
            key,
            method: 'POST',
            path,
            body,
            subject: id,
            effect: step,
            alreadySo: alreadySo[step],
            title,
          });
    },
  });
}

/** Deletes a session, or puts the request into the outbox while offline. */
export function useDeleteSession() {
  return useCommand({
    send: ({ id, title }: Target, key) =>
      sendOrQueue<{ id: string }>({
        key,
        method: 'DELETE',
        path: `/sessions/${id}`,
        subject: id,
        effect: 'delete',
        alreadySo: 'agenda.session_not_found',
        title,
      }),
  });
}
