// The bookings that were made on this device, greeted on every page of their trainer: the private link and the time, and
// nothing about the person.
import { store, stored } from './stored.js';
import { inZone } from './words.js';

const KEPT = 'rende.bookings';
const MOST_KEPT = 10;

interface Kept {
  /** The trainer's address when it was kept; it may change. */
  slug: string;
  token: string;
  inicio: string;
}

const all = () => stored<Kept[]>('localStorage', KEPT, []);
const without = (gone: string) => all().filter(({ token }) => token !== gone);

export const keep = (booking: Kept) =>
  store('localStorage', KEPT, [...without(booking.token), booking].slice(-MOST_KEPT));

function drop(gone: string): void {
  const left = without(gone);
  store('localStorage', KEPT, left.length > 0 ? left : null);
}

export const pathOfVisit = (token: string) => `/p/reserva/${token}`;

/** The own booking of this time, if there is one: its time is not taken by somebody else. */
export const ownAt = (slug: string, inicio: string): Kept | undefined =>
  all().find((one) => one.slug === slug && one.inicio === inicio);

/**
 * Corrects what is kept by the page of a booking, and says when it is; null if that is past, cancelled or gone, or somebody
 * forgot it meanwhile.
 */
function corrected(token: string, page: HTMLElement | null): string | null {
  if (!all().some((one) => one.token === token)) return null;
  const { trainer: slug, start: inicio, zone, coming } = page?.dataset ?? {};
  if (slug === undefined || inicio === undefined || zone === undefined || coming === undefined) {
    drop(token);
    return null;
  }
  keep({ slug, token, inicio });
  return inZone(zone, inicio);
}

/** When a kept booking is, by the server. Null if it is over, or cannot be asked for. */
async function askFor(token: string): Promise<string | null> {
  const response = await fetch(pathOfVisit(token)).catch(() => null);
  if (response?.status === 404) drop(token);
  if (!response?.ok) return null;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  return corrected(token, page.querySelector('main'));
}

/** Shows a line above the page. */
export function announce(...content: (string | Node)[]): HTMLElement {
  const line = document.createElement('p');
  line.className = 'notice';
  line.setAttribute('role', 'status');
  line.append(...content);
  document.querySelector('main')!.prepend(line);
  return line;
}

/** Greets who has a booking with this trainer. */
export async function greet(main: HTMLElement): Promise<void> {
  const { trainer, visit } = main.dataset;
  // The page may have been opened by a former address; the one that says that the trainer paused has no data.
  const slugs = [trainer, location.pathname.split('/')[2]];
  const kept = all().filter(({ slug }) => slugs.includes(slug));
  if (visit !== undefined) corrected(visit, main);
  // Each line is put above the one before it: the next class ends up first.
  const others = kept
    .filter(({ token }) => token !== visit)
    .sort((one, other) => (one.inicio < other.inicio ? 1 : -1));
  const times = await Promise.all(others.map(({ token }) => askFor(token)));
  for (const line of Array.from(main.querySelectorAll('.own'))) line.remove();
  others.forEach(({ token }, at) => {
    const when = times[at];
    if (!when) return;
    const link = document.createElement('a');
    link.href = pathOfVisit(token);
    link.textContent = 'Ver';
    const forget = document.createElement('button');
    forget.type = 'button';
    forget.textContent = 'Esquecer neste aparelho';
    const ways = document.createElement('span');
    ways.append(link, ' ', forget);
    const line = announce(`Você tem aula ${when} `, ways);
    line.classList.add('own');
    forget.addEventListener('click', () => {
      drop(token);
      line.textContent = 'A reserva não aparece mais neste aparelho. Ela continua valendo.';
      line.tabIndex = -1;
      line.focus();
    });
  });
}
