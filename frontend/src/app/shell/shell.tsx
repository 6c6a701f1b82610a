import { Suspense } from 'react';
import { Outlet, useLocation } from 'react-router-dom';
import { Loading } from '../../ui/loading.js';
import { Icon } from '../../ui/icon.js';
import { PageTools } from '../../ui/page.js';
import { Skeletons } from '../../ui/states.js';
import { ErrorBoundary } from '../error-boundary.js';
import { Bars } from './bars.js';
import { Bell } from './bell.js';
import { BottomBar } from './bottom-bar.js';
import { HeldWrites } from './held-writes.js';
import { QuickActions } from './quick-actions.js';
import { Search, useSearching } from './search.js';
import { Sidebar } from './sidebar.js';
import classes from './shell.module.css';

/** The frame of every page of the trainer. */
export function Shell() {
  const { pathname } = useLocation();
  const { open } = useSearching();
  return (
    <div className={classes.shell}>
      <a href="#conteudo" className={classes.skip}>
        Pular para o conteúdo
      </a>
      <Sidebar />
      <main id="conteudo" tabIndex={-1} className={classes.main}>
        <Bars />
        <HeldWrites />
        <ErrorBoundary>
          {/* A separate Suspense boundary for each page: otherwise the previous page stays until the code of the next one is loaded. */}
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
            <PageTools
              value={
                <>
                  {pathname === '/' && <Bell reader="personal" className={classes.tool!} />}
                  {/* The students have a search of their own in its place. */}
                  {pathname !== '/alunos' && (
                    <button
                      type="button"
                      className={classes.tool}
                      onClick={() => open(pathname === '/agenda' ? 'agenda' : undefined)}
                      aria-label="Buscar"
                    >
                      <Icon name="search" />
                    </button>
                  )}
                </>
              }
            >
              <Outlet />
            </PageTools>
          </Suspense>
        </ErrorBoundary>
      </main>
      <QuickActions />
      <BottomBar />
      <Search />
    </div>
  );
}
