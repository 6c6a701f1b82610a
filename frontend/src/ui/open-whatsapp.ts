/** Asks instead of opening this address, and returns true; otherwise it may be opened. */
type Guard = (href: string) => boolean;

/** Set by `OtherNumber` once it knows the numbers. */
let guard: Guard | null = null;
/** What was tapped before. */
let held: string | null = null;
/** What follows once the address that was last held is opened. */
let following: (() => void) | null = null;

let ask: () => void = () => undefined;
/** Resolves with the first tap: what stands before it is wanted at once. */
export const whatsAppTapped = new Promise<void>((resolve) => {
  ask = resolve;
});

/** Links in the question itself open at once. */
const LINKS = 'a[href^="https://wa.me/"]:not([data-chosen])';

/** Whether the address is not to be opened now. Without a network, nobody can answer for it. */
function stops(href: string): boolean {
  if (guard) return guard(href);
  if (!navigator.onLine) return false;
  held = href;
  ask();
  return true;
}

/** WhatsApp is opened at last, by the answer to the question. */
export function whatsAppOpened(): void {
  following?.();
  following = null;
}

/** Of a link that is tapped: what follows once it opens, such as noting a message as sent; nothing where it is held and never opened. */
export const onceOpened =
  <Tap extends { defaultPrevented: boolean }>(follow: ((tap: Tap) => void) | undefined) =>
  (tap: Tap): void => {
    if (tap.defaultPrevented) following = () => follow?.(tap);
    else follow?.(tap);
  };

/** Opens WhatsApp where no link was tapped. */
export function openWhatsApp(href: string): void {
  following = null;
  open(href);
}

function open(href: string): void {
  if (stops(href)) return;
  whatsAppOpened();
  // A browser that takes too old a tap for none would open no window.
  if (navigator.userActivation?.isActive === false) window.location.assign(href);
  else window.open(href, '_blank', 'noreferrer');
}

/** Takes over what is tapped from now on, and what was tapped before. */
export function standBefore(next: Guard): () => void {
  guard = next;
  if (held) open(held);
  held = null;
  return () => {
    guard = null;
  };
}

/** Holds every link to WhatsApp, also those of toasts and of texts that the server prepared, until it is known to be right. */
export function guardWhatsApp(): () => void {
  const beforeOpening = (event: MouseEvent) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>(LINKS);
    if (!link) return;
    following = null;
    if (stops(link.href)) event.preventDefault();
  };
  document.addEventListener('click', beforeOpening, true);
  return () => {
    document.removeEventListener('click', beforeOpening, true);
    held = null;
  };
}
