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
import { OPEN_PAGES, STUDENT_PAGES } from './narrow.js';
import { preloadPage } from './pages.js';
import { loadAuthPage } from './routes.js';

// The code of the page that will be shown comes at once, beside the auth client where it has something to do: a session to
// find in the address or to renew. Who is not signed in reads and types before it is asked anything.
// Where it cannot be fetched, whoever needs it asks once more, and says so.
const authAhead = () => auth().catch(() => undefined);
if (authState().status === 'signed-out') void pageIsIdle.then(authAhead);
else if (authState().status === 'signed-in' && freshToken()) void pageIsAtRest.then(authAhead);
else void authAhead();

function loadFirstPage(): Promise<unknown> {
  const { pathname } = window.location;
  if (OPEN_PAGES.test(pathname)) return Promise.resolve();
  if (authState().status === 'signed-out' || pathname === '/auth') return fetchPart(loadAuthPage);
  const loadArea = STUDENT_PAGES.test(pathname) ? loadStudentArea : loadTrainerArea;
  return Promise.all([fetchPart(loadArea), preloadPage(pathname)]);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// What index.html shows stays until the first page can be drawn: something in between would be kept for 300 ms by React. A
// transition, as a task of its own: the browser gets its turn between the parts.
const draw = () => setTimeout(() => startTransition(() => createRoot(root).render(<App />)));
// Where the code cannot be fetched, the page says so.
loadFirstPage().then(draw, draw);

// What this device keeps for later, and what only later steps need, waits until the page is here.
void pageIsLoaded.then(() => {
  void import('../lib/offline-cache.js').then(({ tidyOfflineCache }) => tidyOfflineCache());
  void import('../lib/browser-drafts.js').then(({ tidyDrafts }) => tidyDrafts());
  void import('../ui/focus-keeper.js').then(({ keepFocus }) => keepFocus());
});
void pageIsAtRest.then(() => import('../lib/new-version.js')).then(({ keepOnDevice }) => keepOnDevice());
