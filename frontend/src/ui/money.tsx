import { formatAmount } from '../lib/money.js';
import classes from './money.module.css';

interface MoneyProps {
  /** Integer cents. */
  cents: number;
  /** Shows + before a positive amount. */
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
