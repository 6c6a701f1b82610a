import { TZDate } from '@date-fns/tz';
import { addDays } from 'date-fns';

interface QuietHours {
  /** Times of day; an end before the beginning is on the next day. */
  de: string;
  ate: string;
  zona: string;
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

/** End of the current quiet hours; null outside of quiet hours. */
export function quietUntil({ de, ate, zona }: QuietHours, now: Date): Date | null {
  const local = new TZDate(now.getTime(), zona);
  const minute = local.getHours() * 60 + local.getMinutes();
  const [from, to] = [minutesOf(de), minutesOf(ate)];
  const isQuiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!isQuiet) return null;
  const day = minute < to ? local : addDays(local, 1);
  const end = new TZDate(
    day.getFullYear(),
    day.getMonth(),
    day.getDate(),
    Math.floor(to / 60),
    to % 60,
    zona,
  );
  return new Date(end.getTime());
}
