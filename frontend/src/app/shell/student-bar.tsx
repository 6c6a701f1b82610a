import { Link, useLocation } from 'react-router-dom';
import { Icon, type IconName } from '../../ui/icon.js';
import { useSignedIn } from '../me-context.js';
import shell from './shell.module.css';
import classes from './student-shell.module.css';

const placesOf = (tenantId: string): readonly { to: string; label: string; icon: IconName }[] => [
  { to: '/aluno', label: 'Início', icon: 'home' },
  { to: `/agenda/${tenantId}`, label: 'Agendar', icon: 'calendar' },
  { to: '/aluno/extrato', label: 'Extrato', icon: 'coins' },
  { to: '/aluno/conta', label: 'Conta', icon: 'people' },
];

/** The places of the student's area: at the bottom of the phone, under the header where there is room. */
export function StudentBar() {
  const { pathname } = useLocation();
  const { membership } = useSignedIn();
  return (
    <nav className={classes.bar} aria-label="Principal">
      {placesOf(membership.tenant_id).map(({ to, label, icon }) => (
        <Link key={to} to={to} className={shell.tab} aria-current={pathname === to ? 'page' : undefined}>
          <span className={shell.tabIcon}>
            <Icon name={icon} size={22} />
          </span>
          {label}
        </Link>
      ))}
    </nav>
  );
}
