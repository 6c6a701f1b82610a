import { create } from 'zustand';

/**
 * Whether a newer version is installed and waits. It is activated only when the user agrees, so that no typed text is
 * lost.
 */
export const useNewVersion = create<{ ready: boolean }>(() => ({ ready: false }));

let waiting: ServiceWorker | null = null;

function offer(worker: ServiceWorker | null): void {
  waiting = worker;
  useNewVersion.setState({ ready: true });
}

/** Activates the newer version and reloads this window. */
export function startNewVersion(): void {
  // Another window may have activated it already.
  if (waiting?.state !== 'installed') {
    window.location.reload();
    return;
  }
  navigator.serviceWorker.addEventListener('controllerchange', () => window.location.reload(), {
    once: true,
  });
  waiting.postMessage('take over');
}

const LOOK_AGAIN_MS = 60 * 60_000;

/** Looks for a newer version when the window becomes visible again: an installed application may stay open for days. */
function lookAgain(registration: ServiceWorkerRegistration): void {
  let looked = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - looked < LOOK_AGAIN_MS) return;
    looked = Date.now();
    registration.update().catch(() => undefined);
  });
}

async function install(): Promise<void> {
  const wasControlled = navigator.serviceWorker.controller !== null;
  const registration = await navigator.serviceWorker.register('/sw.js');
  if (registration.waiting && wasControlled) offer(registration.waiting);
  registration.addEventListener('updatefound', () => {
    const worker = registration.installing;
    worker?.addEventListener('statechange', () => {
      if (worker.state === 'installed' && navigator.serviceWorker.controller) offer(worker);
    });
  });
  // The first version is active at once; a later one only after the user agreed in some window.
  navigator.serviceWorker.addEventListener('controllerchange', () => {
    if (wasControlled) offer(null);
  });
  lookAgain(registration);
}

/** Registers the service worker. Without one, the application works online only. */
export function keepOnDevice(): void {
  if (import.meta.env.PROD && 'serviceWorker' in navigator) install().catch(() => undefined);
}
