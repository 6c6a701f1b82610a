import { Text } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useParams } from 'react-router-dom';
import { useOwnArea } from '../../features/accounts/own-area.queries.js';
import { enterByLink } from '../../lib/area-link.js';
import { ProblemError } from '../../lib/problem.js';
import { queryClient } from '../../lib/query-client.js';
import { ZoneContext } from '../../lib/zone.js';
import { DeadLink } from '../../ui/dead-link.js';
import { Loading } from '../../ui/loading.js';
import { Page } from '../../ui/page.js';
import { ErrorState } from '../../ui/states.js';
import { OwnSections } from '../own-sections.js';

/** A student's area behind its link: no account is needed. */
export default function AreaByLink() {
  const { token = '' } = useParams();
  // Before anything inside asks the server.
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

function Area({ token }: { token: string }) {
  const { data, error, refetch } = useOwnArea(token);
  if (error instanceof ProblemError && error.status === 404) return <DeadLink />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return (
    <ZoneContext value={data.timezone}>
      <Page title={`Olá, ${data.primeiro_nome}!`} subtitle={`Seu personal: ${data.personal}`} width="narrow">
        <OwnSections>
          <Text size="sm" c="dimmed">
            Este link é só seu. Para agendar e ver o extrato, peça um convite ao seu personal.
          </Text>
        </OwnSections>
      </Page>
    </ZoneContext>
  );
}
