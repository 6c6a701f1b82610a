import { lazy, Suspense } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { Sheet } from '../../ui/sheet.js';
import { Skeletons } from '../../ui/states.js';
import type { Renewal } from './credits.queries.js';

const RenewOptions = lazy(() => whenReachable(() => import('./renew-options.js')));

/** "Renovar", wherever it is offered; closed with null. */
export default function RenewSheet({ renewal, onClose }: { renewal: Renewal | null; onClose: () => void }) {
  return (
    <Sheet
      opened={renewal !== null}
      onClose={onClose}
      title={renewal ? `Renovar · ${renewal.studentName}` : ''}
      middle
      withoutAddress
    >
      {renewal && (
        <Suspense fallback={<Skeletons count={2} />}>
          <RenewOptions renewal={renewal} onDone={onClose} />
        </Suspense>
      )}
    </Sheet>
  );
}
