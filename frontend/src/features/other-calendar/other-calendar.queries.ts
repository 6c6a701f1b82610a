import { useQuery } from '@tanstack/react-query';
import type { OtherCalendarLink } from '../../../../backend/modules/other-calendar/other-calendar.api.js';
import { read, useSend } from '../../lib/calls.js';
import { useCommand } from '../../lib/command.js';
import { http } from '../../lib/http.js';
import { reads } from '../../lib/topics.js';

const OTHER_CALENDAR = reads('other-calendar', ['calendar']);
const topics = [OTHER_CALENDAR, 'calendar', 'availability'];

export const useOtherCalendar = () =>
  useQuery({
    queryKey: [OTHER_CALENDAR, 'state'],
    queryFn: ({ signal }) => read('GET /other-calendar', { signal }),
  });

export const useLinkCalendar = () =>
  useCommand({ send: (link: OtherCalendarLink, key) => http.put('/other-calendar', key, link), topics });

export const useUnlinkCalendar = () => useSend('DELETE /other-calendar', topics);

export const useRelinkCalendar = () =>
  useCommand({ send: (_: void, key) => http.post('/other-calendar/restore', key), topics });

export const useReadCalendar = () =>
  useCommand({ send: (_: void, key) => http.post('/other-calendar/read', key), topics });
