// Caches the built application, one whole version at a time, so that it opens offline. Answers of the
// API are never cached here: they belong to an account.

/** Inserted by the build: the version, its files, its entry page, and the first parts of addresses: of those that hold a token, and those of pages that the server writes. */
declare const __VERSION__: string;
declare const __FILES__: readonly string[];
declare const __ENTRY__: string;
declare const __TOKEN_PAGES__: readonly string[];
declare const __WRITTEN_PAGES__: readonly string[];

const worker = self as unknown as ServiceWorkerGlobalScope;
const PREFIX = 'rende-app-';
const CACHE = PREFIX + __VERSION__;
const files = new Set(__FILES__);

/** Paths that only the server answers: they are not pages of the application, or need their own headers. */
const OF_THE_SERVER = /^\/(api|auth\/v1|health|metrics|socket\.io|dev|aceitar)(\/|$)|\.[^/]*$/;

const firstPartOf = (pathname: string) => pathname.split('/')[1]!;

/** During a deploy the server may serve files of one version and the page of another: then nothing is installed. */
async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  const page = await fetch('/', { cache: 'no-store' });
  if (!page.ok || !(await page.clone().text()).includes(__ENTRY__))
    throw new Error('The server gives the page of another version');
  await cache.addAll(__FILES__);
  await cache.put('/', page);
}

/** Keeps the previous version for windows that still run it and may load more of its files. */
async function activate(): Promise<void> {
  const versions = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  await Promise.all(versions.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

async function page(request: Request): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match('/');
  if (!kept) return fetch(request);
  // Pages whose address holds a token send no Referer, as when the server answers.
  if (!__TOKEN_PAGES__.includes(firstPartOf(new URL(request.url).pathname))) return kept;
  const headers = new Headers(kept.headers);
  headers.set('Referrer-Policy', 'no-referrer');
  return new Response(kept.body, { headers });
}

async function file(request: Request): Promise<Response> {
  return (await caches.match(request, { ignoreVary: true })) ?? fetch(request);
}

worker.addEventListener('install', (event) => event.waitUntil(install()));
worker.addEventListener('activate', (event) => event.waitUntil(activate()));

/** The user chose to activate the new version. */
worker.addEventListener('message', ({ data }) => {
  if (data === 'take over') void worker.skipWaiting();
});

/** The content of a push: no more than a locked screen may show. */
interface Pushed {
  id: string;
  titulo: string;
  texto: string;
  endereco: string;
}

/** Browsers require that each push is shown. One that arrives twice is shown once, by its tag. */
worker.addEventListener('push', (event) => {
  if (!event.data) return;
  const { id, titulo, texto, endereco } = event.data.json() as Pushed;
  const shown = { body: texto, tag: id, icon: '/icon-192.png', lang: 'pt-BR', data: endereco };
  event.waitUntil(worker.registration.showNotification(titulo, shown));
});

/** A tap opens the page in an open window, or in a new one. */
async function show(address: string): Promise<void> {
  const windows = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [open] = windows;
  const moved = await open?.navigate(address).catch(() => null);
  if (moved) await moved.focus();
  else await worker.clients.openWindow(address);
}

worker.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(show(String(event.notification.data)));
});

worker.addEventListener('fetch', (event) => {
  const { method, mode, url } = event.request;
  const { origin, pathname } = new URL(url);
  if (method !== 'GET' || origin !== worker.location.origin) return;
  if (mode === 'navigate') {
    if (!OF_THE_SERVER.test(pathname) && !__WRITTEN_PAGES__.includes(firstPartOf(pathname)))
      event.respondWith(page(event.request));
  } else if (files.has(pathname) || pathname.startsWith('/assets/')) {
    event.respondWith(file(event.request));
  }
});
