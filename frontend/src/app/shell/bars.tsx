import { lazy, Suspense } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { OfflineBar } from './offline-bar.js';
import { useNow, useZone } from '../../lib/zone.js';
import { dayOf, formatZone, timeOf } from '../../lib/dates.js';
import { Bar } from '../../ui/bar.js';

/** Nothing looks for a newer version before. */
const VersionBar = lazy(() => pageIsAtRest.then(() => whenReachable(() => import('./version-bar.js'))));

/** What is said above every page. */
export const Bars = () => (
  <>
    <OfflineBar />
    <Suspense>
      <VersionBar />
    </Suspense>
    <ZoneBar />
  </>
);

/** Names the time zone of the shown times, on a device whose clock shows another time. */
function ZoneBar() {
  const [zone, instant] = [useZone(), new Date(useNow())];
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
