import { Tooltip } from '@mantine/core';
import '@mantine/core/styles/Tooltip.layer.css';
import type { ReactElement } from 'react';

/** What an icon stands for, where there is no room for its word. Spec 1, section 9: shown after 700 ms. */
export default function NamedItem({ label, children }: { label: string; children: ReactElement }) {
  return (
    <Tooltip label={label} position="right" openDelay={700}>
      {children}
    </Tooltip>
  );
}
