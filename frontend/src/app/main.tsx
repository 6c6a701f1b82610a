import './mantine.css';
import '../ui/tokens.css';
import { createRoot } from 'react-dom/client';
import { auth, authState } from '../lib/auth.js';
import { App } from './app.js';
import { loadTrainerArea } from './guard.js';
import { preloadPage } from './pages.js';
import { loadAuthPage } from './routes.js';

// The auth client and the code of the page that will be shown travel side by side.
void auth();
if (authState().status === 'signed-out' || window.location.pathname === '/auth') {
  if (!window.location.pathname.startsWith('/convite/')) void loadAuthPage();
} else if (window.location.pathname !== '/aluno') {
  void loadTrainerArea();
  preloadPage(window.location.pathname);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<App />);

// What this device keeps for later waits until the page is here.
window.addEventListener('load', () => {
  void import('../lib/new-version.js').then(({ keepOnDevice }) => keepOnDevice());
  void import('../lib/kept.js').then(({ watchKept }) => watchKept());
  void import('../lib/typed.js').then(({ watchDrafts }) => watchDrafts());
});
