import { useNetwork } from '@mantine/hooks';
import { useState } from 'react';
import { formatTime, timeOf } from '../../lib/dates.js';
import { useZone } from '../../lib/zone.js';
import { Icon } from '../../ui/icon.js';
import { useElapsed } from '../../ui/loading.js';
import { useLive } from '../live-updates.js';
import classes from './shell.module.css';

/** A short gap is nobody's business; after it the page says that it may be out of date. */
const PATIENCE_MS = 5000;

/** Says quietly that there is no connection, and since when what is shown may be stale. */
export function OfflineBar() {
  const { online } = useNetwork();
  const connected = useLive((live) => live.connected);
  return <div role="status">{!online ? <Cut /> : connected === false && <Cut reconnecting />}</div>;
}

function Cut({ reconnecting = false }: { reconnecting?: boolean }) {
  const zone = useZone();
  const [since] = useState(() => new Date());
  const patient = !useElapsed(reconnecting ? PATIENCE_MS : 0);
  if (patient) return null;
  return (
    <div className={classes.bar}>
      <Icon name="offline" size={16} />
      {reconnecting ? 'Reconectando ao servidor.' : 'Sem internet.'} Você vê os dados de{' '}
      {formatTime(timeOf(since, zone))}.
    </div>
  );
}
