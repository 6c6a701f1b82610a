import { formatAmount } from '../lib/money.js';
import classes from './money.module.css';

interface MoneyProps {
  /** Integer cents. */
  cents: number;
  /** Writes + before an amount above zero. */
  signed?: boolean;
  className?: string | undefined;
}

/** An amount with its sign, and "R$" smaller than the figure. */
export function Money({ cents, signed = false, className }: MoneyProps) {
  return (
    <span className={`${classes.money} ${className ?? ''}`}>
      {cents < 0 ? '\u2212' : signed && cents > 0 ? '+' : ''}
      <span className={classes.currency}>R${'\u00a0'}</span>
      {formatAmount(Math.abs(cents))}
    </span>
  );
}
