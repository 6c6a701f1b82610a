import { Button } from '@mantine/core';
import { useEffect } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useMe } from '../features/accounts/me.queries.js';
import { forgetTenant, signOut } from '../features/accounts/sign-out.js';
import { auth, useAuth } from '../lib/auth.js';
import { ProblemError } from '../lib/problem.js';
import { chooseTenant } from '../lib/tenant.js';
import { ZoneContext } from '../lib/zone.js';
import { Loading, ErrorState, Notice } from '../ui/states.js';
import { LiveUpdates } from './live-updates.js';
import { MeContext } from './me-context.js';

/** Lets only a signed-in person with a profile through; others go to /auth and come back to where they wanted to be. */
export function Guard() {
  const state = useAuth();
  const { pathname, search } = useLocation();
  useEffect(() => {
    if (state.status === 'signed-out') forgetTenant();
  }, [state.status]);

  if (state.status === 'loading') return <Loading />;
  if (state.status === 'signed-in') return <Member userId={state.userId} />;
  const wanted = pathname + search;
  return (
    <Navigate
      to={wanted === '/' ? '/auth' : `/auth?${new URLSearchParams({ destino: wanted }).toString()}`}
      replace
    />
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
        <Outlet />
      </ZoneContext>
    </MeContext>
  );
}
