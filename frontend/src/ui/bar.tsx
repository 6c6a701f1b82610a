import type { ReactNode } from 'react';
import classes from './bar.module.css';
import { Icon, type IconName } from './icon.js';

interface BarProps {
  icon: IconName;
  tone?: 'warn' | 'accent' | 'bad';
  children: ReactNode;
}

/** A quiet line over the page: what holds for all of it, with its way on. */
export function Bar({ icon, tone = 'warn', children }: BarProps) {
  return (
    <div className={classes.bar} data-tone={tone}>
      <Icon name={icon} size={16} />
      <span className={classes.text}>{children}</span>
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
