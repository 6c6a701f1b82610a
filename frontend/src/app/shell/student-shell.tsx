import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { fetchPart, whenReachable } from '../../lib/chunks.js';
import { pageIsAtRest } from '../../lib/idle.js';
import { usePending } from '../../lib/pending.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { attempt } from '../../ui/toast.js';
import { ErrorBoundary } from '../error-boundary.js';
import { useSignedIn } from '../../lib/me.js';
import { Bars } from './bars.js';
import { Bell } from './bell.js';
import { StudentBar } from './student-bar.js';
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
          <Logo withName />
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
