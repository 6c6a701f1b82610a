import './mantine.css';
import '../ui/fonts.css';
import '../ui/tokens.css';
import '../ui/first.css';
import '../ui/boot.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { auth, authState } from '../lib/auth.js';
import { freshToken } from '../lib/auth-storage.js';
import { fetchPart } from '../lib/chunks.js';
import { pageIsAtRest, pageIsIdle, pageIsLoaded } from '../lib/idle.js';
import { App } from './app.js';
import { loadStudentArea, loadTrainerArea } from './guard.js';
import { STUDENT_PAGES } from '../lib/student-pages.js';
import { OPEN_PAGES } from './narrow.js';
import { preloadPage } from './pages.js';
import { loadAuthPage } from './routes.js';

// Loads the code of the page that will be shown at once, in parallel with the auth client if there is a session to read from
// the address or to renew; without one, only the sign-in needs the auth client, and with a fresh token whoever renews it.
// A failed import is repeated by the code that needs it, which also shows the error.
const authAhead = () => auth().catch(() => undefined);
const isOpenPage = OPEN_PAGES.test(window.location.pathname);
if (authState().status === 'signed-out') void (isOpenPage || pageIsIdle.then(authAhead));
else if (!(authState().status === 'signed-in' && freshToken())) void authAhead();

function loadFirstPage(): Promise<unknown> {
  const { pathname } = window.location;
  if (isOpenPage) return Promise.resolve();
  if (authState().status === 'signed-out' || pathname === '/auth') return fetchPart(loadAuthPage);
  const loadArea = STUDENT_PAGES.test(pathname) ? loadStudentArea : loadTrainerArea;
  return Promise.all([fetchPart(loadArea), preloadPage(pathname)]);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// The markup of index.html stays until the first page can be rendered: React would keep a fallback in between for at least
// 300 ms. As a transition, rendering is interruptible.
const draw = () => setTimeout(() => startTransition(() => createRoot(root).render(<App />)));
// If the code cannot be loaded, the page shows the error.
loadFirstPage().then(draw, draw);

// The offline copy, and code for later steps, are loaded after the page is shown.
void pageIsLoaded.then(() => {
  void import('../lib/offline-cache.js').then(({ tidyOfflineCache }) => tidyOfflineCache());
  void import('../lib/browser-drafts.js').then(({ tidyDrafts }) => tidyDrafts());
  void import('../ui/focus-keeper.js').then(({ keepFocus }) => keepFocus());
  void import('./print.js').then(({ printLight }) => printLight());
});
void pageIsAtRest.then(() => import('../lib/new-version.js')).then(({ keepOnDevice }) => keepOnDevice());
