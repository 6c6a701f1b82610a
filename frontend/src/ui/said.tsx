import { Button } from '@mantine/core';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { onceOpened } from './open-whatsapp.js';
import { Icon } from './icon.js';
import classes from './said.module.css';
import { leaveSheet, openSheet } from './said-in-sheet.js';
import type { Toast } from './toast.js';

/** How long a message without a button stays. */
const READ_MS = 4000;

interface SaidProps {
  /** Whether the sheet is open. */
  opened: boolean;
}

/**
 * Leaves room for a toast that stood when the sheet opened (`toaster.css`); also after it is gone, so that nothing in the sheet
 * moves under the finger.
 */
function leaveRoom(region: HTMLElement): void {
  const toast = document.querySelector<HTMLElement>('[data-sonner-toast][data-front=true]');
  if (toast)
    region.closest<HTMLElement>('[role=dialog]')?.style.setProperty('--toast', `${toast.offsetHeight}px`);
}

/**
 * What an open sheet says instead of a toast, below its title. A message with a button stays until the next one, and if the
 * sheet closes soon, it moves to the page.
 */
export function Said({ opened }: SaidProps) {
  const [said, setSaid] = useState<Toast | null>(null);
  const region = useRef<HTMLDivElement>(null);
  const latest = useRef<{ toast: Toast; at: number } | null>(null);
  const tell = useEffectEvent((toast: Toast | null) => {
    latest.current = toast && { toast, at: Date.now() };
    setSaid(toast);
  });

  useEffect(() => {
    if (!opened) return undefined;
    openSheet(tell);
    const frame = requestAnimationFrame(() => leaveRoom(region.current!));
    return () => {
      cancelAnimationFrame(frame);
      const left = latest.current;
      const isFresh = left !== null && Date.now() - left.at < (left.toast.duration ?? READ_MS);
      tell(null);
      leaveSheet(tell, isFresh ? left.toast : null);
    };
  }, [opened]);

  const isRead = said !== null && said.kind !== 'error' && !said.action && !said.tell?.length;
  useEffect(() => {
    if (!isRead) return undefined;
    const timer = setTimeout(() => tell(null), READ_MS);
    return () => clearTimeout(timer);
  }, [said, isRead]);

  return (
    <div ref={region} role="status" className={classes.region}>
      {said && (
        <div className={classes.said} data-said data-kind={said.kind}>
          <div className={classes.told}>
            <Icon name={said.kind === 'error' ? 'alert' : said.kind === 'info' ? 'clock' : 'check'} />
            <div className={classes.words}>
              <div data-title className={classes.title}>
                {said.title}
              </div>
              {said.description && <div>{said.description}</div>}
            </div>
          </div>
          <div className={classes.actions}>
            {said.tell?.map(({ label, href, onClick }) =>
              href.startsWith('/') ? (
                <Button key={href} component={Link} to={href} size="sm" onClick={onClick}>
                  {label}
                </Button>
              ) : (
                <Button
                  key={href}
                  component="a"
                  href={href}
                  target="_blank"
                  rel="noreferrer"
                  onClick={onceOpened(onClick)}
                  size="sm"
                  leftSection={<Icon name="chat" size={18} />}
                >
                  {label}
                </Button>
              ),
            )}
            {said.action && (
              <Button
                size="sm"
                variant="light"
                onClick={() => {
                  setSaid(null);
                  latest.current = null;
                  said.action?.onClick();
                }}
              >
                {said.action.label}
              </Button>
            )}
          </div>
        </div>
      )}
    </div>
  );
}
