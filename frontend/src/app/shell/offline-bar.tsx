import { plural } from '../../../../backend/platform/plural.api.js';
import { useNetwork } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { useConnection } from '../../lib/connection.js';
import { formatMoment } from '../../lib/dates.js';
import { usePending } from '../../lib/pending.js';
import { useZone } from '../../lib/zone.js';
import { Bar, BarAction } from '../../ui/bar.js';
import { useElapsed } from '../../ui/loading.js';
import classes from './shell.module.css';

const PendingSheet = lazy(() => whenReachable(() => import('./pending-sheet.js')));

/** Short interruptions are not shown; after this time the page says that it may be out of date. */
const PATIENCE_MS = 5000;

/** Says that there is no connection, and since when the data on the page may be stale. */
export function OfflineBar() {
  const { online } = useNetwork();
  const connected = useConnection((live) => live.connected);
  const bar = useRef<HTMLDivElement>(null);
  // Below it is the place of a page's own bar that stays at the top.
  useEffect(() => {
    const { style } = document.documentElement;
    const measuring = new ResizeObserver(([size]) =>
      style.setProperty('--rende-top', `${size?.contentRect.height ?? 0}px`),
    );
    if (bar.current) measuring.observe(bar.current);
    return () => measuring.disconnect();
  }, []);
  return (
    <div ref={bar} role="status" className={classes.offline}>
      {!online ? <Cut /> : connected === false && <Cut reconnecting />}
    </div>
  );
}

/** When the oldest query on the page was fetched, in milliseconds; null without queries. */
function useReadAt(): number | null {
  const cache = useQueryClient().getQueryCache();
  const subscribe = useCallback((listener: () => void) => cache.subscribe(listener), [cache]);
  return useSyncExternalStore(subscribe, () => {
    const shown = cache.findAll({ type: 'active', predicate: ({ queryKey }) => queryKey[0] !== 'me' });
    const times = shown.map(({ state }) => state.dataUpdatedAt).filter((time) => time > 0);
    return times.length > 0 ? Math.min(...times) : null;
  });
}

function Cut({ reconnecting = false }: { reconnecting?: boolean }) {
  const zone = useZone();
  const readAt = useReadAt();
  const waiting = usePending(({ writes }) => writes.filter(({ held }) => !held).length);
  const [shown, setShown] = useState(false);
  const patient = !useElapsed(reconnecting ? PATIENCE_MS : 0);
  if (patient) return null;
  return (
    <Bar icon="offline" actions={waiting > 0 && <BarAction onClick={() => setShown(true)}>Ver</BarAction>}>
      {reconnecting ? 'Reconectando ao servidor.' : 'Sem internet.'}
      {readAt !== null && ` Você vê os dados de ${formatMoment(new Date(readAt).toISOString(), zone)}.`}
      {waiting > 0 && ` ${plural(waiting, 'alteração ainda não enviada', 'alterações ainda não enviadas')}.`}
      {shown && (
        <Suspense>
          <PendingSheet onClose={() => setShown(false)} />
        </Suspense>
      )}
    </Bar>
  );
}
