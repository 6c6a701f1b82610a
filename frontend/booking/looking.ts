// Pages that show by themselves what changed: they look again, and replace their content by what the server writes now.

const PATIENCE_MS = 10_000;

/** Null without an answer. */
export async function ask(
  address: string,
): Promise<{ status: number; retryAfter: number; text: string } | null> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), PATIENCE_MS);
  try {
    const answer = await fetch(address, { signal: abort.signal, cache: 'no-store' });
    const retryAfter = Number(answer.headers.get('Retry-After'));
    return { status: answer.status, retryAfter, text: await answer.text() };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
  }
}

const newsIn = (page: Element) => page.querySelector('.news')?.textContent ?? '';

/**
 * Shows the content of a page that the server wrote in place of the current one. `prepare` makes it work. What had the focus keeps
 * it, or passes it to what is new.
 */
export function replaceMain(page: string, prepare: () => void): void {
  const written = new DOMParser().parseFromString(page, 'text/html');
  const [shown, fresh] = [document.querySelector('main'), written.querySelector('main')];
  if (!shown || !fresh) return;
  for (const unneeded of Array.from(fresh.querySelectorAll('noscript'))) unneeded.remove();
  const before = newsIn(shown);
  const focused = shown.contains(document.activeElement) ? document.activeElement : null;
  shown.replaceWith(fresh);
  document.title = written.title;
  prepare();
  if (focused) (document.getElementById(focused.id) ?? fresh.querySelector<HTMLElement>('.news'))?.focus();
  if (newsIn(fresh) !== before) document.getElementById('news')!.textContent = newsIn(fresh);
}

/**
 * Looks after a pause again and again, and at once when somebody comes back to the page or to the network. `look` returns how many
 * milliseconds the server wants to be left alone; `pauseAfter` gets for how long somebody has been waiting, and returns the next
 * pause, null for none. Returns what begins again.
 */
export function keepLooking(
  look: () => Promise<number>,
  pauseAfter: (waited: number) => number | null,
): () => void {
  let since = performance.now();
  let isLooking = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function plan(least: number): void {
    clearTimeout(timer);
    const pause = pauseAfter(performance.now() - since);
    if (pause !== null && !document.hidden) timer = setTimeout(() => void now(), Math.max(least, pause));
  }
  async function now(): Promise<void> {
    if (isLooking) return;
    clearTimeout(timer);
    isLooking = true;
    // Something between may have answered instead of the server.
    const least = await look().catch(() => 0);
    isLooking = false;
    plan(least);
  }
  /** Coming back from another app, or to the network. */
  const comeBack = () => {
    if (document.hidden) return;
    since = performance.now();
    void now();
  };
  document.addEventListener('visibilitychange', comeBack);
  window.addEventListener('online', comeBack);
  window.addEventListener('pageshow', ({ persisted }) => persisted && comeBack());
  plan(0);
  return () => {
    since = performance.now();
    plan(0);
  };
}
