import { initialsOf } from './initials-of.js';
import classes from './initials.module.css';

interface InitialsProps {
  /** Determines the colour: the same for one person everywhere. */
  id: string;
  name: string;
  /** Pixels; default: 40. */
  size?: number;
}

const hueOf = (id: string) => [...id].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7);

export function Initials({ id, name, size = 40 }: InitialsProps) {
  return (
    <span
      aria-hidden
      className={classes.initials}
      style={{ '--hue': hueOf(id), '--size': `${size}px` } as React.CSSProperties}
    >
      {initialsOf(name)}
    </span>
  );
}
