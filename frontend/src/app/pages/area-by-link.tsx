import { QueryClientProvider, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { Outlet, useParams } from 'react-router-dom';
import { OWN_AREA, useOwnArea } from '../../features/accounts/own-area.queries.js';
import { enterByLink } from '../../lib/area-link.js';
import { ProblemError } from '../../lib/problem.js';
import { queryClient } from '../../lib/query-client.js';
import { ZoneContext } from '../../lib/zone.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Loading } from '../../ui/loading.js';
import { ErrorState } from '../../ui/states.js';

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
  const { data, error, refetch } = useOwnArea(token);
  useCurrent(data?.posicao);
  if (error instanceof ProblemError && error.status === 404) return <DeadLink />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <ZoneContext value={data.timezone}>
      <Outlet context={data} />
    </ZoneContext>
  );
}
