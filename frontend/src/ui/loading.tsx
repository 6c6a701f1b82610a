import { useEffect, useState, type ReactNode } from 'react';
import classes from './states.module.css';

/** True once so many milliseconds have passed since the component was mounted. */
export function useElapsed(milliseconds: number): boolean {
  const [elapsed, setElapsed] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
  return elapsed;
}

/** The skeleton of the content, or of any page, after 150 ms; after 4 s a line says that it takes long. */
export function Loading({ children }: { children?: ReactNode }) {
  const visible = useElapsed(150);
  const slow = useElapsed(4000);
  return (
    <div role="status" aria-busy className={classes.loading}>
      {/* In a live region that already exists, so that screen readers announce it, and only if loading takes a while. */}
      <span className={classes.spoken}>{visible && 'Carregando...'}</span>
      {/* Above the skeleton: below it, it would be outside of a phone's screen. */}
      {slow && <p className={classes.slow}>Está demorando mais que o normal. Ainda tentando…</p>}
      {visible && <div aria-hidden>{children ?? <AnyPage />}</div>}
    </div>
  );
}

function AnyPage() {
  return (
    <div className={classes.any}>
      {Array.from({ length: 4 }, (_, index) => (
        <i key={index} />
      ))}
    </div>
  );
}
