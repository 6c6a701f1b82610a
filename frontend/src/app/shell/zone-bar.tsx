import { timeOf, dayOf, formatZone } from '../../lib/dates.js';
import { useNow, useZone } from '../../lib/zone.js';
import { Bar } from '../../ui/bar.js';

/** Says whose clock the times follow, on a device whose own clock shows another time. */
export function ZoneBar() {
  const zone = useZone();
  const now = new Date(useNow());
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const differs = timeOf(now, own) !== timeOf(now, zone) || dayOf(now, own) !== dayOf(now, zone);
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
