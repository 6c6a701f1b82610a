import { QueryClientProvider, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Outlet, useParams } from 'react-router-dom';
import { enterByLink } from '../../lib/area-link.js';
import { read } from '../../lib/calls.js';
import { whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { ProblemError } from '../../lib/problem.js';
import { queryClient } from '../../lib/query-client.js';
import { reads } from '../../lib/topics.js';
import { ZoneContext } from '../../lib/zone.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Async } from '../../ui/states.js';

const OWN_AREA = reads('own-area', []);
const LOOK_AGAIN_MS = 30_000;
/** Loaded after the page, and before the network may be gone. */
const OfflineBar = lazy(() =>
  pageIsAtRest.then(() =>
    whenReachable(() => import('../shell/offline-bar.js').then((part) => ({ default: part.OfflineBar }))),
  ),
);

/** A student's area behind its link, with the pages inside: no account is needed. */
export default function AreaByLink() {
  const { token = '' } = useParams();
  // Set before the pages inside send requests.
  enterByLink(token);
  useEffect(() => {
    enterByLink(token);
    document.title = 'Minha área · Rende';
    return () => enterByLink(null);
  }, [token]);
  return (
    <QueryClientProvider client={queryClient}>
      <main>
        <Area token={token} />
      </main>
    </QueryClientProvider>
  );
}

/** Refetches the page's queries when the position of the trainer's log has changed. */
function useCurrent(position: number | undefined) {
  const client = useQueryClient();
  const shown = useRef(position);
  useEffect(() => {
    if (shown.current !== undefined && shown.current !== position)
      void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== OWN_AREA });
    shown.current = position;
  }, [client, position]);
}

function Area({ token }: { token: string }) {
  // The names and log position of the area. Polled while the page is visible, since hints need an account.
  const area = useQuery({
    queryKey: [OWN_AREA, token],
    queryFn: ({ signal }) => read('GET /student/area', { signal }),
    refetchInterval: LOOK_AGAIN_MS,
  });
  useCurrent(area.data?.posicao);
  if (area.error instanceof ProblemError && area.error.status === 404) return <DeadLink />;
  return (
    <Async of={area}>
      {(data) => (
        <ZoneContext value={data.timezone}>
          <Suspense>
            <OfflineBar />
          </Suspense>
          <Outlet context={data} />
        </ZoneContext>
      )}
    </Async>
  );
}
