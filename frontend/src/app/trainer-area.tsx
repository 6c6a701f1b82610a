import { lazy, Suspense, useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { signOut } from '../features/accounts/sign-out.js';
import { Onboarding } from '../features/settings/onboarding.js';
import { whenReachable } from '../lib/chunks.js';
import { pageIsAtRest, pageIsIdle } from '../lib/idle.js';
import { guardWhatsApp, whatsAppTapped } from '../ui/open-whatsapp.js';
import { thisWeek } from '../features/agenda/agenda.queries.js';
import { locationChoices } from '../parts/location-choices.js';
import { openTasks, taskLists } from '../features/tasks/tasks.queries.js';
import { studentsCopy } from '../parts/students.queries.js';
import { useToday, useZone } from '../lib/zone.js';
import { MemberArea } from './member-area.js';
import { PendingSender } from './pending-sender.js';
import { Shell } from './shell/shell.js';

const OtherNumber = lazy(() =>
  Promise.race([pageIsIdle, whatsAppTapped]).then(() =>
    whenReachable(() => import('../parts/other-number.js')),
  ),
);
/** Loaded when the page is at rest, since it is not urgent. */
const NewVisits = lazy(() =>
  pageIsAtRest.then(() => whenReachable(() => import('../features/public-link/new-visits.js'))),
);
const PushRenewal = lazy(() => pageIsAtRest.then(() => whenReachable(() => import('./push-renewal.js'))));

export default function TrainerArea({ userId }: { userId: string }) {
  useEffect(guardWhatsApp, []);
  return (
    <MemberArea userId={userId} role="personal">
      <OfflineCopy />
      <PendingSender />
      <Shell />
      <Suspense>
        <OtherNumber />
      </Suspense>
      <Suspense>
        <NewVisits />
        <PushRenewal userId={userId} />
      </Suspense>
      <Onboarding onSignOut={() => void signOut()} />
    </MemberArea>
  );
}

/** Delay in milliseconds, so that the requests of the page come first. */
const AFTER_MS = 2000;

/** Prefetches, once per start and day, what must be available offline: the agenda of the week, students, locations and open tasks. */
function OfflineCopy() {
  const client = useQueryClient();
  const zone = useZone();
  const today = useToday();

  useEffect(() => {
    const timer = setTimeout(() => {
      void client.prefetchQuery(thisWeek(zone));
      void client.prefetchQuery(studentsCopy);
      void client.prefetchQuery(locationChoices);
      void client.prefetchQuery(openTasks);
      void client.prefetchQuery(taskLists);
    }, AFTER_MS);
    return () => clearTimeout(timer);
  }, [client, zone, today]);

  return null;
}
