import { useEffect, useState } from 'react';
import { Bar, BarAction } from '../ui/bar.js';
import { toasterMounted, type Toast } from '../ui/toast.js';

/** Fallback where the toast component could not be loaded: shows the last message until it is closed. */
export function PlainToasts() {
  const [said, setSaid] = useState<Toast | null>(null);
  useEffect(() => toasterMounted(setSaid), []);
  const close = () => setSaid(null);
  return (
    <div role="status" style={{ position: 'fixed', inset: '0 0 auto', zIndex: 300 }}>
      {said && (
        <Bar
          icon={said.kind === 'error' ? 'alert' : 'check'}
          tone={said.kind === 'error' ? 'bad' : 'accent'}
          actions={
            <>
              {said.action && (
                <BarAction
                  onClick={() => {
                    close();
                    said.action?.onClick();
                  }}
                >
                  {said.action.label}
                </BarAction>
              )}
              <BarAction onClick={close}>Fechar</BarAction>
            </>
          }
        >
          <strong>{said.title}</strong> {said.description}
        </Bar>
      )}
    </div>
  );
}
