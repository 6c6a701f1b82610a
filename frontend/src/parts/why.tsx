import { Button } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import type { WhyKind } from '../../../backend/modules/audit/why.api.js';
import { whenReachable } from '../lib/chunks.js';
import { Icon } from '../ui/icon.js';
import { Skeletons } from '../ui/states.js';

const WhyChain = lazy(() => whenReachable(() => import('./why-chain.js')));

export type WhyOf = `${WhyKind}:${string}`;

interface WhyProps {
  of: WhyOf;
  /** For the student, in whose words it then is. */
  isOwn?: boolean;
  /** Where it stands beside something else that one might ask of. */
  label?: string;
}

/** Opens below itself into the chain of what a thing comes from. */
export function Why({ of, isOwn = false, label = 'Por quê?' }: WhyProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <div>
      <Button
        variant="subtle"
        size="sm"
        px={8}
        ml={-8}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
        rightSection={<Icon name={isOpen ? 'up' : 'down'} size={18} />}
      >
        {label}
      </Button>
      {isOpen && (
        <Suspense fallback={<Skeletons count={3} height={44} />}>
          <WhyChain of={of} isOwn={isOwn} />
        </Suspense>
      )}
    </div>
  );
}
