import type { ReactNode } from 'react';
import { useArrival } from './arrival.js';
import { Icon, type IconName } from './icon.js';
import classes from './states.module.css';

interface NoticeProps {
  icon: IconName;
  title: string;
  children?: ReactNode;
  /** The button or link below the text. */
  action?: ReactNode;
  role?: 'alert' | 'status';
  /** The only content of the page: its title is the page's heading. */
  wholePage?: boolean;
}

/** A message instead of content: what happened, and what can be done. */
export function Notice({ icon, title, children, action, role, wholePage = false }: NoticeProps) {
  return (
    <div className={classes.notice} data-whole={wholePage || undefined} role={role}>
      <span className={classes.icon}>
        <Icon name={icon} size={26} />
      </span>
      {wholePage ? <PageTitle title={title} /> : <p className={classes.title}>{title}</p>}
      {children && <div className={classes.text}>{children}</div>}
      {action}
    </div>
  );
}

function PageTitle({ title }: { title: string }) {
  return (
    <h1 ref={useArrival(title)} tabIndex={-1} className={classes.title}>
      {title}
    </h1>
  );
}
