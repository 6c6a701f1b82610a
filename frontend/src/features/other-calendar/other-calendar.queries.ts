import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const OTHER_CALENDAR = reads('other-calendar', ['calendar']);
const topics = [OTHER_CALENDAR, 'calendar', 'availability'];

export const useOtherCalendar = () =>
  useQuery({
    queryKey: [OTHER_CALENDAR, 'state'],
    queryFn: ({ signal }) => read('GET /other-calendar', { signal }),
  });

export const useLinkCalendar = () => useSend('PUT /other-calendar', topics);

export const useUnlinkCalendar = () => useSend('DELETE /other-calendar', topics);

export const useRelinkCalendar = () => useSend('POST /other-calendar/restore', topics);

export const useReadCalendar = () => useSend('POST /other-calendar/read', topics);
