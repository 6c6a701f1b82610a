import { useLocation } from 'react-router-dom';
import { useElapsed } from '../ui/loading.js';
import { shellOf } from './narrow.js';
import { areas, studentAreas } from './shell/areas.js';

const SLOW_MS = 4000;
/** The placeholder of index.html, on a home page. */
const day = document.querySelector('.boot-date')?.textContent;
const first = location.pathname;

/** Placeholder of shell and page until the user is known: the same that index.html shows before. */
export function Starting() {
  const { pathname } = useLocation();
  const slow = useElapsed(SLOW_MS);
  return (
    <div className="boot" role="status" aria-busy data-shell={shellOf(pathname)}>
      <p className="boot-words" data-slow={slow || undefined}>
        {slow ? 'Está demorando mais que o normal. Ainda tentando…' : 'Carregando...'}
      </p>
      <div className="boot-shell" aria-hidden>
        <div className="boot-side" />
        <div className="boot-page">
          {Array.from({ length: 5 }, (_, index) => (
            <i key={index} />
          ))}
          <p className="boot-date">{pathname === first && day}</p>
        </div>
        <div className="boot-bar">
          {areas.map(({ label }) => (
            <span key={label}>{label}</span>
          ))}
        </div>
        <div className="boot-places">
          {studentAreas('').map(({ label }) => (
            <span key={label}>{label}</span>
          ))}
        </div>
      </div>
    </div>
  );
}
