import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../ui/icon.js';
import { useSignedIn } from '../../lib/me.js';
import { studentAreas } from './areas.js';
import shell from './shell.module.css';
import classes from './student-shell.module.css';

/** The navigation entry to which a page belongs. */
function currentOf(pathname: string, places: readonly { to: string }[]): string {
  if (pathname === '/aluno/seguranca') return '/aluno/conta';
  return places.find(({ to }) => to === pathname)?.to ?? '/aluno';
}

/** The student's navigation: at the bottom of the phone, under the header on wider screens. */
export function StudentBar() {
  const { pathname } = useLocation();
  const { membership } = useSignedIn();
  const places = studentAreas(membership.tenant_id);
  const current = currentOf(pathname, places);
  return (
    <nav className={classes.bar} aria-label="Principal">
      {places.map(({ to, label, icon }) => (
        <Link
          key={to}
          to={to}
          className={shell.tab}
          aria-current={pathname === to ? 'page' : to === current || undefined}
        >
          <span className={shell.tabIcon}>
            <Icon name={icon} size={22} />
          </span>
          {label}
        </Link>
      ))}
    </nav>
  );
}
