import { TZDate } from '@date-fns/tz';
import { format } from 'date-fns';

/** The calendar date that contains an instant in the zone. */
export const dateOf = (at: Date | string, timezone: string): string =>
  format(new TZDate(new Date(at), timezone), 'yyyy-MM-dd');
