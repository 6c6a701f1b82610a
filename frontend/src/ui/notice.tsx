import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import classes from './states.module.css';

interface NoticeProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  /** The way on. */
  action?: ReactNode;
  role?: 'alert' | 'status';
  /** It is all there is on the page: its title is the page's. */
  wholePage?: boolean;
}

/** A message in the place of content: what is the case, and what can be done. */
export function Notice({ icon, title, children, action, role, wholePage = false }: NoticeProps) {
  const Title = wholePage ? 'h1' : 'p';
  return (
    <div className={classes.notice} data-whole={wholePage || undefined} role={role}>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
      <Title className={classes.title}>{title}</Title>
      {children && <div className={classes.text}>{children}</div>}
      {action}
    </div>
  );
}
