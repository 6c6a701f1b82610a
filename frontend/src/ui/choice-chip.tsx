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

const shades = {
  azul: '#4f7dff',
  verde: '#2f9e5b',
  amarelo: '#d9a400',
  laranja: '#e8770e',
  vermelho: '#dc4a3f',
  rosa: '#d84f9a',
  roxo: '#8f5be8',
  cinza: '#858ca3',
};

const round = { flex: 'none', display: 'inline-block', width: 12, height: 12, borderRadius: '50%' } as const;

/** A dot in the colour of the thing that is named beside it. */
export const ColourDot = ({ colour }: { colour: keyof typeof shades }) => (
  <span style={{ ...round, background: shades[colour] }} aria-hidden />
);
