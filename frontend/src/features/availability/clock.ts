import { calendarDate } from '../../../../backend/platform/http/common.api.js';
import { parseDate, parseTime } from '../../lib/dates.js';
import { DAY_FORM } from '../../lib/messages.js';

/** A typed time in the server's format; 24:00 is the end of the day. */
export const clockOf = (text: string): string => parseTime(text) ?? text.trim();

/** The error of a required date field, or null. */
export function wrongDay(text: string): string | null {
  const day = parseDate(text);
  if (day === null) return DAY_FORM;
  return calendarDate.safeParse(day).error?.issues[0]?.message ?? null;
}
