import { Button } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, Outlet } from 'react-router-dom';
import { signOut } from '../../features/accounts/sign-out.js';
import { whenReachable } from '../../lib/chunks.js';
import { usePending } from '../../lib/pending.js';
import { Icon } from '../../ui/icon.js';
import { Loading } from '../../ui/loading.js';
import { Logo } from '../../ui/logo.js';
import { ErrorBoundary } from '../error-boundary.js';
import { useSignedIn } from '../../lib/me.js';
import { Bell } from './bell.js';
import { OfflineBar } from './offline-bar.js';
import { StudentBar } from './student-bar.js';
import { VersionBar } from './version-bar.js';
import { OwnZoneBar } from './own-zone-bar.js';
import classes from './student-shell.module.css';

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
        <Button variant="subtle" onClick={() => void signOut()} leftSection={<Icon name="exit" size={18} />}>
          Sair
        </Button>
      </header>
      <StudentBar />
      <main className={classes.main}>
        <OfflineBar />
        {holds && (
          <Suspense>
            <HeldWrites />
          </Suspense>
        )}
        <VersionBar />
        <OwnZoneBar />
        <ErrorBoundary>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
    </>
  );
}
