import { MantineProvider } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { pageIsAtRest } from '../lib/idle.js';
import { styleNonce } from '../lib/nonce.js';
import { toastAsked } from '../ui/toast.js';
import { BrowserBar } from '../ui/browser-bar.js';
import { colorSchemeManager, cssVariables, theme } from '../ui/theme.js';
import { ErrorBoundary } from './error-boundary.js';
import { PlainToasts } from './plain-toasts.js';
import { AppRoutes } from './routes.js';

/** Loaded when the page is idle or with the first toast. If loading fails, a plain fallback shows the toasts. */
const Toaster = lazy(() =>
  Promise.race([pageIsAtRest, toastAsked])
    .then(() => import('../ui/toaster.js'))
    .catch(() => ({ default: PlainToasts })),
);

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
      <BrowserBar />
      <BrowserRouter>
        <ErrorBoundary>
          <AppRoutes />
        </ErrorBoundary>
        <Suspense>
          <Toaster />
        </Suspense>
      </BrowserRouter>
    </MantineProvider>
  );
}
