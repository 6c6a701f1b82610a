import { lazy, Suspense } from 'react';
import { whenReachable } from '../lib/chunks.js';
import { pageIsAtRest } from '../lib/idle.js';
import { MemberArea } from './member-area.js';
import { StudentShell } from './shell/student-shell.js';

/** Loaded apart from the area's chunk, so that the first paint does not wait for it. */
const PendingSender = lazy(() =>
  pageIsAtRest.then(() =>
    whenReachable(() => import('./pending-sender.js').then((part) => ({ default: part.PendingSender }))),
  ),
);
const PushRenewal = lazy(() => pageIsAtRest.then(() => whenReachable(() => import('./push-renewal.js'))));

export default function StudentArea({ userId }: { userId: string }) {
  return (
    <MemberArea userId={userId} role="aluno">
      <StudentShell />
      <Suspense fallback={null}>
        <PendingSender />
        <PushRenewal userId={userId} />
      </Suspense>
    </MemberArea>
  );
}
