import { useClickOutside } from '@mantine/hooks';
import { startTransition, useEffect, useRef, useState } from 'react';
import { Link, useLocation, useSearchParams } from 'react-router-dom';
import { Icon } from '../../ui/icon.js';
import { quickActionsOn } from './places.js';
import classes from './quick-actions.module.css';

/** Pixels of a scroll gesture; less is ignored. */
const GESTURE = 8;

/** Whether the page is being scrolled down. False at its top, also while it bounces there. */
function useReadingOn(): boolean {
  const [readingOn, setReadingOn] = useState(false);
  useEffect(() => {
    let last = window.scrollY;
    const onScroll = () => {
      const now = Math.max(window.scrollY, 0);
      if (now > 0 && Math.abs(now - last) < GESTURE) return;
      setReadingOn(now > last);
      last = now;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  return readingOn;
}

/**
 * The quick-action button: its menu opens above it, with the most frequent entry nearest to the thumb. On wide screens, where it
 * lies over the page, it is hidden while the page is scrolled down, and shown again with the first scroll up; not on the agenda,
 * which scrolls by itself to the current time and has no other way to create.
 */
export function QuickActions() {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === pathname;
  const readingOn = useReadingOn();
  const close = () => setOpenedOn(null);
  const outside = useClickOutside(close);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLElement>(null);

  useEffect(() => {
    const nearest = menu.current?.lastElementChild;
    if (opened && nearest instanceof HTMLElement) nearest.focus();
  }, [opened]);

  // A page as it was offers nothing that writes.
  if (search.has('em')) return null;
  return (
    <div
      ref={outside}
      className={classes.quick}
      data-away={(readingOn && !opened && pathname !== '/agenda') || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        button.current?.focus();
      }}
    >
      {opened && <div className={classes.scrim} onClick={close} />}
      {opened && (
        <nav ref={menu} id="acoes-rapidas" className={classes.menu} aria-label="Ações rápidas">
          {quickActionsOn(pathname, search).map(({ label, to, icon }) => (
            <Link
              key={label}
              to={to}
              className={classes.action}
              onClick={() => {
                close();
                // The sheet that opens has to return the focus to an element that still exists.
                button.current?.focus();
              }}
            >
              {label}
              <span className={classes.actionIcon}>
                <Icon name={icon} />
              </span>
            </Link>
          ))}
        </nav>
      )}
      <button
        ref={button}
        type="button"
        className={classes.button}
        data-opened={opened || undefined}
        aria-label={opened ? 'Fechar ações rápidas' : 'Ações rápidas'}
        aria-expanded={opened}
        aria-controls="acoes-rapidas"
        // The button shows the tap before the menu is rendered.
        onClick={() => startTransition(() => setOpenedOn(opened ? null : pathname))}
      >
        <Icon name="plus" size={26} />
      </button>
    </div>
  );
}
