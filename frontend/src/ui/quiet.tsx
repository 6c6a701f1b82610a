import type { ComponentProps } from 'react';
import classes from './quiet.module.css';

interface QuietProps extends Omit<ComponentProps<'p'>, 'className'> {
  /** Smaller than the text around it. */
  size?: 'sm' | 'xs';
}

/** A quiet paragraph: what explains the thing that it stands beside, or qualifies it. */
export const Quiet = ({ size, ...props }: QuietProps) => (
  <p className={size ? `${classes.quiet} ${classes[size]}` : classes.quiet} {...props} />
);
