import { useQuery } from '@tanstack/react-query';
import { read } from '../../lib/calls.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const OTHER_CALENDAR = reads('other-calendar', ['calendar']);

export const useOtherCalendar = () =>
  useQuery({
    queryKey: [OTHER_CALENDAR, 'state'],
    queryFn: ({ signal }) => read('GET /other-calendar', { signal }),
  });

export const useLinkCalendar = () => useSend('PUT /other-calendar');

export const useUnlinkCalendar = () => useSend('DELETE /other-calendar');

export const useRelinkCalendar = () => useSend('POST /other-calendar/restore');

export const useReadCalendar = () => useSend('POST /other-calendar/read');
