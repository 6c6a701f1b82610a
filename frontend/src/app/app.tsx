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

/** Nothing is said before the first page is there; what is, has this fetched. Where it cannot be, what is said is seen all the same. */
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
