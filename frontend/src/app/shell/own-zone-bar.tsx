import { useNow, useZone } from '../../lib/zone.js';
import { ZoneBar } from '../../ui/zone-bar.js';

export function OwnZoneBar() {
  return <ZoneBar zone={useZone()} now={useNow()} />;
}
