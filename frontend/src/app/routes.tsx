import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router-dom';
import { whenReachable } from '../lib/chunks.js';
import { Loading } from '../ui/loading.js';
import { Guard } from './guard.js';
import { trainerPages } from './pages.js';

export const loadAuthPage = () => import('../features/accounts/auth-page.js');

const AuthPage = lazy(() => whenReachable(loadAuthPage));
const NotFound = lazy(() => whenReachable(() => import('./not-found.js')));
const pages = Object.entries(trainerPages).map(([path, load]) => ({
  path,
  Page: lazy(() => whenReachable(load)),
}));

export function AppRoutes() {
  return (
    <Suspense fallback={<Loading />}>
      <Routes>
        <Route path="/auth" element={<AuthPage />} />
        <Route element={<Guard />}>
          {pages.map(({ path, Page }) => (
            <Route key={path} path={path} element={<Page />} />
          ))}
        </Route>
        <Route path="*" element={<NotFound />} />
      </Routes>
    </Suspense>
  );
}
