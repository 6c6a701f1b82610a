/** Longest wait, for a browser that is never idle. */
const LATEST_MS = 3000;
/** For browsers without `requestIdleCallback`. */
const INSTEAD_MS = 1000;

/** Resolves once the document and its resources are loaded, which may already be the case when the entry runs. */
export const pageIsLoaded: Promise<void> = new Promise((resolve) => {
  if (document.readyState === 'complete') resolve();
  else window.addEventListener('load', () => resolve());
});

/** Resolves once the browser has nothing else to do. */
export const whenIdle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve(), { timeout: LATEST_MS });
    else setTimeout(resolve, INSTEAD_MS);
  });

/** Resolves once the first page is shown and the browser is idle: for code and data that only later pages need. */
export const pageIsIdle: Promise<void> = pageIsLoaded.then(whenIdle);

/** Time without a new request after which loading counts as complete. */
const REST_MS = 2000;

/**
 * Resolves once the data of the first page is loaded as well: for work that would compete with it for network and
 * processor.
 */
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
