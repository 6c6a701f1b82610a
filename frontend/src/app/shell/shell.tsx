import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { Loading } from '../../ui/loading.js';
import { Skeletons } from '../../ui/states.js';
import { ErrorBoundary } from '../error-boundary.js';
import { BottomBar } from './bottom-bar.js';
import { OfflineBar } from './offline-bar.js';
import { QuickActions } from './quick-actions.js';
import { Sidebar } from './sidebar.js';
import classes from './shell.module.css';

/** What every page of the trainer stands in. */
export function Shell() {
  const { pathname } = useLocation();
  return (
    <div className={classes.shell}>
      <a href="#conteudo" className={classes.skip}>
        Pular para o conteúdo
      </a>
      <Sidebar />
      <main id="conteudo" tabIndex={-1} className={classes.main}>
        <OfflineBar />
        <ErrorBoundary>
          {/* A boundary of its own for each page: otherwise the page before stays until the code of the next one is there. */}
          <Suspense
            key={pathname}
            fallback={
              <div className={classes.waiting}>
                <Loading>
                  <Skeletons />
                </Loading>
              </div>
            }
          >
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <QuickActions />
      <BottomBar />
    </div>
  );
}
