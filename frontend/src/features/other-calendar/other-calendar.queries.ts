import { useAnswer } from '../../lib/answer.js';
import { useSend } from '../../lib/command.js';
import { reads } from '../../lib/topics.js';

const OTHER_CALENDAR = reads('other-calendar', ['calendar']);

export const useOtherCalendar = () => useAnswer([OTHER_CALENDAR, 'state'], 'GET /other-calendar');

export const useUnlinkCalendar = () => useSend('DELETE /other-calendar');
