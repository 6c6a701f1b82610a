import { Button } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useMe } from '../features/accounts/me.queries.js';
import { forgetTenant, signOut } from '../features/accounts/sign-out.js';
import { auth } from '../lib/auth.js';
import { ProblemError } from '../lib/problem.js';
import { queryClient } from '../lib/query-client.js';
import { chooseTenant } from '../lib/tenant.js';
import { ZoneContext } from '../lib/zone.js';
import { Loading } from '../ui/loading.js';
import { Notice } from '../ui/notice.js';
import { ErrorState } from '../ui/states.js';
import { LiveUpdates } from './live-updates.js';
import { MeContext } from './me-context.js';
import { OfflineCopy } from './offline-copy.js';
import { Shell } from './shell/shell.js';

/** Everything behind the guard. What was read here is forgotten when its person leaves. */
export default function TrainerArea({ userId }: { userId: string }) {
  useEffect(() => forgetTenant, []);
  return (
    <QueryClientProvider client={queryClient}>
      <Member userId={userId} />
    </QueryClientProvider>
  );
}

function Member({ userId }: { userId: string }) {
  const { data, error, refetch } = useMe(userId);
  const withoutProfile = error instanceof ProblemError && (error.status === 401 || error.status === 404);

  useEffect(() => {
    if (withoutProfile) void auth().then((client) => client.signOut({ scope: 'local' }));
  }, [withoutProfile]);

  if (withoutProfile) return <Loading />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  const membership = data.membership ?? data.memberships.find(({ role }) => role === 'personal') ?? null;
  if (membership?.role !== 'personal')
    return (
      <Notice
        icon="shield"
        title="Acesso Negado"
        wholePage
        role="alert"
        action={<Button onClick={() => void signOut()}>Sair</Button>}
      >
        Esta área é do personal. Entre com a conta de um personal para continuar.
      </Notice>
    );

  chooseTenant(membership.tenant_id);
  return (
    <MeContext value={data}>
      <ZoneContext value={membership.timezone}>
        <LiveUpdates tenantId={membership.tenant_id} />
        <OfflineCopy />
        <Shell />
      </ZoneContext>
    </MeContext>
  );
}
