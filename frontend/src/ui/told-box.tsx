import type { ReactNode } from 'react';
import classes from './told-box.module.css';

/** What a form says of what is typed, in paragraphs; read aloud when it changes. */
export const ToldBox = ({ children }: { children: ReactNode }) => (
  <div role="status" className={classes.box}>
    {children}
  </div>
);
