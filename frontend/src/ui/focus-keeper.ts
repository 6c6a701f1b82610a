/** Time in milliseconds in which the next page or a closing sheet may set the focus itself. */
const OTHERS_FIRST_MS = 50;

const CONTROL = ':is(a[href], button, input, select, textarea, [tabindex="0"]):not([tabindex="-1"])';
/** A control that is disabled while it is busy will be enabled again. */
const USABLE = `${CONTROL}:not(:disabled), ${CONTROL}:is([data-loading], [data-busy])`;
/** A tap that removes an element must not open the phone's keyboard by focusing a field. */
const TYPED = 'input:not([type=radio], [type=checkbox]), textarea';

/** The focused element and its ancestors; ancestors still exist when it is removed. */
interface Spot {
  element: HTMLElement;
  /** Ancestors from the nearest outwards, up to its section or dialog. */
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

/**
 * The same field if its form was rendered again; otherwise the element in its place, the next one, or the title above.
 */
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
 * Keeps the position of keyboard and screen reader users: when the focused element is removed (a deleted row, a sent
 * form), focuses the element that takes its place; when it is only disabled for a moment, returns the focus. From a
 * toast the focus returns to the page.
 */
export function keepFocus(): void {
  let spot: Spot | null = null;
  /** The last focused element outside of toasts. */
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
  // A click on the background removes the focus intentionally. The browser moves the focus after this event.
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
