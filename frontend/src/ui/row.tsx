import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon } from './icon.js';
import classes from './row.module.css';

interface RowProps {
  /** Before the name: a time, initials, an icon. */
  lead?: ReactNode;
  title: ReactNode;
  /** One line of facts. */
  facts?: ReactNode;
  /** At the right edge: a state, an amount. */
  trail?: ReactNode;
  /** Address that a tap opens; with neither this nor `onClick` the row is not a control. */
  to?: string;
  onClick?: () => void;
  /** Buttons of the row, after the trail and outside of its tap target. */
  actions?: ReactNode;
  muted?: boolean;
  /** On the phone the name has one line, and the buttons stand below the trail. */
  stacked?: boolean;
}

/** A row of a list: name, one line of facts, state at the right edge. */
export function Row({ lead, title, facts, trail, to, onClick, actions, muted = false, stacked }: RowProps) {
  const content = (
    <>
      {lead}
      <span className={classes.text}>
        <span className={classes.title}>{title}</span>
        {facts && <span className={classes.facts}>{facts}</span>}
      </span>
      {trail && <span className={classes.trail}>{trail}</span>}
      {(to || (onClick && !trail)) && !actions && <Icon name="right" size={18} className={classes.chevron} />}
    </>
  );
  const target = to ? (
    <Link to={to} className={classes.target}>
      {content}
    </Link>
  ) : onClick ? (
    <button type="button" onClick={onClick} className={classes.target}>
      {content}
    </button>
  ) : (
    <span className={classes.target}>{content}</span>
  );
  return (
    <div className={classes.row} data-muted={muted || undefined} data-stacked={stacked}>
      {target}
      {actions && <span className={classes.actions}>{actions}</span>}
    </div>
  );
}
