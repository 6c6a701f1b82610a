import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { Loading } from '../ui/states.js';
import { Guard } from './guard.js';
import { trainerPages } from './pages.js';

export const loadShell = () => import('./shell/shell.js');

const Shell = lazy(loadShell);
const AuthPage = lazy(() => import('../features/accounts/auth-page.js'));
const NotFound = lazy(() => import('./not-found.js'));
const pages = Object.entries(trainerPages).map(([path, load]) => ({ path, Page: lazy(load) }));

export function AppRoutes() {
  return (
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route path="/auth" element={<AuthPage />} />
        <Route element={<Guard />}>
          <Route element={<Shell />}>
            {pages.map(({ path, Page }) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
          </Route>
        </Route>
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}
