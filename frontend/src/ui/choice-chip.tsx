import type { ButtonHTMLAttributes, ReactNode } from 'react';
import classes from './choice-chip.module.css';

type ChoiceChipProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'type' | 'className'>;

/** A short answer or choice that one tap gives; `aria-pressed` where it can be taken back. */
export const ChoiceChip = (props: ChoiceChipProps) => (
  <button type="button" className={classes.chip} {...props} />
);

/** Chips in a row that wraps. */
export function ChoiceChips({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={classes.chips} role="group" aria-label={label}>
      {children}
    </div>
  );
}
