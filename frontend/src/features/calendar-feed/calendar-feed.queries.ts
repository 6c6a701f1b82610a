import { useQuery } from '@tanstack/react-query';
import type {
  CalendarFeed,
  FeedSettings,
} from '../../../../backend/modules/calendar-feed/calendar-feed.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const CALENDAR = reads('calendar', []);
const topics = [CALENDAR];

/** `anterior`: the address that was in force before. */
interface Changed {
  id: string;
  anterior: string | null;
}

export const useCalendarFeed = () =>
  useQuery({
    queryKey: [CALENDAR, 'feed'],
    queryFn: ({ signal }) => http.get<CalendarFeed>('/calendar-feed', undefined, signal),
  });

export const useSetCalendarFeed = () =>
  useCommand({
    send: (settings: FeedSettings, key) => http.put<Changed>('/calendar-feed', key, settings),
    topics,
  });

export const useRenewCalendarFeed = () =>
  useCommand({ send: (_: null, key) => http.post<Changed>('/calendar-feed/renew', key), topics });

export const useRevokeCalendarFeed = () =>
  useCommand({ send: (_: null, key) => http.delete<Changed>('/calendar-feed', key), topics });

export const useRestoreCalendarFeed = () =>
  useCommand({
    send: (id: string, key) => http.post<Changed>('/calendar-feed/restore', key, { id }),
    topics,
  });
