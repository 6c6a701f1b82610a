import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { whenReachable } from '../../lib/chunks.js';

const SearchPlaces = lazy(() => whenReachable(() => import('./places.js')));

/** Whether the search is open, over everything or over the agenda alone: in the address, so that "back" closes it. */
export function useSearching() {
  const [rendered] = useSearchParams();
  const navigate = useNavigate();
  const set = (searching: boolean, within = '') => {
    // Reads window.location, which already has the address of a page that is still loading.
    const { pathname, search, hash } = window.location;
    const params = new URLSearchParams(search);
    if (params.has('buscar') === searching) return;
    if (searching) params.set('buscar', within);
    else params.delete('buscar');
    void navigate(
      { pathname, search: params.toString(), hash },
      { replace: !searching, preventScrollReset: true },
    );
  };
  const close = () => set(false);
  const toggle = () => set(!new URLSearchParams(window.location.search).has('buscar'));
  return {
    within: rendered.get('buscar'),
    open: (within?: 'agenda') => set(true, within),
    close,
    toggle,
  };
}

/** The search over everything, which Ctrl/Cmd+K opens and closes; its code comes with the first use. */
export function Search() {
  const { within, close, toggle } = useSearching();
  const searching = within !== null;
  const [used, setUsed] = useState(within);
  if (searching && used !== within) setUsed(within);

  /** Text that was typed after the shortcut and before the search field was loaded; null otherwise. */
  const early = useRef<string | null>(null);
  const takeEarly = () => {
    const typed = early.current ?? '';
    early.current = null;
    return typed;
  };

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const { key, altKey, shiftKey } = event;
      const isCommand = event.ctrlKey || event.metaKey;
      if (key.toLowerCase() === 'k' && isCommand && !altKey && !shiftKey) {
        event.preventDefault();
        early.current = searching ? null : '';
        toggle();
      } else if (early.current !== null && !isCommand && !altKey) {
        if (key.length === 1) early.current += key;
        else if (key === 'Backspace') early.current = early.current.slice(0, -1);
        else if (key === 'Escape') early.current = null;
        if (key.length === 1 || key === 'Backspace') event.preventDefault();
      }
    };
    window.addEventListener('keydown', onKey, { capture: true });
    return () => window.removeEventListener('keydown', onKey, { capture: true });
  });

  return (
    used !== null && (
      <Suspense>
        <SearchPlaces opened={searching} onClose={close} takeEarly={takeEarly} inAgenda={used === 'agenda'} />
      </Suspense>
    )
  );
}
