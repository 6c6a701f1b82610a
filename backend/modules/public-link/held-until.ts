import { atClocks, clocksAt } from '../../platform/local-time.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/**
 * How long an offer holds a time; one made at night holds it until the morning. One that nobody has sent stands on until the
 * trainer sends it or skips the person, but others can book its time, and who is told by mail is offered it.
 */
const HELD_MS = HOUR;
const LAST_HOUR = 21;
const MORNING_HOUR = 9;

/** Until when a start is held for somebody who hears of it now. */
export const heldUntil = (start: number, now: number, zone: string, notice: number): number =>
  Math.min(nextAnswer(now, zone), start - notice * MINUTE);

function nextAnswer(now: number, zone: string): number {
  const until = clocksAt(now + HELD_MS, zone);
  const midnight = until - (until % DAY);
  const hour = (until % DAY) / HOUR;
  if (hour >= MORNING_HOUR && hour <= LAST_HOUR) return now + HELD_MS;
  const morning = midnight + MORNING_HOUR * HOUR + (hour > LAST_HOUR ? DAY : 0);
  return atClocks(morning, zone);
}
