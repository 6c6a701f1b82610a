import { Link, useLocation } from 'react-router-dom';
import { Icon } from '../../ui/icon.js';
import { preloadPage } from '../pages.js';
import { UnreadMark } from './bell.js';
import { areas } from './areas.js';
import classes from './shell.module.css';

export function BottomBar() {
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
