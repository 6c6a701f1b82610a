import { Fragment, lazy, Suspense, useEffect, type ReactElement } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { signOut } from '../../features/accounts/sign-out.js';
import { Icon } from '../../ui/icon.js';
import { Logo } from '../../ui/logo.js';
import { useSignedIn } from '../me-context.js';
import { preloadPage } from '../pages.js';
import { areas, isWithin } from './areas.js';
import { useSearching } from './search.js';
import { useShell } from './shell-state.js';
import classes from './shell.module.css';

const MembershipMenu = lazy(() => import('./membership-menu.js'));
const NamedItem = lazy(() => import('./named-item.js'));

export function Sidebar() {
  const { pathname } = useLocation();
  const { collapsed, toggleSidebar } = useShell();
  const { memberships } = useSignedIn();
  const { open } = useSearching();

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (
        event.key.toLowerCase() !== 'b' ||
        !(event.ctrlKey || event.metaKey) ||
        event.altKey ||
        event.shiftKey
      )
        return;
      event.preventDefault();
      toggleSidebar();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [toggleSidebar]);

  const named = (label: string, item: ReactElement) =>
    collapsed ? (
      <Suspense key={label} fallback={item}>
        <NamedItem label={label}>{item}</NamedItem>
      </Suspense>
    ) : (
      <Fragment key={label}>{item}</Fragment>
    );

  return (
    <aside className={classes.sidebar} data-collapsed={collapsed || undefined}>
      <div className={classes.brand}>
        {!collapsed && (
          <Link to="/" className={classes.brandLink} aria-label="Rende, início">
            <Logo withName />
          </Link>
        )}
        {named(
          'Expandir menu',
          <button
            type="button"
            className={classes.collapse}
            onClick={toggleSidebar}
            aria-label={collapsed ? 'Expandir menu' : 'Recolher menu'}
            aria-expanded={!collapsed}
          >
            <Icon name="panel" />
          </button>,
        )}
      </div>
      {named(
        'Buscar (Ctrl K)',
        <button
          type="button"
          className={classes.item}
          onClick={open}
          aria-label="Buscar"
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Icon name="search" />
          <span className={classes.itemLabel}>Buscar</span>
          <kbd className={classes.keys}>Ctrl K</kbd>
        </button>,
      )}
      <nav className={classes.items} aria-label="Menu">
        {areas.map(({ to, label, icon }) =>
          named(
            label,
            <Link
              to={to}
              className={classes.item}
              aria-current={isWithin(to, pathname) ? 'page' : undefined}
              onPointerEnter={() => preloadPage(to)}
            >
              <Icon name={icon} />
              <span className={classes.itemLabel}>{label}</span>
            </Link>,
          ),
        )}
      </nav>
      {!collapsed && memberships.length > 1 && (
        <Suspense>
          <MembershipMenu />
        </Suspense>
      )}
      {named(
        'Sair',
        <button type="button" className={classes.item} onClick={() => void signOut()}>
          <Icon name="exit" />
          <span className={classes.itemLabel}>Sair</span>
        </button>,
      )}
    </aside>
  );
}
