/**
 * Whether a style sheet could not be fetched. The loader requests each only once, so a page that is loaded after a
 * failure may lack its styles.
 */
let isDamaged = false;

window.addEventListener('vite:preloadError', ({ payload }) => {
  if (payload.message.includes('CSS')) isDamaged = true;
});

function online(): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve) => {
    window.addEventListener('online', () => resolve(), { once: true });
  });
}

const parts = new Map<unknown, Promise<unknown>>();

/** Loads a chunk in advance, or again after a failure. A loaded chunk is rendered without suspending. */
export function fetchPart<Module>(load: () => Promise<Module>): Promise<Module> {
  const known = parts.get(load) as Promise<Module> | undefined;
  if (known) return known;
  const part = load();
  parts.set(load, part);
  part.catch(() => parts.delete(load));
  return part;
}

/** Loads a chunk that is to be rendered. Without a network it waits for one; after a failure the page is reloaded. */
export async function whenReachable<Module>(load: () => Promise<Module>): Promise<Module> {
  try {
    const loaded = await fetchPart(load);
    if (!isDamaged) return loaded;
  } catch (error) {
    if (navigator.onLine) throw error;
  }
  await online();
  window.location.reload();
  return new Promise(() => undefined);
}
