import { lazy, Suspense, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { whenReachable } from '../../lib/chunks.js';
import { IconAction } from '../../ui/icon-actions.js';

const AdvisorWindow = lazy(() => whenReachable(() => import('./advisor-window.js')));

/** Opens the "Consultor Financeiro". Whether it is open is in the address, so that "back" closes it. */
export function Advisor() {
  const [search, setSearch] = useSearchParams();
  const opened = search.has('consultor');
  const [used, setUsed] = useState(opened);
  if (opened && !used) setUsed(true);
  const set = (open: boolean) =>
    setSearch(
      (current) => {
        if (open) current.set('consultor', 'aberto');
        else current.delete('consultor');
        return current;
      },
      { replace: !open, preventScrollReset: true },
    );
  return (
    <>
      <IconAction icon="chat" onClick={() => set(!opened)}>
        Consultor
      </IconAction>
      {used && (
        <Suspense>
          <AdvisorWindow opened={opened} onClose={() => set(false)} />
        </Suspense>
      )}
    </>
  );
}
