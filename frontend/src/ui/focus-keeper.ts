/** Long enough for who knows better where one goes on: the next page, a sheet that closes. Milliseconds. */
const OTHERS_FIRST_MS = 50;

const CONTROL = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not([tabindex="-1"])';
/** What is busy comes back by itself. */
const USABLE = `${CONTROL}:not(:disabled), ${CONTROL}:is([data-loading], [data-busy])`;
/** A tap that removes something must not bring up the keys of a phone. */
const TYPED = 'input:not([type=radio], [type=checkbox]), textarea';

/** What has the focus, and where it stands: what stays around it when it goes. */
interface Spot {
  element: HTMLElement;
  /** From the nearest to the widest, within its section or its dialog: what is beyond is about something else. */
  places: readonly { parent: Element; index: number }[];
}

function spotOf(element: HTMLElement): Spot {
  const places = [];
  for (let child: Element = element, parent = child.parentElement; parent; parent = child.parentElement) {
    if (parent.matches('main, body')) break;
    places.push({ parent, index: [...parent.children].indexOf(child) });
    if (parent.matches('section, [role=dialog]')) break;
    child = parent;
  }
  return { element, places };
}

function firstControl(within: Element): HTMLElement | undefined {
  const hasKeys = window.matchMedia('(pointer: fine)').matches;
  return [within, ...within.querySelectorAll(USABLE)].find(
    (each): each is HTMLElement =>
      each instanceof HTMLElement &&
      each.matches(USABLE) &&
      (hasKeys || !each.matches(TYPED)) &&
      each.getClientRects().length > 0,
  );
}

/** The same field where its form was drawn anew, or else what stands there now, or next to it, or the title over it. */
function successor({ element, places }: Spot): HTMLElement | null {
  if (element.isConnected) return element;
  const { path } = element.dataset;
  for (const { parent, index } of places) {
    if (!parent.isConnected) continue;
    const again = path && parent.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
    if (again) return again;
    const children = [...parent.children];
    for (const child of [...children.slice(index), ...children.slice(0, index).reverse()]) {
      const control = firstControl(child);
      if (control) return control;
    }
  }
  const title = places
    .findLast(({ parent }) => parent.isConnected)
    ?.parent.querySelector<HTMLElement>('h1, h2, h3');
  const heading = title ?? document.querySelector<HTMLElement>('h1');
  if (heading && !heading.hasAttribute('tabindex')) heading.tabIndex = -1;
  return heading;
}

/**
 * Whoever goes through the page with keys or by ear never loses the place: when what has the focus goes (a row that was
 * removed, a form that was sent), the focus goes to what stands there then; when it is busy for a moment, it comes back. From
 * a toast it goes back to the page.
 */
export function keepFocus(): void {
  let spot: Spot | null = null;
  /** The last one that was not in a toast. */
  let onPage: Spot | null = null;
  let isBusy = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const follow = (element: HTMLElement) => {
    spot = spotOf(element);
    if (!element.closest('[data-sonner-toaster]')) onPage = spot;
    isBusy = element.matches(':disabled');
  };
  const isNowhere = () => document.activeElement === document.body || document.activeElement === null;

  const goOn = () => {
    if (!spot || spot.element.isConnected || !isNowhere()) return;
    const next = successor(onPage ?? spot);
    if (!next) return;
    follow(next);
    next.focus({ preventScroll: true });
  };

  const onChange = () => {
    if (!spot) return;
    if (!spot.element.isConnected) {
      clearTimeout(timer);
      timer = setTimeout(goOn, OTHERS_FIRST_MS);
    } else if (spot.element.matches(':disabled')) isBusy = true;
    else if (isBusy) {
      isBusy = false;
      if (isNowhere()) spot.element.focus({ preventScroll: true });
    }
  };

  if (document.activeElement instanceof HTMLElement && !isNowhere()) follow(document.activeElement);
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof HTMLElement) follow(target);
  });
  // Who points at nothing leaves the place on purpose. The browser moves the focus after this event.
  document.addEventListener('mousedown', () =>
    setTimeout(() => {
      if (isNowhere()) spot = null;
    }),
  );
  new MutationObserver(onChange).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['disabled'],
  });
}
