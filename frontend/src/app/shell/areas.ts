import type { IconName } from '../../ui/icon.js';

interface Area {
  to: string;
  label: string;
  icon: IconName;
}

/** The five places of the navigation, in its order. */
export const areas: readonly Area[] = [
  { to: '/', label: 'Dashboard', icon: 'home' },
  { to: '/agenda', label: 'Agenda', icon: 'calendar' },
  { to: '/alunos', label: 'Alunos', icon: 'people' },
  { to: '/financeiro', label: 'Financeiro', icon: 'wallet' },
  { to: '/ajustes', label: 'Ajustes', icon: 'settings' },
];

/** The sidebar's rule: the same path, or one below it (everything is below `/`, so that one only matches itself). */
export const isWithin = (area: string, pathname: string): boolean =>
  pathname === area || (area !== '/' && pathname.startsWith(`${area}/`));
