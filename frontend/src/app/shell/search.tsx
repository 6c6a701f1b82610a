import { lazy, Suspense, useEffect, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { whenReachable } from '../../lib/chunks.js';
import { areas, quickActions, recordPages } from './areas.js';

const SearchSheet = lazy(() => whenReachable(() => import('../../features/search/search-sheet.js')));

/** Whether the search is open: in the address, so that "back" closes it. */
export function useSearching() {
  const [search, setSearch] = useSearchParams();
  const set = (searching: boolean) =>
    setSearch(
      (current) => {
        if (searching) current.set('buscar', '');
        else current.delete('buscar');
        return current;
      },
      { replace: !searching, preventScrollReset: true },
    );
  return { searching: search.has('buscar'), open: () => set(true), close: () => set(false) };
}

/** The search over everything, which Ctrl/Cmd+K opens and closes; its code comes with the first use. */
export function Search() {
  const { searching, open, close } = useSearching();
  const [used, setUsed] = useState(searching);
  if (searching && !used) setUsed(true);

  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      if (event.altKey || event.shiftKey) return;
      event.preventDefault();
      if (searching) close();
      else open();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  });

  return (
    used && (
      <Suspense>
        <SearchSheet
          opened={searching}
          onClose={close}
          pages={[...areas, ...recordPages]}
          actions={quickActions.map(({ label, ...action }) => ({
            ...action,
            label: `Novo ${label.toLowerCase()}`,
          }))}
        />
      </Suspense>
    )
  );
}
