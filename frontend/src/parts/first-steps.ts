import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from 'react-router-dom';
import type { Dashboard } from '../../../backend/modules/agenda/agenda.api.js';
import { reads } from '../lib/topics.js';

export const DASHBOARD = reads('dashboard', [
  'sessions',
  'students',
  'plans',
  'locations',
  'transactions',
  'charges',
  'settings',
  'public-link',
]);

export type Steps = Dashboard['primeiros_passos'];

export interface Step {
  step: keyof Steps;
  title: string;
  facts: string;
  to: string;
}

export const steps: readonly Step[] = [
  {
    step: 'plano',
    title: 'Crie um plano',
    facts: 'O pacote que você vende: valor e créditos',
    to: '/planos/novo',
  },
  { step: 'aluno', title: 'Cadastre um aluno', facts: 'Nome, WhatsApp e o plano dele', to: '/alunos/novo' },
  {
    step: 'agendamento',
    title: 'Agende uma sessão',
    facts: 'Quem, quando e onde',
    to: '/agenda?novo=agendamento',
  },
  {
    step: 'recebimento',
    title: 'Faça a primeira cobrança',
    facts: 'Um link com Pix, pronto para enviar',
    to: '/cobrancas?novo=cobranca',
  },
];

/** The next step after one that was just done, of those that are left. Undefined where none is, or where it is not known. */
export function useNextStep(): (done: keyof Steps) => Step | undefined {
  const client = useQueryClient();
  return (done) => {
    // Not requested: who comes from the first steps has it. It may not know yet that steps before this one were done.
    const taken = client.getQueryData<Dashboard>([DASHBOARD])?.primeiros_passos;
    return (
      taken && steps.slice(steps.findIndex(({ step }) => step === done) + 1).find(({ step }) => !taken[step])
    );
  };
}

/** For the toast of a step that was done: opens the next one. */
export function useStepAction(done: keyof Steps) {
  const next = useNextStep();
  const navigate = useNavigate();
  return () => {
    const step = next(done);
    return step && { label: step.title, onClick: () => void navigate(step.to) };
  };
}
