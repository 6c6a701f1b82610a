import { lazy, Suspense, useEffect, useState } from 'react';
import { fetchPart, whenReachable } from '../lib/chunks.js';
import { pageIsAtRest } from '../lib/idle.js';
import { readPending, usePending } from '../lib/pending.js';
import { MemberArea } from './member-area.js';
import { StudentShell } from './shell/student-shell.js';

const loadSender = () => import('./pending-sender.js').then((part) => ({ default: part.PendingSender }));
const PendingSender = lazy(() => whenReachable(loadSender));
// Before the network may be gone.
void pageIsAtRest.then(() => fetchPart(loadSender).catch(() => undefined));
const PushRenewal = lazy(() => pageIsAtRest.then(() => whenReachable(() => import('./push-renewal.js'))));

export default function StudentArea({ userId }: { userId: string }) {
  return (
    <MemberArea userId={userId} role="aluno">
      <StudentShell />
      <Suspense>
        <Waiting />
      </Suspense>
      <Suspense>
        <PushRenewal userId={userId} />
      </Suspense>
    </MemberArea>
  );
}

/** Reads what waits for a network, which the page shows at once, and loads what sends it only where there is something. */
function Waiting() {
  const waits = usePending(({ writes }) => writes.length > 0);
  const [sends, setSends] = useState(false);
  useEffect(() => void readPending(), []);
  // It stays when all is sent, to say so.
  if (waits && !sends) setSends(true);
  return sends && <PendingSender />;
}
