import { lazy, Suspense, useLayoutEffect } from 'react';
import { Route, Routes, useLocation } from 'react-router-dom';
import { whenReachable } from '../lib/chunks.js';
import { Guard } from './guard.js';
import { type Pages, studentPages, trainerPages } from './pages.js';
import { Starting } from './starting.js';
import { hidePlaceholder } from './hide-placeholder.js';

export const loadAuthPage = () => import('../features/accounts/auth-page.js');

const InvitePage = lazy(() => whenReachable(() => import('../features/accounts/invite-page.js')));
const TermsPage = lazy(() => whenReachable(() => import('../features/general-terms/terms-page.js')));
const NewcomerPage = lazy(() => whenReachable(() => import('../features/accounts/newcomer-page.js')));
const LettersPage = lazy(() => whenReachable(() => import('../features/notifications/letters-page.js')));
const AreaByLink = lazy(() => whenReachable(() => import('./pages/area-by-link.js')));
const HomeByLink = lazy(() => whenReachable(() => import('./pages/home-by-link.js')));
const OwnStatement = lazy(() => whenReachable(studentPages['/aluno/extrato']!));
const OwnPayments = lazy(() => whenReachable(studentPages['/aluno/pagamentos']!));
const AuthPage = lazy(() => whenReachable(loadAuthPage));
/** The server serves this address only outside of production. */
const Gallery = lazy(() => whenReachable(() => import('./gallery/gallery.js')));
const NotFound = lazy(() => whenReachable(() => import('./not-found.js')));
const lazyPages = (pages: Pages) =>
  Object.entries(pages).map(([path, load]) => ({ path, Page: lazy(() => whenReachable(load)) }));
const areas = [
  { role: 'personal', pages: lazyPages(trainerPages) },
  { role: 'aluno', pages: lazyPages(studentPages) },
] as const;

/** Hides the markup of index.html once a page is rendered; a redirect does not count as one. */
function HidePlaceholder() {
  const { pathname } = useLocation();
  useLayoutEffect(() => {
    if (document.querySelector('#root > :not(style)')) hidePlaceholder();
  }, [pathname]);
  return null;
}

export function AppRoutes() {
  return (
    <Suspense fallback={<Starting />}>
      <HidePlaceholder />
      <Routes>
        <Route path="/auth" element={<AuthPage />} />
        <Route path="/cadastro" element={<NewcomerPage />} />
        <Route path="/aceitar/:token" element={<InvitePage />} />
        <Route path="/termos" element={<TermsPage />} />
        <Route path="/avisos/:token" element={<LettersPage />} />
        <Route path="/minha-area/:token" element={<AreaByLink />}>
          <Route index element={<HomeByLink />} />
          <Route path="extrato" element={<OwnStatement />} />
          <Route path="pagamentos" element={<OwnPayments />} />
        </Route>
        {areas.map(({ role, pages }) => (
          <Route key={role} element={<Guard role={role} />}>
            {pages.map(({ path, Page }) => (
              <Route key={path} path={path} element={<Page />} />
            ))}
          </Route>
        ))}
        <Route path="/dev/ui" element={<Gallery />} />
        <Route element={<Guard role={null} />}>
          <Route path="*" element={<NotFound />} />
        </Route>
      </Routes>
    </Suspense>
  );
}
