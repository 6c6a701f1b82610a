import type { ReactNode } from 'react';
import { counted, wordFor } from '../../../backend/platform/plural.api.js';
import type { Tone } from './tag.js';
import classes from './credit-figure.module.css';

interface CreditFigureProps {
  credits: number;
  tone?: Tone;
  /** Beside the figure: what it does not include yet. */
  pending?: ReactNode;
}

/** A student's balance, large. */
export function CreditFigure({ credits, tone, pending }: CreditFigureProps) {
  return (
    <div className={classes.figure} data-tone={tone}>
      {counted(credits)}{' '}
      <span className={classes.unit}>
        {wordFor(credits, 'crédito', 'créditos')}
        {pending}
      </span>
    </div>
  );
}
