import type { IconName } from '../../ui/icon.js';

interface Area {
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

/** Pages that are reached through Ajustes. */
export const recordPages: readonly Area[] = [
  { to: '/planos', label: 'Planos', icon: 'box' },
  { to: '/locais', label: 'Locais', icon: 'pin' },
  { to: '/ajustes/feriados', label: 'Feriados', icon: 'calendar' },
  { to: '/ajustes/politicas', label: 'Políticas', icon: 'shield' },
  { to: '/cobrancas', label: 'Cobranças', icon: 'wallet' },
  { to: '/ajustes/pix', label: 'Pix', icon: 'pix' },
  { to: '/ajustes/conta', label: 'Conta', icon: 'people' },
  { to: '/ajustes/seguranca', label: 'Segurança', icon: 'shield' },
  { to: '/ajustes/configuracoes', label: 'Configurações', icon: 'settings' },
  { to: '/link-publico', label: 'Link público', icon: 'link' },
  { to: '/ajustes/agendamento', label: 'Agendamento de alunos', icon: 'calendar' },
  { to: '/ajustes/reposicao', label: 'Reposição', icon: 'renew' },
  { to: '/ajustes/notificacoes', label: 'Notificações', icon: 'bell' },
  { to: '/ajustes/dados', label: 'Seus dados', icon: 'archive' },
];

/** Entries of the quick-action menu; the most frequent ones last, nearest to the thumb. */
export const quickActions: readonly Area[] = [
  { label: 'Local', to: '/locais/novo', icon: 'pin' },
  { label: 'Lançamento', to: '/financeiro?novo=lancamento', icon: 'wallet' },
  { label: 'Plano', to: '/planos/novo', icon: 'box' },
  { label: 'Aluno', to: '/alunos/novo', icon: 'people' },
  { label: 'Agendamento', to: '/agenda?novo=agendamento', icon: 'calendar' },
];

/** On the agenda: entries for the day that the calendar shows. */
export const quickActionsOn = (pathname: string, search: URLSearchParams): readonly Area[] => {
  if (pathname !== '/agenda') return quickActions;
  const day = search.get('dia');
  const adding = (novo: string) =>
    `/agenda?${new URLSearchParams({ ...Object.fromEntries(search), novo, ...(day && { em: day }) }).toString()}`;
  return [
    ...quickActions.slice(0, -1),
    { label: 'Tarefa', to: adding('tarefa'), icon: 'check' },
    { label: 'Evento', to: adding('agendamento'), icon: 'calendar' },
  ];
};

const formPages = new Set([
  '/ajustes/conta',
  '/ajustes/seguranca',
  '/ajustes/configuracoes',
  '/ajustes/feriados',
  '/ajustes/pix',
  '/ajustes/calendario',
  '/ajustes/notificacoes',
  '/ajustes/agendamento',
  '/ajustes/reposicao',
  '/link-publico',
]);

/** Pages with a form have no quick-action button, because it would cover their fields and buttons. */
export const isForm = (pathname: string): boolean =>
  formPages.has(pathname) || /\/(novo|edit|editar|importar)(\/|$)/.test(pathname);

/** The rule of the sidebar: an entry matches the same path and those below it; `/` matches only itself. */
export const isWithin = (area: string, pathname: string): boolean =>
  pathname === area || (area !== '/' && pathname.startsWith(`${area}/`));
