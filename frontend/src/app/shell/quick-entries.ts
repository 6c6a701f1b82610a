import type { Area } from './areas.js';

/** Entries of the quick-action menu, the specified five, the charge and the expense; the most frequent ones last, nearest to the thumb. */
const quickActions: readonly Area[] = [
  { label: 'Local', to: '/locais/novo', icon: 'pin' },
  { label: 'Plano', to: '/planos/novo', icon: 'box' },
  { label: 'Despesa', to: '/financeiro?novo=despesa', icon: 'card' },
  { label: 'Lançamento', to: '/financeiro?novo=lancamento', icon: 'wallet' },
  { label: 'Cobrança', to: '/cobrancas?novo=cobranca', icon: 'coins' },
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
