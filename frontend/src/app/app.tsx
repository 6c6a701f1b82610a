import { MantineProvider } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { pageIsIdle } from '../lib/idle.js';
import { styleNonce } from '../lib/nonce.js';
import { colorSchemeManager, cssVariables, theme } from '../ui/theme.js';
import { ErrorBoundary } from './error-boundary.js';
import { AppRoutes } from './routes.js';

/** Nothing is said before the first page is there; what is, waits for it. */
const Toaster = lazy(() => pageIsIdle.then(() => import('../ui/toaster.js')));

export function App() {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      colorSchemeManager={colorSchemeManager}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
    >
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
