import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { whenReachable } from '../lib/chunks.js';
import classes from './chip.module.css';

/** Loaded with the first list that is opened, so that pages with chips are light. */
const Sheet = lazy(() =>
  whenReachable(() => import('./sheet.js').then(({ Sheet: loaded }) => ({ default: loaded }))),
);

/** Chips side by side, in a second line where they do not fit; takes no room without any. */
export function ChipLine({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label} className={classes.line}>
      {children}
    </div>
  );
}

interface ChipProps {
  /** A number or an amount. */
  figure?: string;
  /** Late, or money that is missing. */
  urgent?: boolean;
  /** What the figure counts, or what is to be done. */
  children: string;
}

/** What waits, with its number; opens the page with its list. */
export function LinkChip({ to, figure, urgent = false, children }: ChipProps & { to: string }) {
  return (
    <Link to={to} className={classes.chip} data-urgent={urgent || undefined}>
      {figure !== undefined && <strong>{figure} </strong>}
      {children}
    </Link>
  );
}

interface ListChipProps {
  /** Null if nothing waits: the list stays open until it is closed. */
  figure: string | null;
  word: string;
  title: string;
  /** The page's `?ver=` with which the list is open at first. */
  address?: string;
  children: ReactNode;
}

/** What waits, with its number; opens its list over the page. */
export function ListChip({ figure, word, title, address, children }: ListChipProps) {
  const [search, setSearch] = useSearchParams();
  const isAsked = address !== undefined && search.get('ver') === address;
  /** Undefined before it was ever opened. */
  const [isOpen, setOpen] = useState<boolean | undefined>(isAsked || undefined);
  const close = () => {
    setOpen(false);
    if (isAsked) setSearch({}, { replace: true });
  };
  return (
    <>
      {figure !== null && (
        <button type="button" aria-haspopup="dialog" className={classes.chip} onClick={() => setOpen(true)}>
          <strong>{figure}</strong> {word}
        </button>
      )}
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <Sheet opened={isOpen} onClose={close} title={title} withoutAddress>
            {children}
          </Sheet>
        </Suspense>
      )}
    </>
  );
}
