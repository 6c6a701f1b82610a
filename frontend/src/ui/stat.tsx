import type { ReactNode } from 'react';
import { counted } from '../../../backend/platform/plural.api.js';
import { Icon } from './icon.js';
import classes from './stat.module.css';

interface StatProps {
  label: string;
  /** A number or an amount. */
  value: ReactNode;
  /** An amount of money: long, so it shrinks with its card. */
  isAmount?: boolean;
  /** Expected, not certain: outlined. */
  isExpected?: boolean;
  caption?: ReactNode;
  /** Makes the figure a button that shows the lines of which it is the sum. */
  onOpen?: () => void;
}

/** One figure, large, with a smaller label. */
export function Stat({ label, value, isAmount = false, isExpected = false, caption, onOpen }: StatProps) {
  const shown = typeof value === 'number' ? counted(value) : value;
  return (
    <div className={classes.stat} data-expected={isExpected || undefined}>
      <div className={classes.label}>{label}</div>
      <div className={classes.value} data-amount={isAmount || undefined}>
        {onOpen ? (
          <FigureButton label={label} onOpen={onOpen}>
            {shown}
          </FigureButton>
        ) : (
          shown
        )}
      </div>
      {caption && <div className={classes.caption}>{caption}</div>}
    </div>
  );
}

type FigureButtonProps = Pick<StatProps, 'label'> & { onOpen: () => void; children: ReactNode };

/** A figure that shows the lines of which it is the sum; its whole card can be tapped. */
export function FigureButton({ label, onOpen, children }: FigureButtonProps) {
  return (
    <button type="button" className={classes.open} onClick={onOpen}>
      {children}
      <span className={classes.hint}>{`Ver de onde vem: ${label}`}</span>
    </button>
  );
}

/** Figures side by side, each with its lines; on the phone in a line that scrolls sideways. */
export function StatGrid({ children }: { children: ReactNode }) {
  return <div className={classes.grid}>{children}</div>;
}

/** Four counts in one line, in a less prominent style. */
export function StatStrip({ children }: { children: ReactNode }) {
  return <div className={classes.strip}>{children}</div>;
}

const percent = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 1 });

interface ChangeProps {
  /** Percent compared with the previous period; null if that has no value. */
  value: number | null;
  against: string;
}

export function Change({ value, against }: ChangeProps) {
  if (value === null) return <>sem dados em {against}</>;
  return (
    <span className={classes.change} data-direction={value < 0 ? 'down' : 'up'}>
      {value !== 0 && <Icon name={value < 0 ? 'drop' : 'up'} size={14} />}
      {value !== 0 && `${percent.format(Math.abs(value))}% `}
      <span className={classes.against}>
        {value === 0 ? `igual a ${against}` : `${value < 0 ? 'a menos' : 'a mais'} que em ${against}`}
      </span>
    </span>
  );
}
