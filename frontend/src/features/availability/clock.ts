import { parseDate, parseTime } from '../../lib/dates.js';
import { DAY_FORM, REQUIRED } from '../../lib/messages.js';

/** A time as the server reads it: 24:00 is the end of the day. */
export const clockOf = (text: string): string => parseTime(text) ?? text.trim();

/** What is wrong with a date that has to be given, or null. */
export const wrongDay = (text: string): string | null =>
  parseDate(text) !== null ? null : text.trim() ? DAY_FORM : REQUIRED;
