import type { ReactNode } from 'react';
import classes from './bar.module.css';
import { Icon, type IconName } from './icon.js';

interface BarProps {
  icon: IconName;
  tone?: 'warn' | 'accent' | 'bad';
  /** `BarAction`s: beside the text, or below it if there is no room. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A quiet line above the page: a notice about all of it, with a button or link. */
export function Bar({ icon, tone = 'warn', actions, children }: BarProps) {
  return (
    <div className={classes.bar} data-tone={tone}>
      <Icon name={icon} size={16} />
      <div className={classes.body}>
        <span className={classes.text}>{children}</span>
        {actions && <span className={classes.actions}>{actions}</span>}
      </div>
    </div>
  );
}

export function BarAction({ onClick, children }: { onClick: () => void; children: string }) {
  return (
    <button type="button" className={classes.action} onClick={onClick}>
      {children}
    </button>
  );
}
