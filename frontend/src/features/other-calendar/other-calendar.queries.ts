import { useAnswer } from '../../lib/answer.js';
import { reads } from '../../lib/topics.js';

const OTHER_CALENDAR = reads('other-calendar', ['calendar']);

export const useOtherCalendar = () => useAnswer([OTHER_CALENDAR, 'state'], 'GET /other-calendar');
