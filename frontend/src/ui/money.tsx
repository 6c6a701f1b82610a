import { formatAmount } from '../lib/money.js';
import classes from './money.module.css';

interface MoneyProps {
  /** Integer cents. */
  cents: number;
  /** Shows + before a positive amount. */
  signed?: boolean;
  strong?: boolean;
  className?: string | undefined;
}

/** An amount with its sign, and "R$" smaller than the figure. */
export function Money({ cents, signed = false, strong, className }: MoneyProps) {
  return (
    <span className={`${classes.money} ${className ?? ''}`} data-strong={strong}>
      {cents < 0 ? '\u2212' : signed && cents > 0 ? '+' : ''}
      <span className={classes.currency}>R${'\u00a0'}</span>
      {formatAmount(Math.abs(cents))}
    </span>
  );
}
