import type { ReactNode } from 'react';
import classes from './folded.module.css';
import { Icon } from './icon.js';

/** Opens below its title by a tap. */
export const Folded = ({ title, children }: { title: string; children: ReactNode }) => (
  <details className={classes.folded}>
    <summary>
      {title}
      <Icon name="down" size={18} />
    </summary>
    {children}
  </details>
);
