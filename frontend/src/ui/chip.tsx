import { lazy, Suspense, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { Link, useSearchParams } from 'react-router-dom';
import { whenReachable } from '../lib/chunks.js';
import classes from './chip.module.css';

/** Loaded with the first list that is opened, so that pages with chips are light. */
const Sheet = lazy(() =>
  whenReachable(() => import('./sheet.js').then(({ Sheet: loaded }) => ({ default: loaded }))),
);

/** Hides the chips that have no room in the first line beside the last one, which opens them. Returns their number. */
function fold(line: HTMLElement): number {
  const all = [...line.children] as HTMLElement[];
  const more = all.pop()!;
  for (const chip of all) chip.hidden = false;
  more.hidden = true;
  const isBelow = (chip: HTMLElement) => chip.offsetTop > all[0]!.offsetTop;
  const shown = [...all];
  if (all.some(isBelow)) {
    more.hidden = false;
    while (shown.length > 1 && isBelow(more)) shown.pop()!.hidden = true;
  }
  return all.length - shown.length;
}

/**
 * Chips side by side, the most urgent first; those without room in the line unfold by a tap on their number. Takes no room without
 * any.
 */
export function ChipLine({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLDivElement>(null);
  const [folded, setFolded] = useState(0);
  const [isUnfolded, setUnfolded] = useState(false);

  useLayoutEffect(() => {
    const line = ref.current!;
    if (isUnfolded) {
      const chips = line.querySelectorAll<HTMLElement>(':scope > [hidden]');
      for (const chip of chips) chip.hidden = false;
      chips[0]?.focus();
      return undefined;
    }
    const measure = () => setFolded(fold(line));
    measure();
    const [width, content] = [new ResizeObserver(measure), new MutationObserver(measure)];
    width.observe(line);
    content.observe(line, { childList: true, characterData: true, subtree: true });
    return () => {
      width.disconnect();
      content.disconnect();
    };
  }, [isUnfolded]);

  return (
    <div ref={ref} role="group" aria-label={label} className={classes.line}>
      {children}
      {!isUnfolded && (
        <button
          type="button"
          hidden={folded === 0}
          aria-label={`${label}: mais ${folded}`}
          className={classes.chip}
          data-more
          onClick={() => setUnfolded(true)}
        >
          <strong>+{folded}</strong>
        </button>
      )}
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
