import type { IconName } from '../../ui/icon.js';

export interface Area {
  to: string;
  label: string;
  icon: IconName;
}

/** The five entries of the navigation, in order. */
export const areas: readonly Area[] = [
  { to: '/', label: 'Dashboard', icon: 'home' },
  { to: '/agenda', label: 'Agenda', icon: 'calendar' },
  { to: '/alunos', label: 'Alunos', icon: 'people' },
  { to: '/financeiro', label: 'Financeiro', icon: 'wallet' },
  { to: '/ajustes', label: 'Ajustes', icon: 'settings' },
];

/** The navigation entries of the student's area. */
export const studentAreas = (tenantId: string): readonly Area[] => [
  { to: '/aluno', label: 'Início', icon: 'home' },
  { to: `/agenda/${tenantId}`, label: 'Agendar', icon: 'calendar' },
  { to: '/aluno/extrato', label: 'Extrato', icon: 'coins' },
  { to: '/aluno/conta', label: 'Conta', icon: 'people' },
];

/** Pages of an entry that are not below its path. */
const beside: Readonly<Record<string, RegExp>> = {
  '/financeiro': /^\/cobrancas\b/,
  '/ajustes': /^\/(planos|locais|link-publico)\b/,
};

/** The rule of the sidebar: an entry matches the same path, those below it and those beside it; `/` matches only itself. */
export const isWithin = (area: string, pathname: string): boolean =>
  pathname === area ||
  (area !== '/' && pathname.startsWith(`${area}/`)) ||
  beside[area]?.test(pathname) === true;
