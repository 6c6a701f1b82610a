import type { ReactNode } from 'react';
import { Icon } from './icon.js';
import classes from './pending-mark.module.css';

/** What is shown was done without a network and waits to be sent. */
export function PendingMark({ children = 'ainda não enviado' }: { children?: ReactNode }) {
  return (
    <span className={classes.pending}>
      <Icon name="clock" size={14} /> {children}
    </span>
  );
}
