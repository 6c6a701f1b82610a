import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { whenReachable } from '../lib/chunks.js';
import classes from './chip.module.css';
import { Icon, type IconName } from './icon.js';

/** Loaded with the first list that is opened, so that pages with chips are light. */
const Sheet = lazy(() =>
  whenReachable(() => import('./sheet.js').then(({ Sheet: loaded }) => ({ default: loaded }))),
);

/** Chips one after the other, in as many lines as they need; takes no room without any. */
export function ChipLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={classes.line}>
      {children}
    </div>
  );
}

interface ChipProps {
  icon: IconName;
  /** Late, or money that is missing. */
  urgent?: boolean;
  children: string;
}

/** What waits, with its number; opens the page with its list. */
export function LinkChip({ to, icon, urgent = false, children }: ChipProps & { to: string }) {
  return (
    <Link to={to} className={classes.chip} data-urgent={urgent || undefined}>
      <Icon name={icon} size={16} />
      {children}
    </Link>
  );
}

interface ListChipProps extends Omit<ChipProps, 'children'> {
  /** Null if nothing waits: the list stays open until it is closed. */
  label: string | null;
  title: string;
  children: ReactNode;
}

/** What waits, with its number; opens its list over the page. */
export function ListChip({ label, icon, urgent = false, title, children }: ListChipProps) {
  /** Undefined before it was ever opened. */
  const [isOpen, setOpen] = useState<boolean>();
  return (
    <>
      {label !== null && (
        <button
          type="button"
          aria-haspopup="dialog"
          className={classes.chip}
          data-urgent={urgent || undefined}
          onClick={() => setOpen(true)}
        >
          <Icon name={icon} size={16} />
          {label}
        </button>
      )}
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <Sheet opened={isOpen} onClose={() => setOpen(false)} title={title} withoutAddress>
            {children}
          </Sheet>
        </Suspense>
      )}
    </>
  );
}
