import './mantine.css';
import '../ui/tokens.css';
import { createRoot } from 'react-dom/client';
import { auth } from '../lib/auth.js';
import { App } from './app.js';
import { preloadPage } from './pages.js';
import { loadShell } from './routes.js';

// The auth client travels beside the code of the page that was asked for; the guard waits for its word.
void auth();
if (window.location.pathname !== '/auth') {
  void loadShell();
  preloadPage(window.location.pathname);
}

const root = document.getElementById('root');
if (!root) throw new Error('index.html has no #root');
createRoot(root).render(<App />);
