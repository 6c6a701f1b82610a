import { MantineProvider, useComputedColorScheme } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { BrowserRouter } from 'react-router-dom';
import { pageIsAtRest } from '../lib/idle.js';
import { styleNonce } from '../lib/nonce.js';
import { toastAsked, toasterMounted, type Toast } from '../ui/toast.js';
import { colorSchemeManager, cssVariables, theme, pageColors } from '../ui/theme.js';
import { Bar, BarAction } from '../ui/bar.js';
import { ErrorBoundary } from './error-boundary.js';
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

/** Fallback where the toast component could not be loaded: shows the last message until it is closed. */
function PlainToasts() {
  const [said, setSaid] = useState<Toast | null>(null);
  useEffect(() => toasterMounted(setSaid), []);
  const close = () => setSaid(null);
  return (
    <div role="status" style={{ position: 'fixed', inset: '0 0 auto', zIndex: 300 }}>
      {said && (
        <Bar
          icon={said.kind === 'error' ? 'alert' : 'check'}
          tone={said.kind === 'error' ? 'bad' : 'accent'}
          actions={
            <>
              {said.action && (
                <BarAction
                  onClick={() => {
                    close();
                    said.action?.onClick();
                  }}
                >
                  {said.action.label}
                </BarAction>
              )}
              <BarAction onClick={close}>Fechar</BarAction>
            </>
          }
        >
          <strong>{said.title}</strong> {said.description}
        </Bar>
      )}
    </div>
  );
}

/** Gives the browser's own bar the page's colour, whichever theme is chosen here and in the system. */
function BrowserBar() {
  const scheme = useComputedColorScheme('dark');
  useEffect(() => {
    document.querySelector('meta[name="theme-color"]')?.setAttribute('content', pageColors[scheme]);
  }, [scheme]);
  return null;
}
