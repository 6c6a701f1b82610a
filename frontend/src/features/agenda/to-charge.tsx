import { lazy, Suspense } from 'react';
import { whenReachable } from '../../lib/chunks.js';
import { ListChip } from '../../ui/chip.js';
import { Skeletons } from '../../ui/states.js';
import { useSessionsToCharge } from './dashboard.queries.js';

/** Loaded with the list, because the dashboard needs no checkboxes. */
const ToChargeList = lazy(() => whenReachable(() => import('./to-charge-list.js')));

/** Sessions that nobody has paid or charged yet. */
export function ToCharge() {
  const { items = [], next = null } = useSessionsToCharge().data?.pages[0] ?? {};
  return (
    <ListChip
      figure={items.length > 0 ? `${items.length}${next ? '+' : ''}` : null}
      word="a cobrar"
      title="Sessões a cobrar"
      address="a-cobrar"
    >
      <Suspense fallback={<Skeletons count={3} />}>
        <ToChargeList />
      </Suspense>
    </ListChip>
  );
}
