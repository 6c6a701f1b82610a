import { Tooltip } from '@mantine/core';
import '@mantine/core/styles/Tooltip.layer.css';
import type { ReactElement, ReactNode } from 'react';

const byPointerOrKey = { hover: true, focus: true, touch: false };

/** Puts an item's name beside it. */
export type Named = (label: string, item: ReactElement) => ReactNode;

/**
 * What icons stand for, where there is no room for their words. Spec 1, section 9: shown after 700 ms, and at once within
 * 300 ms of another one. Who goes there with the keyboard has asked, and does not wait.
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
