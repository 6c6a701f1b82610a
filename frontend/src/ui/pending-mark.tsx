import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import classes from './pending-mark.module.css';

interface PendingMarkProps {
  children?: ReactNode;
  /** It stands alone, not after a text. */
  ownLine?: boolean;
}

/** Marks a change that was made without a network and waits to be sent. */
export function PendingMark({ children = 'ainda não enviado', ownLine }: PendingMarkProps) {
  return (
    <span className={classes.pending} data-own-line={ownLine || undefined}>
      <Icon name="clock" size={14} /> {children}
    </span>
  );
}
