import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import classes from './tag.module.css';

export type Tone = 'accent' | 'good' | 'warn' | 'bad' | 'neutral';

interface TagProps {
  tone?: Tone;
  icon?: IconName;
  /** For expected instead of certain states. */
  outlined?: boolean;
  children: ReactNode;
}

/** A short state: always a word, so that it does not depend on colour alone. */
export function Tag({ tone = 'neutral', icon, outlined = false, children }: TagProps) {
  return (
    <span className={classes.tag} data-tone={tone} data-outlined={outlined || undefined}>
      {icon && <Icon name={icon} size={14} />}
      {children}
    </span>
  );
}
