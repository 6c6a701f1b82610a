import { useQuery } from '@tanstack/react-query';
import type {
  FeedSettings,
  FormerFeed,
} from '../../../../backend/modules/calendar-links/calendar-links.api.js';
import { read, write } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const CALENDAR = reads('calendar', ['student-calendar']);

/** API path of a trainer's calendar feed, or of a student's. */
export type FeedPath = '/calendar-feed' | '/student/calendar-feed';

export const useFeed = (path: FeedPath) =>
  useQuery({
    queryKey: [CALENDAR, path],
    queryFn: ({ signal }) => read(`GET ${path}`, { signal }),
  });

/** Switches a feed on. A student's feed has no settings. */
export const useSetFeed = (path: FeedPath) =>
  useCommand({
    send: (settings: FeedSettings | null, key) =>
      path === '/calendar-feed' && settings
        ? write('PUT /calendar-feed', key, { body: settings })
        : write('PUT /student/calendar-feed', key),
  });

export const useRenewFeed = (path: FeedPath) =>
  useCommand({ send: (_: void, key) => write(`POST ${path}/renew`, key) });

export const useRevokeFeed = (path: FeedPath) =>
  useCommand({ send: (_: void, key) => write(`DELETE ${path}`, key) });

export const useRestoreFeed = (path: FeedPath) =>
  useCommand({
    send: (former: FormerFeed, key) => write(`POST ${path}/restore`, key, { body: former }),
  });
