import classes from './count-badge.module.css';

/** How many, on colour; what they are is said beside it, for screen readers too. */
export const CountBadge = ({ of }: { of: number | string }) => (
  <span className={classes.badge} aria-hidden>
    {of}
  </span>
);
