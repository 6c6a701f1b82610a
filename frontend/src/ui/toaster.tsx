import { useMantineColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { Toaster as Sonner, toast } from 'sonner';
import 'sonner/dist/styles.css';
import { onceOpened } from './open-whatsapp.js';
import { Icon } from './icon.js';
import { inSheetOr } from './said-in-sheet.js';
import { type Tell, toasterMounted, type Toast } from './toast.js';
import './toaster.css';

/** The links of a toast, before its button. */
const links = (tell: readonly Tell[]) => (
  <>
    {tell.map(({ label, href, onClick }) =>
      href.startsWith('/') ? (
        <Link key={href} data-button to={href} onClick={onClick}>
          {label}
        </Link>
      ) : (
        <a key={href} data-button href={href} target="_blank" rel="noreferrer" onClick={onceOpened(onClick)}>
          {label}
        </a>
      ),
    )}
  </>
);

const show = inSheetOr(({ kind, title, tell, ...options }: Toast) => {
  toast[kind](title, { ...options, ...(tell && { cancel: links(tell) }) });
});

const OUTSIDE = ['pointermove', 'pointerdown', 'mouseover'] as const;

/**
 * Ends the pause of the toasts once the pointer is elsewhere. React does not tell sonner that the pointer left when the toast below
 * it was removed, and the other toasts would wait for ever.
 */
function resumeElsewhere({ target }: Event) {
  const list = document.querySelector('[data-sonner-toaster]');
  if (!list?.querySelector('[data-expanded="true"]') || list.contains(target as Node)) return;
  list.dispatchEvent(new MouseEvent('pointerup', { bubbles: true }));
  list.dispatchEvent(new MouseEvent('mouseout', { bubbles: true, relatedTarget: document.body }));
}

const GAP = 14;

/** Scrolls the button of a page's form out from under the toasts, which the room at the end of every page allows. */
function uncover(section: HTMLElement) {
  const front = section.querySelector<HTMLElement>('[data-sonner-toast][data-front=true]');
  const list = front?.parentElement?.getBoundingClientRect();
  if (!front || !list) return;
  // The list does not move with the toasts that come in; of those behind the front one, the edges are seen.
  const behind = section.querySelectorAll('[data-sonner-toast][data-front=false][data-visible=true]').length;
  const top = list.bottom - front.offsetHeight - GAP * (behind + 1);
  for (const button of document.querySelectorAll('main form [type=submit]')) {
    const place = button.getBoundingClientRect();
    if (place.right > list.left && place.top < list.bottom && place.bottom > top)
      window.scrollBy({ top: place.bottom - top, behavior: 'instant' });
  }
}

/** Where toasts appear, with the values of spec 1, section 9; `toaster.css` says where. */
export default function Toaster() {
  const { colorScheme } = useMantineColorScheme();
  const section = useRef<HTMLDivElement>(null);
  useEffect(() => toasterMounted(show), []);
  useEffect(() => {
    const arriving = new MutationObserver(() => uncover(section.current!));
    arriving.observe(section.current!, { subtree: true, attributeFilter: ['data-mounted'] });
    return () => arriving.disconnect();
  }, []);
  useEffect(() => {
    for (const type of OUTSIDE) document.addEventListener(type, resumeElsewhere);
    return () => OUTSIDE.forEach((type) => document.removeEventListener(type, resumeElsewhere));
  }, []);
  return (
    <div ref={section}>
      <Sonner
        theme={colorScheme === 'auto' ? 'system' : colorScheme}
        position="bottom-right"
        duration={4000}
        visibleToasts={3}
        gap={GAP}
        hotkey={['altKey', 'KeyT']}
        containerAriaLabel="Notifications"
        closeButton
        icons={{
          success: <Icon name="check" />,
          error: <Icon name="alert" />,
          info: <Icon name="clock" />,
        }}
        toastOptions={{ closeButtonAriaLabel: 'Close toast' }}
      />
    </div>
  );
}
