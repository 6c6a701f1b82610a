import { Tooltip } from '@mantine/core';
import '@mantine/core/styles/Tooltip.layer.css';
import type { ReactElement, ReactNode } from 'react';

const byPointerOrKey = { hover: true, focus: true, touch: false };

/** Puts an item's name beside it. */
export type Named = (label: string, item: ReactElement) => ReactNode;

/**
 * Tooltips of icons that have no room for a label. Spec 1, section 9: shown after 700 ms, and at once within 300 ms of
 * another one. On keyboard focus they are shown at once.
 */
export default function NamedItems({ children }: { children: (named: Named) => ReactNode }) {
  return (
    <Tooltip.Group openDelay={700} closeDelay={300}>
      {children((label, item) => (
        <Tooltip key={label} label={label} position="right" events={byPointerOrKey}>
          {item}
        </Tooltip>
      ))}
    </Tooltip.Group>
  );
}
