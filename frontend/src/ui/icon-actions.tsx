import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Icon, type IconName } from './icon.js';
import classes from './icon-actions.module.css';

interface IconActionsProps {
  /** Many actions: on the phone they scroll sideways instead of taking more lines. */
  inOneLine?: boolean;
  children: ReactNode;
}

/** The frequent actions of a sheet or page: a row of icons with words. */
export const IconActions = ({ inOneLine = false, children }: IconActionsProps) => (
  <div className={classes.row} data-line={inOneLine || undefined} data-on-screen>
    {children}
  </div>
);

interface IconActionProps {
  icon: IconName;
  /** An address elsewhere, instead of an action here. */
  href?: string;
  /** A page of this app, instead of an action here. */
  to?: string;
  onClick?: () => void;
  children: string;
}

export function IconAction({ icon, href, to, onClick, children }: IconActionProps) {
  const look = (
    <>
      <span className={classes.icon}>
        <Icon name={icon} />
      </span>
      {children}
    </>
  );
  if (to !== undefined)
    return (
      <Link className={classes.action} to={to}>
        {look}
      </Link>
    );
  return href === undefined ? (
    <button type="button" className={classes.action} onClick={onClick}>
      {look}
    </button>
  ) : (
    <a className={classes.action} href={href} target="_blank" rel="noreferrer" onClick={onClick}>
      {look}
    </a>
  );
}
