import { dayOf, formatZone, timeOf } from '../lib/dates.js';
import { Bar } from './bar.js';

/** Names the time zone of the shown times, on a device whose clock shows another time. `now` in milliseconds. */
export function ZoneBar({ zone, now }: { zone: string; now: number }) {
  const instant = new Date(now);
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const differs =
    timeOf(instant, own) !== timeOf(instant, zone) || dayOf(instant, own) !== dayOf(instant, zone);
  return (
    <div role="status">
      {differs && (
        <Bar icon="clock">
          Este aparelho está em outro fuso. Os horários aqui seguem o {formatZone(zone)}.
        </Bar>
      )}
    </div>
  );
}
