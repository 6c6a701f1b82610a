import { lazy, Suspense } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { OfflineBar } from './offline-bar.js';
import { useNow, useZone } from '../../lib/zone.js';
import { ZoneBar } from '../../ui/zone-bar.js';

/** Nothing looks for a newer version before. */
const VersionBar = lazy(() => pageIsAtRest.then(() => whenReachable(() => import('./version-bar.js'))));

/** What is said above every page. */
export const Bars = () => (
  <>
    <OfflineBar />
    <Suspense>
      <VersionBar />
    </Suspense>
    <OwnZoneBar />
  </>
);

function OwnZoneBar() {
  return <ZoneBar zone={useZone()} now={useNow()} />;
}
