import { lazy, Suspense } from 'react';
import { DashboardPage } from '../../features/agenda/dashboard-page.js';
import { ToCharge } from '../../features/agenda/to-charge.js';
import { OpenCharges } from '../../features/charges/open-charges.js';
import { useReceivables } from '../../features/charges/receivables.queries.js';
import { useLowCredits } from '../../features/credits/credits.queries.js';
import { LowCreditsChip } from '../../features/credits/low-credits.js';
import { MonthGlance, useThisMonth } from '../../features/finance/month-glance.js';
import { whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { useSignedIn } from '../../lib/me.js';

/** Loaded apart from the page's chunk, so that the first paint does not wait for it. */
const DueTasks = lazy(() => whenReachable(() => import('../../features/tasks/due-tasks.js')));
const WaitingReminders = lazy(() =>
  whenReachable(() => import('../../features/reminders/waiting-reminders.js')),
);
const WaitingVisits = lazy(() => whenReachable(() => import('../../features/public-link/waiting-visits.js')));
const ConfirmVisit = lazy(() => whenReachable(() => import('../../features/public-link/confirm-visit.js')));
const RequestMark = lazy(() => whenReachable(() => import('../../features/student-area/request-mark.js')));
const WaitingRequests = lazy(() =>
  whenReachable(() => import('../../features/student-area/waiting-requests.js')),
);
const ToldByStudents = lazy(() =>
  pageIsAtRest.then(() => whenReachable(() => import('../../features/students/told-by-students.js'))),
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
      reads={[useReceivables(), useLowCredits(), useThisMonth()]}
      next={{ ConfirmVisit, RequestMark }}
      chips={
        <>
          {/* First what somebody waits for an answer to, then money: the last ones are folded where there is no room. */}
          <Suspense fallback={null}>
            <WaitingVisits />
            <WaitingRequests />
          </Suspense>
          <OpenCharges />
          <LowCreditsChip />
          <ToCharge />
          <Suspense fallback={null}>
            <WaitingReminders />
            <WaitingPix />
            <ToldByStudents />
          </Suspense>
          <Suspense fallback={null}>
            <DueTasks />
          </Suspense>
        </>
      }
    />
  );
}
