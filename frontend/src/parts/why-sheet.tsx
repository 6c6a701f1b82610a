import { lazy, Suspense } from 'react';
import { whenReachable } from '../lib/chunks.js';
import { Sheet } from '../ui/sheet.js';
import { Skeletons } from '../ui/states.js';
import type { WhyOf } from './why.js';

const WhyChain = lazy(() => whenReachable(() => import('./why-chain.js')));

interface WhySheetProps {
  of: WhyOf;
  isOwn: boolean;
  onClose: () => void;
}

/** The chain of a line in a list. */
export function WhySheet({ onClose, ...asked }: WhySheetProps) {
  return (
    <Sheet opened onClose={onClose} title="Por quê?" withoutAddress>
      <Suspense fallback={<Skeletons count={3} height={60} />}>
        <WhyChain {...asked} />
      </Suspense>
    </Sheet>
  );
}
