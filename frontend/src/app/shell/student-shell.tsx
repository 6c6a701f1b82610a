import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, Outlet, useLocation } from 'react-router-dom';
import { fetchPart, whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { usePending } from '../../lib/pending.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { attempt } from '../../ui/toast.js';
import { useSignedIn } from '../../lib/me.js';
import { ErrorBoundary } from '../error-boundary.js';
import { Bars } from './bars.js';
import { Bell } from './bell.js';
import { studentAreas } from './areas.js';
import shell from './shell.module.css';
import classes from './student-shell.module.css';

const loadSignOut = () => import('../../features/accounts/sign-out.js');
// Before the network may be gone.
void pageIsAtRest.then(() => fetchPart(loadSignOut).catch(() => undefined));
const leave = () => attempt(async () => (await fetchPart(loadSignOut)).signOut(), 'Erro ao fazer logout');

const HeldWrites = lazy(() =>
  whenReachable(() => import('./held-writes.js').then((part) => ({ default: part.HeldWrites }))),
);
const MembershipMenu = lazy(() => whenReachable(() => import('./membership-menu.js')));

/** The frame of every page of the student. */
export function StudentShell() {
  const { memberships } = useSignedIn();
  const holds = usePending(({ writes }) => writes.some(({ held }) => held));
  return (
    <>
      <header className={classes.header}>
        <Link to="/aluno" className={classes.brand} aria-label="Rende, início">
          <Logo />
        </Link>
        {memberships.length > 1 && (
          <div className={classes.membership}>
            <Suspense>
              <MembershipMenu />
            </Suspense>
          </div>
        )}
        <Bell reader="aluno" className={classes.bell!} />
        <Button variant="subtle" onClick={() => void leave()} leftSection={<Icon name="exit" size={18} />}>
          Sair
        </Button>
      </header>
      <StudentBar />
      <main className={classes.main}>
        <Bars />
        {holds && (
          <Suspense>
            <HeldWrites />
          </Suspense>
        )}
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
    </>
  );
}

/** The navigation entry to which a page belongs. */
function currentOf(pathname: string, places: readonly { to: string }[]): string {
  if (pathname === '/aluno/seguranca') return '/aluno/conta';
  return places.find(({ to }) => to === pathname)?.to ?? '/aluno';
}

/** The student's navigation: at the bottom of the phone, under the header on wider screens. */
function StudentBar() {
  const { pathname } = useLocation();
  const { membership } = useSignedIn();
  const places = studentAreas(membership.tenant_id);
  const current = currentOf(pathname, places);
  return (
    <nav className={classes.bar} aria-label="Principal">
      {places.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          className={shell.tab}
          aria-current={pathname === to ? 'page' : to === current || undefined}
        >
          <span className={shell.tabIcon}>
            <Icon name={icon} size={22} />
          </span>
          {label}
        </Link>
      ))}
    </nav>
  );
}
