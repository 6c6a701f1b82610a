/** Where there is always something to do. */
const LATEST_MS = 3000;
/** For browsers that do not say when they are idle. */
const INSTEAD_MS = 1000;

/** Resolves once the first page is there and the browser has a moment: for what only later pages or moments need. */
export const pageIsIdle: Promise<void> = new Promise((resolve) => {
  window.addEventListener('load', () => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve, INSTEAD_MS);
  });
});
