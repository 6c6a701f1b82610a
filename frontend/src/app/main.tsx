import './mantine.css';
import '../ui/tokens.css';
import '../ui/first.css';
import { startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { auth, authState } from '../lib/auth.js';
import { pageIsIdle, pageIsLoaded } from '../lib/idle.js';
import { App } from './app.js';
import { loadTrainerArea } from './guard.js';
import { preloadPage } from './pages.js';
import { loadAuthPage } from './routes.js';

// The code of the page that will be shown comes at once, beside the auth client where somebody may be signed in. Who is not
// reads and types before it is asked anything.
if (authState().status === 'signed-out') void pageIsIdle.then(auth);
else void auth();
if (authState().status === 'signed-out' || window.location.pathname === '/auth') {
  if (!window.location.pathname.startsWith('/convite/')) void loadAuthPage();
} else if (window.location.pathname !== '/aluno') {
  void loadTrainerArea();
  preloadPage(window.location.pathname);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
// A transition: the browser gets its turn between the parts of the first page.
startTransition(() => createRoot(root).render(<App />));

// What this device keeps for later waits until the page is here.
void pageIsLoaded.then(() => {
  void import('../lib/new-version.js').then(({ keepOnDevice }) => keepOnDevice());
  void import('../lib/kept.js').then(({ watchKept }) => watchKept());
  void import('../lib/typed.js').then(({ watchDrafts }) => watchDrafts());
});
