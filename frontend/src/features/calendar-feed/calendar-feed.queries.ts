import { useQuery } from '@tanstack/react-query';
import type {
  CalendarFeed,
  FeedSettings,
  FormerFeed,
  StudentCalendar,
} from '../../../../backend/modules/calendar-feed/calendar-feed.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const CALENDAR = reads('calendar', ['student-calendar']);
const topics = [CALENDAR];

/** API path of a trainer's calendar feed, or of a student's. */
export type FeedPath = '/calendar-feed' | '/student/calendar-feed';

/** `anterior`: the previous address. */
interface Changed {
  id: string;
  anterior: string | null;
}

export const useFeed = (path: FeedPath) =>
  useQuery({
    queryKey: [CALENDAR, path],
    queryFn: ({ signal }) => http.get<CalendarFeed | StudentCalendar>(path, undefined, signal),
  });

/** Switches a feed on. A student's feed has no settings. */
export const useSetFeed = (path: FeedPath) =>
  useCommand({
    send: (settings: FeedSettings | null, key) => http.put<Changed>(path, key, settings ?? undefined),
    topics,
  });

export const useRenewFeed = (path: FeedPath) =>
  useCommand({ send: (_: void, key) => http.post<Changed>(`${path}/renew`, key), topics });

export const useRevokeFeed = (path: FeedPath) =>
  useCommand({ send: (_: void, key) => http.delete<Changed>(path, key), topics });

export const useRestoreFeed = (path: FeedPath) =>
  useCommand({
    send: (former: FormerFeed, key) => http.post<Changed>(`${path}/restore`, key, former),
    topics,
  });
