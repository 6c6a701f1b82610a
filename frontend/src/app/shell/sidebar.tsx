import { Fragment, lazy, Suspense, useEffect } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { signOut } from '../../features/accounts/sign-out.js';
import { whenReachable } from '../../lib/chunks.js';
import { Icon } from '../../ui/icon.js';
import { Initials } from '../../ui/initials.js';
import { Logo } from '../../ui/logo.js';
import type { Named } from '../../ui/named-items.js';
import { useSignedIn } from '../../lib/me.js';
import { preloadPage } from '../pages.js';
import { Bell } from './bell.js';
import { areas, isWithin } from './areas.js';
import { useSearching } from './search.js';
import classes from './shell.module.css';
import { create } from 'zustand';

const COOKIE = 'sidebar';
const SEVEN_DAYS = 7 * 24 * 60 * 60;

interface ShellState {
  /** Only icons in the sidebar; kept in a cookie for 7 days. */
  collapsed: boolean;
  toggleSidebar: () => void;
}

const useShell = create<ShellState>((set, get) => ({
  collapsed: document.cookie.split('; ').includes(`${COOKIE}=collapsed`),
  toggleSidebar: () => {
    const collapsed = !get().collapsed;
    document.cookie = `${COOKIE}=${collapsed ? 'collapsed' : 'expanded'}; path=/; max-age=${SEVEN_DAYS}; samesite=lax`;
    set({ collapsed });
  },
}));

const MembershipMenu = lazy(() => whenReachable(() => import('./membership-menu.js')));
const NamedItems = lazy(() => whenReachable(() => import('../../ui/named-items.js')));

const plain: Named = (label, item) => <Fragment key={label}>{item}</Fragment>;

export function Sidebar() {
  const { pathname } = useLocation();
  const { collapsed, toggleSidebar } = useShell();
  const { user, memberships } = useSignedIn();
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

  const items = (named: Named) => (
    <>
      {named(
        'Buscar (Ctrl K)',
        <button
          type="button"
          className={classes.item}
          onClick={() => open()}
          aria-label="Buscar"
          aria-keyshortcuts="Control+K Meta+K"
        >
          <Icon name="search" />
          <span className={classes.itemLabel}>Buscar</span>
          <kbd className={classes.keys}>Ctrl K</kbd>
        </button>,
      )}
      {named(
        'Notificações',
        <Bell reader="personal" className={classes.item!} labelClass={classes.itemLabel} />,
      )}
      <nav className={classes.items} aria-label="Menu">
        {areas.map(({ to, label, icon }) =>
          named(
            label,
            <Link
              to={to}
              className={classes.item}
              aria-current={isWithin(to, pathname) ? 'page' : undefined}
              onPointerEnter={() => void preloadPage(to)}
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
        'Conta',
        <Link
          to="/ajustes/conta"
          className={classes.item}
          aria-label={`Conta de ${user.nome}`}
          onPointerEnter={() => void preloadPage('/ajustes/conta')}
        >
          <span className={classes.avatar}>
            <Initials id={user.id} name={user.nome} size={28} />
          </span>
          <span className={classes.itemLabel}>{user.nome}</span>
        </Link>,
      )}
      {named(
        'Sair',
        <button type="button" className={classes.item} onClick={() => void signOut()}>
          <Icon name="exit" />
          <span className={classes.itemLabel}>Sair</span>
        </button>,
      )}
    </>
  );

  return (
    <aside className={classes.sidebar} data-collapsed={collapsed || undefined}>
      <div className={classes.brand}>
        {!collapsed && (
          <Link to="/" className={classes.brandLink} aria-label="Rende, início">
            <Logo />
          </Link>
        )}
        <button
          type="button"
          className={classes.collapse}
          onClick={toggleSidebar}
          aria-label={collapsed ? 'Expandir menu' : 'Recolher menu'}
          title={`${collapsed ? 'Expandir' : 'Recolher'} menu (Ctrl B)`}
          aria-keyshortcuts="Control+B Meta+B"
          aria-expanded={!collapsed}
        >
          <Icon name="panel" />
        </button>
      </div>
      {collapsed ? (
        <Suspense fallback={items(plain)}>
          <NamedItems>{items}</NamedItems>
        </Suspense>
      ) : (
        items(plain)
      )}
    </aside>
  );
}
