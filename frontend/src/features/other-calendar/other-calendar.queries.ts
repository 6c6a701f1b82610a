import { useQuery } from '@tanstack/react-query';
import type {
  OtherCalendar,
  OtherCalendarLink,
} from '../../../../backend/modules/other-calendar/other-calendar.api.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const OTHER_CALENDAR = reads('other-calendar', ['calendar']);
const topics = [OTHER_CALENDAR, 'calendar', 'availability'];

export const useOtherCalendar = () =>
  useQuery({
    queryKey: [OTHER_CALENDAR, 'state'],
    queryFn: ({ signal }) => http.get<OtherCalendar>('/other-calendar', undefined, signal),
  });

export const useLinkCalendar = () =>
  useCommand({ send: (link: OtherCalendarLink, key) => http.put('/other-calendar', key, link), topics });

export const useUnlinkCalendar = () =>
  useCommand({ send: (_: null, key) => http.delete('/other-calendar', key), topics });

export const useRelinkCalendar = () =>
  useCommand({ send: (_: null, key) => http.post('/other-calendar/restore', key), topics });

export const useReadCalendar = () =>
  useCommand({ send: (_: null, key) => http.post('/other-calendar/read', key), topics });
