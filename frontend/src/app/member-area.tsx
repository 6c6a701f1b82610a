import { QueryClientProvider, useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useDeferredValue, useEffect, type ReactNode } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import type { Me } from '../../../backend/modules/accounts/accounts.api.js';
import { auth } from '../lib/auth.js';
import { read } from '../lib/calls.js';
import { whenReachable } from '../lib/chunks.js';
import { useConnection } from '../lib/connection.js';
import { whenIdle } from '../lib/idle.js';
import { cachedOffline } from '../lib/offline-cache.js';
import { ProblemError } from '../lib/problem.js';
import { forgetTenant, queryClient } from '../lib/query-client.js';
import {
  choosePlace,
  currentPlace,
  isSamePlace,
  noteStudent,
  type Place,
  preferPlace,
  preferredPlace,
} from '../lib/tenant.js';
import { reads } from '../lib/topics.js';
import { ZoneContext } from '../lib/zone.js';
import { ErrorState } from '../ui/states.js';
import { homeOf, idOf, MeContext, type Role } from '../lib/me.js';
import { Starting } from './starting.js';

const NoArea = lazy(() => whenReachable(() => import('./no-area.js')));
const ME = reads('me', ['account', 'settings']);
const LOAD_AGAIN_MS = 5000;
/** Loaded when the first page has shown its content: what changed meanwhile is told once it is connected. */
const LiveUpdates = lazy(async () => {
  do await whenIdle();
  while (queryClient.isFetching() > 0);
  // Until it succeeds, because a page that stays open has to hear of changes.
  for (;;) {
    try {
      return await import('./live-updates.js');
    } catch {
      useConnection.setState({ connected: false });
      await new Promise((resolve) => setTimeout(resolve, LOAD_AGAIN_MS));
    }
  }
});

interface MemberAreaProps {
  userId: string;
  /** Role that may see the pages inside; null for every role. */
  role: Role | null;
  /** For pages of every role: their address in the area of the user's role; null if there is none. */
  children: ReactNode | ((role: Role | null) => ReactNode);
}

/** Everything behind the guard. The query cache is cleared when the user signs out. */
export function MemberArea(props: MemberAreaProps) {
  useEffect(() => forgetTenant, []);
  return (
    <QueryClientProvider client={queryClient}>
      <Member {...props} />
    </QueryClientProvider>
  );
}

function Member({ userId, role, children }: MemberAreaProps) {
  const { data, error, refetch } = useQuery({
    queryKey: [ME, userId],
    queryFn: ({ signal }) => read('GET /me', { signal }),
    staleTime: Infinity,
    persister: cachedOffline<Me>({ ofPerson: true }),
  });
  const { pathname, search } = useLocation();
  // Rendered as a transition, so that the browser stays responsive.
  const arrived = useDeferredValue(data !== undefined);
  const withoutProfile = error instanceof ProblemError && [401, 404].includes(error.status);

  useEffect(() => {
    if (withoutProfile) void auth().then((client) => client.signOut({ scope: 'local' }));
  }, [withoutProfile]);

  useEffect(() => {
    if (!data) return;
    const roles = data.memberships.map((each) => each.role);
    noteStudent(roles.includes('aluno') && !roles.includes('personal') ? userId : null);
  }, [data, userId]);

  if (withoutProfile) return <Starting />;
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (!data || !arrived) return <Starting />;
  // For a user with several memberships, the address decides by its role and the trainer and student that it names, otherwise
  // the last choice.
  const fitting = data.memberships.filter((each) => role === null || each.role === role);
  const inAddress = new URLSearchParams(search);
  const student = (id: string | null) =>
    fitting.find(({ student_id }) => student_id !== null && student_id === id);
  const trainer = (id: string | null) => fitting.filter(({ tenant_id }) => tenant_id === id);
  const last = student(preferredPlace()) ?? trainer(preferredPlace())[0];
  const ofNamed = trainer(inAddress.get('personal'));
  const named = student(inAddress.get('aluno')) ?? (last && ofNamed.includes(last) ? last : ofNamed[0]);
  const membership = named ?? last ?? fitting[0];
  const shown = (own: Role | null) => (typeof children === 'function' ? children(own) : children);
  if (!membership) {
    if (role === null) return shown(null);
    const [other] = data.memberships;
    if (other && pathname === '/') return <Navigate to={homeOf(other.role)} replace />;
    // The same address for both roles: for a student it shows the contracts to sign.
    if (other?.role === 'aluno' && pathname === '/ajustes/contratos-termos')
      return <Navigate to="/aluno/contratos" replace />;
    const isOwnLink = data.memberships.some((each) => pathname === `/agenda/${each.tenant_id}`);
    return <NoArea role={role} home={other && homeOf(other.role)} isOwnLink={isOwnLink} />;
  }

  const { tenant_id: tenantId, student_id: studentId } = membership;
  enter({ tenantId, studentId });
  if (named) preferPlace(idOf(named));
  return (
    <MeContext key={idOf(membership)} value={{ ...data, membership }}>
      <ZoneContext value={membership.timezone}>
        <Suspense>
          <LiveUpdates tenantId={tenantId} studentId={studentId} role={membership.role} />
        </Suspense>
        {shown(membership.role)}
      </ZoneContext>
    </MeContext>
  );
}

/**
 * Removes queries of another place, since their keys contain none. It runs during rendering, so that nothing of
 * them is shown: the place may also change without a choice, when the server's list of memberships replaces the stored
 * one.
 */
function enter(place: Place): void {
  const before = currentPlace();
  choosePlace(place);
  if (before !== null && !isSamePlace(before, place))
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== ME });
}
