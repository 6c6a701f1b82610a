import { queryOptions, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type {
  CancellationPreview,
  CancellationReason,
  NewSession,
  Session,
  SessionCancellation,
  SessionChanges,
  SessionStatus,
} from '../../../../backend/modules/agenda/agenda.api.js';
import { useCommand } from '../../lib/command.js';
import { addDays, instantOf, todayIn, weekOf, type Day } from '../../lib/dates.js';
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

/** What the commands answer of the session. */
type Outcome = Pick<Session, 'usou_credito' | 'sem_credito' | 'taxa'>;
export type CancellationOutcome = Outcome | Queued;

const PAGE = 100;

async function readAll(query: Record<string, string>, signal: AbortSignal): Promise<Session[]> {
  const items: Session[] = [];
  let cursor: string | null = null;
  do {
    const page: SessionPage = await http.get('/sessions', { ...query, limit: PAGE, cursor }, signal);
    items.push(...page.items);
    cursor = page.next;
  } while (cursor !== null);
  return items;
}

/** What is kept on the device of a session. */
const keptSessions = cachedOffline<Session[]>();

const rangeOf = (first: Day, last: Day, zone: string) =>
  [instantOf(first, '00:00', zone), instantOf(addDays(last, 1), '00:00', zone)] as const;

/** The sessions of the days from `first` to `last`; those of the week that is now are there without a network too. */
function sessionsOf(first: Day, last: Day, zone: string) {
  const [from, to] = rangeOf(first, last, zone);
  const isThisWeek = first === weekOf(todayIn(zone))[0];
  return queryOptions({
    queryKey: [SESSIONS, 'range', from, to],
    queryFn: ({ signal }) => readAll({ from, to }, signal),
    ...(isThisWeek && { persister: keptSessions }),
  });
}

/** The week that is now, as the agenda asks for it. */
export function thisWeek(zone: string) {
  const week = weekOf(todayIn(zone));
  return sessionsOf(week[0] ?? '', week[6] ?? '', zone);
}

/** All hours of the days from `first` to `last`, by start, as they will be once what waits has been sent. */
function useSessions(first: Day, last: Day) {
  const zone = useZone();
  const writes = useDoneHere();
  const select = useCallback(
    (sessions: Session[]) => byHour(sessionsWithPending(sessions, writes, rangeOf(first, last, zone))),
    [writes, first, last, zone],
  );
  return useQuery({ ...sessionsOf(first, last, zone), select });
}

/** The sessions of the week around a day: what the calendar has read already. */
export function useWeekOf(day: Day) {
  const week = weekOf(day);
  return useSessions(week[0] ?? day, week[6] ?? day);
}

/** Every session of the lists that are there already. */
export const readSessions = (client: QueryClient): Session[] =>
  client
    .getQueriesData<Session[]>({ queryKey: [SESSIONS, 'range'] })
    .flatMap(([, sessions]) => sessions ?? []);

/** The sessions of the first list that is there already and has some of these. */
export function listed(client: QueryClient, isMeant: (session: Session) => boolean) {
  for (const [queryKey, all] of client.getQueriesData<Session[]>({ queryKey: [SESSIONS, 'range'] })) {
    const sessions = all?.filter(isMeant) ?? [];
    if (sessions.length > 0) return { sessions, at: client.getQueryState(queryKey)?.dataUpdatedAt };
  }
  return undefined;
}

/** One session: at once from where it was tapped, and then as it is now. */
export function useSession(id: string) {
  const client = useQueryClient();
  const writes = useDoneHere();
  const booked = writes.find(({ subject, makes }) => makes && subject === id);
  const inList = () => listed(client, (session) => session.id === id);
  const isGone = writes.some(({ subject, effect }) => subject === id && effect === 'delete');
  return useQuery<ShownSession>({
    // What the server has not taken yet is as it was booked here.
    enabled: !isLocal(id) && !isGone,
    queryKey: [SESSIONS, 'one', id],
    // A deleted one is still shown to who is looking at it.
    select: (session) => withPending(session, reaching(writes, [session])) ?? session,
    queryFn: ({ signal }) => http.get<Session>(`/sessions/${id}`, undefined, signal),
    initialData: () => (booked ? bookedSession(booked) : inList()?.sessions[0]),
    initialDataUpdatedAt: () => inList()?.at,
  });
}

/** What cancelling now for this reason would cost the student. */
export function useCancellationPreview(id: string, motivo: CancellationReason) {
  return useQuery({
    queryKey: [SESSIONS, 'cancellation', id, motivo],
    queryFn: ({ signal }) =>
      http.get<CancellationPreview>(`/sessions/${id}/cancellation`, { motivo }, signal),
    staleTime: 0,
    enabled: !isLocal(id),
  });
}

interface Booking {
  body: NewSession;
  student_nome: string | null;
  location_nome: string | null;
}

/** Books a session, or has that wait for a network; the answer names it either way. */
export function useBookSession() {
  const zone = useZone();
  return useCommand({
    send: async ({ body, ...shows }: Booking, key) => {
      const subject = localName(key);
      const answer = await sendOrQueue<{ id: string }>({
        ...{ key, method: 'POST', path: '/sessions', body, topics: ['sessions'], shows },
        ...{ subject, makes: true, effect: 'book' },
        title: sessionTitle({ ...shows, inicio: body.inicio }, zone),
      });
      return 'queued' in answer ? { id: subject, queued: true } : { ...answer, queued: false };
    },
    topics: ['sessions'],
  });
}

/** Edits a session, or queues the edit where there is no network. */
export function useChangeSession(session: Session) {
  const { id } = session;
  return useEdit<SessionChanges>({
    ...{ path: `/sessions/${id}`, topics, subject: id, effect: SESSION_EDIT },
    title: sessionTitle(session, useZone()),
  });
}

interface Move extends Target {
  to: SessionTimes;
  /** Also where another session occupies that time. */
  shared?: boolean;
  /** Only while it is there. */
  from?: SessionTimes;
}

/** Moves a session to another time, or has that wait for a network. */
export function useRescheduleSession() {
  return useCommand({
    send: ({ id, title, to, shared, from }: Move, key) =>
      sendOrQueue<Outcome>({
        ...{ key, method: 'PATCH', path: `/sessions/${id}`, topics, subject: id, effect: 'move', title },
        body: {
          ...to,
          ...(shared && { permitir_conflito: true }),
          ...(from && { se_ainda: from }),
        } satisfies SessionChanges,
      }),
    topics,
  });
}

const topics = ['sessions', 'credits'];

/** A session, and what it is called where it is spoken of later. */
interface Target {
  id: string;
  title: string;
}

/** Cancels a session, or has that wait for a network. */
export function useCancelSession() {
  return useCommand({
    send: ({ id, title, body }: Target & { body: SessionCancellation }, key) =>
      sendOrQueue<Outcome>({
        ...{ key, method: 'POST', path: `/sessions/${id}/cancel`, body },
        ...{ topics, subject: id, effect: 'cancel', alreadySo: 'agenda.already_cancelled', title },
      }),
    topics,
  });
}

export type SessionStep = 'complete' | 'reopen' | 'restore';

const alreadySo = { complete: 'agenda.already_done', reopen: 'agenda.already_scheduled' };

interface Step extends Target {
  step: SessionStep;
  permitir_conflito?: boolean;
  /** Only while it has this status. */
  de?: SessionStatus;
}

/** Marks as done, reopens, or brings back a deleted session. The first two wait for a network where there is none. */
export function useMoveSession() {
  return useCommand({
    send: ({ id, title, step, permitir_conflito, de }: Step, key) => {
      const path = `/sessions/${id}/${step}`;
      const body = { ...(permitir_conflito && { permitir_conflito }), ...(de && { de }) };
      return step === 'restore' || permitir_conflito
        ? http.post<Outcome>(path, key, body)
        : sendOrQueue<Outcome>({
            ...{ key, method: 'POST', path, body },
            ...{ topics, subject: id, effect: step, alreadySo: alreadySo[step], title },
          });
    },
    topics,
  });
}

/** Deletes a session, or has that wait for a network. */
export function useDeleteSession() {
  return useCommand({
    send: ({ id, title }: Target, key) =>
      sendOrQueue<{ id: string }>({
        ...{ key, method: 'DELETE', path: `/sessions/${id}` },
        ...{ topics, subject: id, effect: 'delete', alreadySo: 'agenda.session_not_found', title },
      }),
    topics,
  });
}
