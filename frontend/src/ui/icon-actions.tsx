import { useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { onceOpened } from './open-whatsapp.js';
import { Icon, type IconName } from './icon.js';
import classes from './icon-actions.module.css';

/** The frequent actions of a sheet or page: a row of icons with words. */
export const IconActions = ({ children }: { children: ReactNode }) => (
  <div className={classes.row} data-on-screen>
    {children}
  </div>
);

interface IconGridProps {
  /** Up to three frequent actions. */
  children: ReactNode;
  /** Others, which "Mais" unfolds on the phone. */
  rest: ReactNode;
}

/** More actions than a row has room for, in columns of equal width: four on the phone, all side by side where there is room. */
export function IconGrid({ children, rest }: IconGridProps) {
  const [isUnfolded, setUnfolded] = useState(false);
  return (
    <div className={classes.grid} data-on-screen>
      {children}
      {rest && (
        <div className={classes.unfold}>
          <IconAction icon="more" expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
            {isUnfolded ? 'Menos' : 'Mais'}
          </IconAction>
        </div>
      )}
      <div className={classes.rest} data-folded={!isUnfolded || undefined}>
        {rest}
      </div>
    </div>
  );
}

interface IconActionProps {
  icon: IconName;
  /** An address elsewhere, instead of an action here. */
  href?: string;
  /** A page of this app, instead of an action here. */
  to?: string;
  onClick?: () => void;
  /** Whether it shows what it opens in place. */
  expanded?: boolean;
  children: string;
}

export function IconAction({ icon, href, to, onClick, expanded, children }: IconActionProps) {
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
    <button type="button" className={classes.action} aria-expanded={expanded} onClick={onClick}>
      {look}
    </button>
  ) : (
    <a className={classes.action} href={href} target="_blank" rel="noreferrer" onClick={onceOpened(onClick)}>
      {look}
    </a>
  );
}
