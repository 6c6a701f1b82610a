import { Suspense, startTransition, useEffect, useRef, useState } from 'react';
import { Outlet, useLocation, Link, useSearchParams } from 'react-router-dom';
import { useClickOutside } from '@mantine/hooks';
import { Loading } from '../../ui/loading.js';
import { Icon } from '../../ui/icon.js';
import { PageTools } from '../../ui/page.js';
import { Skeletons } from '../../ui/states.js';
import { ErrorBoundary } from '../error-boundary.js';
import { preloadPage } from '../pages.js';
import { Bars } from './bars.js';
import { Bell, UnreadMark } from './bell.js';
import { type Area, areas } from './areas.js';
import classes from './shell.module.css';
import { HeldWrites } from './held-writes.js';
import quickActionsClasses from './quick-actions.module.css';
import { Search, useSearching } from './search.js';
import { Sidebar } from './sidebar.js';

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

function BottomBar() {
  const { pathname } = useLocation();
  return (
    <nav className={classes.bottomBar} aria-label="Principal">
      {areas.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          className={classes.tab}
          aria-current={pathname === to ? 'page' : undefined}
          onPointerDown={() => void preloadPage(to)}
        >
          <span className={classes.tabIcon}>
            <Icon name={icon} size={22} />
            {to === '/' && pathname !== '/' && <UnreadMark reader="personal" dot />}
          </span>
          {label}
        </Link>
      ))}
    </nav>
  );
}

/** Pixels of a scroll gesture; less is ignored. */
const GESTURE = 8;

/** Whether the page is being scrolled down. False at its top, also while it bounces there. */
function useReadingOn(): boolean {
  const [readingOn, setReadingOn] = useState(false);
  useEffect(() => {
    let last = window.scrollY;
    const onScroll = () => {
      const now = Math.max(window.scrollY, 0);
      if (now > 0 && Math.abs(now - last) < GESTURE) return;
      setReadingOn(now > last);
      last = now;
    };
    window.addEventListener('scroll', onScroll, { passive: true });
    return () => window.removeEventListener('scroll', onScroll);
  }, []);
  return readingOn;
}

/**
 * The quick-action button: its menu opens above it, with the most frequent entry nearest to the thumb. On wide screens, where it
 * lies over the page, it is hidden while the page is scrolled down, and shown again with the first scroll up; not on the agenda,
 * which scrolls by itself to the current time and has no other way to create.
 */
function QuickActions() {
  const { pathname } = useLocation();
  const [search] = useSearchParams();
  const [openedOn, setOpenedOn] = useState<string | null>(null);
  const opened = openedOn === pathname;
  const readingOn = useReadingOn();
  const close = () => setOpenedOn(null);
  const outside = useClickOutside(close);
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLElement>(null);

  useEffect(() => {
    const nearest = menu.current?.lastElementChild;
    if (opened && nearest instanceof HTMLElement) nearest.focus();
  }, [opened]);

  // A page as it was offers nothing that writes.
  if (search.has('em')) return null;
  return (
    <div
      ref={outside}
      className={quickActionsClasses.quick}
      data-away={(readingOn && !opened && pathname !== '/agenda') || undefined}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        close();
        button.current?.focus();
      }}
    >
      {opened && <div className={quickActionsClasses.scrim} onClick={close} />}
      {opened && (
        <nav ref={menu} id="acoes-rapidas" className={quickActionsClasses.menu} aria-label="Ações rápidas">
          {quickActionsOn(pathname, search).map(({ label, to, icon }) => (
            <Link
              key={label}
              to={to}
              className={quickActionsClasses.action}
              onClick={() => {
                close();
                // The sheet that opens has to return the focus to an element that still exists.
                button.current?.focus();
              }}
            >
              {label}
              <span className={quickActionsClasses.actionIcon}>
                <Icon name={icon} />
              </span>
            </Link>
          ))}
        </nav>
      )}
      <button
        ref={button}
        type="button"
        className={quickActionsClasses.button}
        data-opened={opened || undefined}
        aria-label={opened ? 'Fechar ações rápidas' : 'Ações rápidas'}
        aria-expanded={opened}
        aria-controls="acoes-rapidas"
        // The button shows the tap before the menu is rendered.
        onClick={() => startTransition(() => setOpenedOn(opened ? null : pathname))}
      >
        <Icon name="plus" size={26} />
      </button>
    </div>
  );
}

/** Entries of the quick-action menu, the specified five, the charge and the expense; the most frequent ones last, nearest to the thumb. */
const quickActions: readonly Area[] = [
  { label: 'Local', to: '/locais/novo', icon: 'pin' },
  { label: 'Plano', to: '/planos/novo', icon: 'box' },
  { label: 'Despesa', to: '/financeiro?novo=despesa', icon: 'card' },
  { label: 'Lançamento', to: '/financeiro?novo=lancamento', icon: 'wallet' },
  { label: 'Cobrança', to: '/cobrancas?novo=cobranca', icon: 'coins' },
  { label: 'Aluno', to: '/alunos/novo', icon: 'people' },
  { label: 'Agendamento', to: '/agenda?novo=agendamento', icon: 'calendar' },
];

/** On the agenda: entries for the day that the calendar shows. */
const quickActionsOn = (pathname: string, search: URLSearchParams): readonly Area[] => {
  if (pathname !== '/agenda') return quickActions;
  const day = search.get('dia');
  const adding = (novo: string) =>
    `/agenda?${new URLSearchParams({ ...Object.fromEntries(search), novo, ...(day && { em: day }) }).toString()}`;
  return [
    ...quickActions.slice(0, -1),
    { label: 'Tarefa', to: adding('tarefa'), icon: 'check' },
    { label: 'Evento', to: adding('agendamento'), icon: 'calendar' },
  ];
};
