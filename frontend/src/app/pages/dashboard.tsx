import { lazy, Suspense } from 'react';
import { DashboardPage } from '../../features/agenda/dashboard-page.js';
import { OpenCharges, useOpenCharges } from '../../features/charges/open-charges.js';
import { LowCreditsList } from '../../features/credits/low-credits.js';
import { MonthGlance } from '../../features/finance/month-glance.js';
import { whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { useSignedIn } from '../me-context.js';

/** Loaded apart from the page's chunk, so that the first paint does not wait for it. */
const DueTasks = lazy(() => whenReachable(() => import('../../features/tasks/due-tasks.js')));
const WaitingReminders = lazy(() =>
  whenReachable(() => import('../../features/reminders/waiting-reminders.js')),
);
const WaitingRequests = lazy(() =>
  pageIsAtRest.then(() => whenReachable(() => import('../../features/student-area/waiting-requests.js'))),
);
const WaitingPix = lazy(() =>
  pageIsAtRest.then(() => whenReachable(() => import('../../features/charges/waiting-pix.js'))),
);

export default function Dashboard() {
  const { user } = useSignedIn();
  return (
    <DashboardPage
      name={user.nome}
      email={user.email}
      money={<MonthGlance />}
      charges={<OpenCharges />}
      waits={useOpenCharges().isLoading}
      credits={<LowCreditsList />}
      tasks={
        <>
          <Suspense fallback={null}>
            <WaitingPix />
            <WaitingRequests />
          </Suspense>
          <Suspense fallback={null}>
            <WaitingReminders />
            <DueTasks />
          </Suspense>
        </>
      }
    />
  );
}
