/** Where there is always something to do. */
const LATEST_MS = 3000;
/** For browsers that do not say when they are idle. */
const INSTEAD_MS = 1000;

/** Resolves once the browser has all that the first page asked for at first; the entry may run only then. */
export const pageIsLoaded: Promise<void> = new Promise((resolve) => {
  if (document.readyState === 'complete') resolve();
  else window.addEventListener('load', () => resolve());
});

/** Resolves once the first page is there and the browser has a moment: for what only later pages or moments need. */
export const pageIsIdle: Promise<void> = pageIsLoaded.then(
  () =>
    new Promise((resolve) => {
      if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
      else setTimeout(resolve, INSTEAD_MS);
    }),
);

/** How long nothing has come any more once all is there. */
const REST_MS = 2000;

/** Resolves once the first page's data has come too: for what would take the network and the processor from it. */
export const pageIsAtRest: Promise<void> = pageIsLoaded.then(
  () =>
    new Promise((resolve) => {
      const rest = () => {
        observer.disconnect();
        resolve();
      };
      let timer = setTimeout(rest, REST_MS);
      const observer = new PerformanceObserver(() => {
        clearTimeout(timer);
        timer = setTimeout(rest, REST_MS);
      });
      observer.observe({ type: 'resource' });
    }),
);
