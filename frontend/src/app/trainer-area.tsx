import { lazy, Suspense, useEffect } from 'react';
import { signOut } from '../features/accounts/sign-out.js';
import { Onboarding } from '../features/settings/onboarding.js';
import { whenReachable } from '../lib/chunks.js';
import { pageIsAtRest, pageIsIdle } from '../lib/idle.js';
import { guardWhatsApp, whatsAppTapped } from '../ui/open-whatsapp.js';
import { MemberArea } from './member-area.js';
import { OfflineCopy } from './offline-copy.js';
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
